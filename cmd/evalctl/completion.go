package main

import "github.com/spf13/cobra"

// complete lets shells complete the words of flags.
func complete(cmd *cobra.Command, words map[string][]string) {
	for name, list := range words {
		if list == nil {
			continue // a file's name
		}
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // a flag that is not there
		}
	}
}

package main

import "github.com/spf13/cobra"

// completionWords is the name of the flag annotation that lists the words for shell completion.
const completionWords = "evalctl_words"

// addCompletions sets the words for shell completion of flags, by flag name. They are annotations
// because cobra stores completion functions in a global map for the life of the process.
func addCompletions(cmd *cobra.Command, words map[string][]string) {
	for name, list := range words {
		if list == nil {
			continue // the flag takes a file name
		}
		if err := cmd.Flags().SetAnnotation(name, completionWords, list); err != nil {
			panic(err) // no such flag
		}
	}
}

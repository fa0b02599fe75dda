package main

import "github.com/spf13/cobra"

// completionWords is the annotation that lists the completion words of a flag.
const completionWords = "evalctl_words"

// complete adds completion words to flags. They are annotations because cobra stores completion
// functions in a global map for the life of the process.
func complete(cmd *cobra.Command, words map[string][]string) {
	for name, list := range words {
		if list == nil {
			continue // a file name
		}
		if err := cmd.Flags().SetAnnotation(name, completionWords, list); err != nil {
			panic(err) // no such flag
		}
	}
}

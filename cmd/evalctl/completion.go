package main

import "github.com/spf13/cobra"

// completionWords is the name of the flag annotation that lists the words for shell completion.
const completionWords = "evalctl_words"

// addCompletions sets the words for shell completion of flags, by flag name. It stores them as
// annotations, because cobra never releases completion functions.
func addCompletions(cmd *cobra.Command, words map[string][]string) {
	for name, list := range words {
		if list == nil {
			continue // no words: the shell completes file names
		}
		if err := cmd.Flags().SetAnnotation(name, completionWords, list); err != nil {
			panic(err) // the command has no such flag
		}
	}
}

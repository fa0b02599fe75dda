package main

import "github.com/spf13/cobra"

// wordsOf is the annotation of a flag that lists the words which complete it.
const wordsOf = "evalctl_words"

// complete lets shells complete the words of flags. They lie beside the flags until a
// shell asks: what cobra is told of a flag it keeps for as long as the process lives.
func complete(cmd *cobra.Command, words map[string][]string) {
	for name, list := range words {
		if list == nil {
			continue // a file's name
		}
		if err := cmd.Flags().SetAnnotation(name, wordsOf, list); err != nil {
			panic(err) // a flag that is not there
		}
	}
}

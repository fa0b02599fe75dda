package main

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// addGuides adds what shows the way: pages by job, man pages, a beginning of one's own,
// a check before a run, and the completion of runs' folders.
func addGuides(root *cobra.Command, secrets *secret.Set, axes []suite.Setting) {
	root.SetHelpCommand(helpCommand())
	root.AddCommand(initCommand(), doctorCommand(secrets, axes), pricesCommand(), manCommand())
	for _, cmd := range root.Commands() {
		if cmd.ValidArgsFunction == nil && slices.Contains(takingRuns, cmd.Name()) {
			cmd.ValidArgsFunction = completeRuns
		}
		for _, name := range []string{"baseline", "resume", "only-failing", "run"} {
			if _, has := cmd.GetFlagCompletionFunc(name); has || cmd.Flags().Lookup(name) == nil {
				continue
			}
			if err := cmd.RegisterFlagCompletionFunc(name, completeRuns); err != nil {
				panic(err) // a flag that is not there
			}
		}
	}
}

// takingRuns are the verbs whose arguments are folders of runs.
var takingRuns = []string{"compare", "gate", "power", "report", "show", "tune", "view"}

// completeRuns are the folders of runs where runs are usually kept, the newest first;
// where there is none, a shell's own files.
func completeRuns(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	found, _ := filepath.Glob(filepath.Join(usualRuns, "*", journal.ManifestFile)) // the pattern is right
	for i, file := range found {
		found[i] = filepath.Dir(file)
	}
	slices.Reverse(found)
	return found, cobra.ShellCompDirectiveDefault
}

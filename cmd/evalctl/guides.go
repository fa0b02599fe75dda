package main

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	}
}

// takingRuns are the verbs whose arguments are folders of runs.
var takingRuns = []string{"compare", "gate", "power", "report", "show", "tune", "view"}

// completeRuns are the folders of runs where runs are usually kept, the newest first;
// where there is none, a shell's own files.
func completeRuns(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	found, _ := filepath.Glob(filepath.Join(defaultRuns, "*", journal.ManifestFile)) // the pattern is right
	for i, file := range found {
		found[i] = filepath.Dir(file)
	}
	slices.Reverse(found)
	return found, cobra.ShellCompDirectiveDefault
}

// namingRuns are the flags whose values are folders of runs.
var namingRuns = []string{"baseline", "resume", "only-failing", "run"}

// offerWords tells cobra what completes the flags of a command and of those below it.
func offerWords(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, told := cmd.GetFlagCompletionFunc(f.Name); told { // commands share flags
			return
		}
		var err error
		if list, has := f.Annotations[wordsOf]; has {
			err = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
		} else if slices.Contains(namingRuns, f.Name) {
			err = cmd.RegisterFlagCompletionFunc(f.Name, completeRuns)
		}
		if err != nil {
			panic(err) // a flag that is not there
		}
	})
	for _, sub := range cmd.Commands() {
		offerWords(sub)
	}
}

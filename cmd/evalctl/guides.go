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

// addGuides adds the commands that do not evaluate: help pages, init, doctor, prices, man pages. It
// also sets up shell completion of run directories.
func addGuides(root *cobra.Command, secrets *secret.Set, axes []suite.Setting) {
	root.SetHelpCommand(helpCommand())
	root.AddCommand(initCommand(), doctorCommand(secrets, axes), pricesCommand(), manCommand())
	for _, cmd := range root.Commands() {
		if cmd.ValidArgsFunction == nil && slices.Contains(runArgCommands, cmd.Name()) {
			cmd.ValidArgsFunction = completeRuns
		}
	}
}

// runArgCommands names the commands whose arguments are run directories.
var runArgCommands = []string{"compare", "gate", "power", "report", "show", "tune", "view"}

// completeRuns is a shell completion: it returns the run directories under ./runs, newest first. If
// there are none, the shell completes file names.
func completeRuns(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	found, _ := filepath.Glob(filepath.Join(defaultRuns, "*", journal.ManifestFile)) // the pattern is valid
	for i, file := range found {
		found[i] = filepath.Dir(file)
	}
	slices.Reverse(found)
	return found, cobra.ShellCompDirectiveDefault
}

// runFlagNames names the flags whose values are run directories.
var runFlagNames = []string{"baseline", "resume", "only-failing", "run"}

// registerCompletions sets up shell completion in cobra for all flags of a command and its
// subcommands.
func registerCompletions(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		// another command has registered the shared flag
		if _, registered := cmd.GetFlagCompletionFunc(f.Name); registered {
			return
		}
		var err error
		if list, has := f.Annotations[completionWords]; has {
			err = cmd.RegisterFlagCompletionFunc(f.Name,
				cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
		} else if slices.Contains(runFlagNames, f.Name) {
			err = cmd.RegisterFlagCompletionFunc(f.Name, completeRuns)
		}
		if err != nil {
			panic(err) // the command has no such flag
		}
	})
	for _, sub := range cmd.Commands() {
		registerCompletions(sub)
	}
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// group makes cmd a command that only has subcommands. Without arguments, evalctl itself prints its
// help, and all other groups return an error. An unknown word is an error.
func group(cmd *cobra.Command, verbs ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(verbs...)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var known []string
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				known = append(known, c.Name())
			}
		}
		switch {
		case len(args) > 0 && !cmd.HasParent() &&
			slices.Contains([]string{"eval", "evaluate", "test", "start"}, args[0]):
			return fmt.Errorf(`unknown command %q, did you mean "run"? "evalctl help" lists all commands`, args[0])
		case len(args) > 0:
			return suggest.UnknownWordError("command", args[0], known)
		case cmd.HasParent():
			return fmt.Errorf("%s: requires one of %s", cmd.Name(), strings.Join(known, ", "))
		}
		return cmd.Help()
	}
	return cmd
}

// systemsHelp returns, for help texts, a line with name and summary for each system.
func systemsHelp() string {
	var b strings.Builder
	for _, s := range suite.Systems() {
		fmt.Fprintf(&b, "  %-12s %s\n", s.Name, s.Summary)
	}
	return b.String()
}

// examples returns example command lines for a command. They are all examples of the named targets,
// or else the first example of each system.
func examples(verb string, targets ...string) string {
	var lines []string
	for _, s := range suite.Systems() {
		of := slices.DeleteFunc(slices.Clone(s.Examples),
			func(e string) bool { return !strings.HasPrefix(e, verb+" ") })
		switch {
		case len(targets) == 0:
			of = of[:min(len(of), 1)]
		case !slices.Contains(targets, s.Name):
			continue
		}
		for _, e := range of {
			lines = append(lines, "  evalctl "+e)
		}
	}
	return strings.Join(lines, "\n")
}

// settingClash returns an error if a setting has the same name as another flag of a command.
func settingClash(settings []suite.Setting, verbs ...*cobra.Command) error {
	for _, set := range settings {
		for _, verb := range verbs {
			if set.Name == "help" || verb.Flags().Lookup(set.Name) != nil {
				return fmt.Errorf("system %s: its setting %q is called like a flag of evalctl %s: call it something else", set.Systems[0].Name, set.Name, verb.Name())
			}
		}
	}
	return nil
}

// printError returns the error of a printer as an internal error, because the user did not cause
// it.
func printError(p terminal.Printer) error {
	if p.Err != nil {
		return exit.InternalError(p.Err)
	}
	return nil
}

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

// group is a command that only holds others: the root shows its help, and a
// word that is none of them is an error.
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
		case len(args) > 0 && !cmd.HasParent() && slices.Contains([]string{"eval", "evaluate", "test", "start"}, args[0]):
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

// systemsHelp has a line for each system.
func systemsHelp() string {
	var b strings.Builder
	for _, s := range suite.Systems() {
		fmt.Fprintf(&b, "  %-12s %s\n", s.Name, s.Summary)
	}
	return b.String()
}

// examples are the command lines by which systems show off a verb: of those that are named
// all, else of each the first.
func examples(verb string, targets ...string) string {
	var lines []string
	for _, s := range suite.Systems() {
		of := slices.DeleteFunc(slices.Clone(s.Examples), func(e string) bool { return !strings.HasPrefix(e, verb+" ") })
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

// clashes finds a setting that verbs could not tell from a flag of their own.
func clashes(settings []suite.Setting, verbs ...*cobra.Command) error {
	for _, set := range settings {
		for _, verb := range verbs {
			if set.Name == "help" || verb.Flags().Lookup(set.Name) != nil {
				return fmt.Errorf("system %s: its setting %q is called like a flag of evalctl %s: call it something else", set.Owners[0].Name, set.Name, verb.Name())
			}
		}
	}
	return nil
}

// printed tells whether all could be printed: that it could not is no fault of
// the user's.
func printed(p terminal.Printer) error {
	if p.Err != nil {
		return exit.InternalError(p.Err)
	}
	return nil
}

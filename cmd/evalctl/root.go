package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// run is the whole program; it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := group(&cobra.Command{
		Use:   "evalctl",
		Short: "Evaluate LLM agents that route, retrieve, retry and criticise themselves",
		Long: `evalctl plays labelled conversations on complete agent systems, against
simulated or real models, and scores routing, retrieval, Critic loops, fallbacks
and latency.

Without a key and offline:  evalctl run`,
		Version:               version(),
		DisableFlagsInUseLine: true,
		SilenceErrors:         true,
		SilenceUsage:          true,
		PersistentPreRunE:     func(cmd *cobra.Command, _ []string) error { return refuseEmpty(cmd.Flags()) },
	}, runCommand(args), showCommand(), datasetCommand(), libraryCommand(), chatCommand(), serveCommand(), mockCommand(), versionCommand())
	root.SetVersionTemplate("evalctl {{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, exit.ErrGate) {
		fmt.Fprintln(stderr, "evalctl:", terminal.OneLine(err))
	}
	return exit.Code(err)
}

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
		case len(args) > 0:
			return suggest.Unknown("command", args[0], known)
		case cmd.HasParent():
			return fmt.Errorf("%s: wants one of %s", cmd.Name(), strings.Join(known, ", "))
		}
		return cmd.Help()
	}
	return cmd
}

// examples are the command lines by which systems show off a verb.
func examples(verb string) string {
	var lines []string
	for _, s := range suite.Systems() {
		for _, e := range s.Examples {
			if strings.HasPrefix(e, verb+" ") {
				lines = append(lines, "  evalctl "+e)
			}
		}
	}
	return strings.Join(lines, "\n")
}

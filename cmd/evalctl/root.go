package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
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

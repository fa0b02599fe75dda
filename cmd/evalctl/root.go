package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// run is the whole program; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:   "evalctl",
		Short: "Evaluate LLM agents that route, retrieve, retry and criticise themselves",
		Long: `evalctl plays labelled conversations on complete agent systems, against
simulated or real models, and scores routing, fallbacks and latency.

Without a key and offline:  evalctl run`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.AddCommand(runCommand(), showCommand(), datasetCommand(), mockCommand(), versionCommand())
	err := root.ExecuteContext(ctx)
	if err != nil && err != error(errGate) {
		fmt.Fprintln(stderr, "evalctl:", oneLine(err))
	}
	return exitCode(err)
}

// oneLine keeps a message on one line: it is what a log shows.
func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

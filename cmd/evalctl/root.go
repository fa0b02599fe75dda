package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
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
	if err != nil && !errors.Is(err, errGate) {
		fmt.Fprintln(stderr, "evalctl:", oneLine(err))
	}
	return exitCode(err)
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
			return unknown("command", args[0], known)
		case cmd.HasParent():
			return fmt.Errorf("%s: wants one of %s", cmd.Name(), strings.Join(known, ", "))
		}
		return cmd.Help()
	}
	return cmd
}

// picture matches the lines that show a place in a YAML file, and the caret
// under it: the message has said which line it is.
var picture = regexp.MustCompile(`^>?\s*\d+ \||^\s*\^$`)

// oneLine keeps a message on one line: it is what a log shows.
func oneLine(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" && !picture.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// await waits for f, or for ctx to end: what f does cannot be interrupted, but
// it only reads, and the process is about to end.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := f()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var zero T
		return zero, &exitError{exitInterrupted, errors.New("interrupted")}
	}
}

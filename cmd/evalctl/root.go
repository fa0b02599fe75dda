package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/suite"
)

// run executes evalctl with the given arguments and streams and returns its exit code. It is main
// without global state, so that tests can call it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	secrets := givenSecrets(args)
	out, errs := terminal.NewSafeWriter(stdout, secrets), terminal.NewSafeWriter(stderr, secrets)
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard) // net/http and log/slog would log data of providers and clients
	settings := suite.Settings()
	axes := slices.DeleteFunc(slices.Clone(settings), suite.Setting.IsPersistent)
	clash := settingClash(settings, runCommand(args, secrets, nil), curveCommand(args, secrets, nil),
		chatCommand(secrets, nil), serveCommand(secrets, nil))
	if clash != nil {
		fmt.Fprintln(errs, "evalctl:", clash)
		return exit.Code(exit.InternalError(clash))
	}
	root := group(&cobra.Command{
		Use:   "evalctl",
		Short: "Evaluate LLM agents that route, retrieve, retry and run Critic loops",
		Long: `evalctl runs labeled conversations on complete agent systems, with simulated or real
models, and scores routing, retrieval, Critic loops, fallbacks and latency.

Without a key and offline:  evalctl run
Guides:                     evalctl help topics`,
		Version:               build.Version(),
		DisableFlagsInUseLine: true,
		SilenceErrors:         true,
		SilenceUsage:          true,
		PersistentPreRunE:     func(cmd *cobra.Command, _ []string) error { return refuseEmpty(cmd.Flags()) },
	}, runCommand(args, secrets, axes), reportCommand(secrets), mergeCommand(args, secrets), gateCommand(secrets),
		showCommand(), viewCommand(), compareCommand(secrets), tuneCommand(), powerCommand(), runsCommand(),
		curveCommand(args, secrets, axes), datasetCommand(), libraryCommand(), chatCommand(secrets, settings),
		serveCommand(secrets, settings), mockCommand(), proxyCommand(), cassetteCommand(), workerCommand(secrets),
		brokerCommand(secrets), versionCommand())
	addGuides(root, secrets, axes)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		registerCompletions(root)
	}
	root.SetVersionTemplate("evalctl {{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if closed := out.Close(); err == nil && closed != nil {
		err = exit.InternalError(closed)
	}
	if err != nil && !errors.Is(err, exit.ErrGateFailed) && !errors.Is(err, exit.ErrUndecided) {
		fmt.Fprintln(errs, "evalctl:", terminal.OneLine(err))
	}
	_ = errs.Close() // there is no other place to report a stderr error
	return exit.Code(err)
}

// givenSecrets collects the secrets in the command line and in proxy variables. Even the first
// output is therefore redacted.
func givenSecrets(args []string) *secret.Set {
	secrets := &secret.Set{}
	before, agent := args, []string(nil)
	if at := slices.Index(args, "--"); at >= 0 {
		before, agent = args[:at], args[at:]
	}
	secrets.AddFromText(before...)
	secrets.AddFromArgs(agent)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		secrets.AddFromURL(os.Getenv(name))
		secrets.AddFromURL(os.Getenv(strings.ToLower(name)))
	}
	return secrets
}

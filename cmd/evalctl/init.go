package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/agent/text"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/scaffold"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/suggest"
	"evalctl/reports/document"
)

func initCommand() *cobra.Command {
	var cfg scaffold.Config
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Create a starter suite, cases, a prompt and a CI workflow",
		Long: `Write a starter evaluation to DIR (the current directory): a suite with gates, twenty
labeled cases, labels and a prompt under evals/, a .gitignore, and a workflow that runs
the suite on every pull request and compares it with the run of main. It runs offline as
it is. Replace the cases, labels and prompt with your own.

--target writes a suite for your own agent or model instead: http and exec with a small
agent in Python to replace, openai for an endpoint with chat completions.

DIR should be the root of a repository, because GitHub reads workflows only there. The
workflow builds evalctl from its sources. Name their repository with --evalctl-repo or as
EVALCTL_REPOSITORY in the workflow; without it the workflow fails.`,
		Example: "  evalctl init\n  evalctl init --target exec my-agent\n" +
			"  evalctl init --evalctl-repo OWNER/evalctl support-desk",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("init: requires at most one directory, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg.Dir = "."
			if len(args) == 1 {
				cfg.Dir = args[0]
			}
			return exit.RunInterruptible(cmd.Context(), func() error { return writeStarter(cmd, cfg) })
		},
	}
	cmd.Flags().StringVar(&cfg.SourceRepository, "evalctl-repo", "",
		"GitHub repository `OWNER/NAME` of evalctl, from which the workflow builds it")
	cmd.Flags().StringVar(&cfg.Target, "target", "",
		"`TARGET` that the suite evaluates: "+suggest.JoinWords(scaffold.Targets())+
			" (default: a prompt with a simulated model)")
	addCompletions(cmd, map[string][]string{"target": scaffold.Targets()})
	cmd.Flags().BoolVar(&cfg.Force, "force", false, "overwrite existing files, except links")
	return cmd
}

// writeStarter writes the files of evalctl init and prints the next steps.
func writeStarter(cmd *cobra.Command, cfg scaffold.Config) error {
	if cfg.SourceRepository != "" {
		if err := scaffold.CheckRepositoryName(cfg.SourceRepository); err != nil {
			return flagError("evalctl-repo", err)
		}
	}
	starter, err := scaffold.FindStarter(cfg.Target)
	if err != nil {
		return flagError("target", err)
	}
	written, err := scaffold.Write(cfg)
	p := terminal.Printer{W: cmd.OutOrStdout()}
	for _, path := range written {
		p.Printf("wrote  %s\n", text.EscapeLine(path))
	}
	if err != nil {
		return exit.ClassifyDiskError(fmt.Errorf("init: %w", err))
	}
	run := "evalctl run " + shellArgument(filepath.Join(cfg.Dir, scaffold.SuiteFile))
	if starter.Args != "" {
		run += " " + starter.Args
	}
	p.Printf("\n")
	switch {
	case starter.Start != "":
		p.Printf("start  python3 %s &\n", shellArgument(filepath.Join(cfg.Dir, starter.Agent)))
	case starter.Key != "":
		p.Printf("set    %s to your key. For another endpoint, edit the suite\n", starter.Key)
	}
	p.Printf("next   %s\n", run)
	if cfg.SourceRepository == "" {
		p.Printf("       set EVALCTL_REPOSITORY in %s; without it the workflow fails\n",
			text.EscapeLine(filepath.Join(cfg.Dir, scaffold.WorkflowFile)))
	}
	p.Printf("then   evalctl help gate\n")
	return printError(p)
}

// shellArgument quotes a path for a shell, so that it is not read as a flag. Control and invisible
// characters are escaped; a path with these cannot be copied.
func shellArgument(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return text.EscapeLine(document.ShellQuote(path))
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/help"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/docs"
	"evalctl/eval/suggest"
)

// helpCommand is cobra's, and has the pages besides.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Help about a command, or a page about a job: evalctl help topics",
		Long: `Show the help of a COMMAND, or a page on how to do a job:

` + topicsHelp() + `
A word that is both is the page; --help shows the command. In a pipe a page is the
same, without colours, and as wide as $COLUMNS says.`,
		Example: "  evalctl help topics\n  evalctl help prompts\n  evalctl help run",
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return append(append(docs.Names(), "topics"), verbNames(cmd.Root())...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return showHelp(cmd, args) },
	}
}

func topicsHelp() string {
	var b strings.Builder
	for _, t := range docs.Pages() {
		fmt.Fprintf(&b, "  %-16s %s\n", t.Name, t.Title)
	}
	return b.String()
}

// showHelp shows a page, or else a command's help.
func showHelp(cmd *cobra.Command, args []string) error {
	out := cmd.OutOrStdout()
	p := terminal.Printer{W: out}
	root := cmd.Root()
	if len(args) == 0 {
		root.InitDefaultHelpFlag()
		root.InitDefaultVersionFlag()
		if err := root.Help(); err != nil {
			return err
		}
		p.Printf("\nPages by job, each with evalctl help TOPIC:\n%s", topicsHelp())
		return printed(p)
	}
	if topic, ok := docs.Find(args[0]); ok && len(args) == 1 {
		p.W = terminal.Styled(out)
		p.Printf("%s", help.Screen{Width: terminal.Width(out), Colour: terminal.Colours(out)}.Render(topic.Text))
		return printed(p)
	}
	if strings.EqualFold(args[0], "topics") && len(args) == 1 {
		p.Printf("%s", topicsHelp())
		return printed(p)
	}
	found, rest, err := root.Find(args)
	if err != nil || found == root || len(rest) > 0 {
		return unknownHelp(root, found, args, rest)
	}
	found.InitDefaultHelpFlag()
	return found.Help()
}

// unknownHelp says what there is help about instead.
func unknownHelp(root, found *cobra.Command, args, rest []string) error {
	if found == nil || found == root {
		return suggest.Unknown("command or topic", args[0], append(docs.Names(), verbNames(root)...))
	}
	return suggest.Unknown(found.Name()+" command", rest[0], verbNames(found))
}

// verbNames are the commands of a group that are shown.
func verbNames(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if (c.IsAvailableCommand() || c.Name() == "help") && !slices.Contains(docs.Names(), c.Name()) {
			names = append(names, c.Name())
		}
	}
	return names
}

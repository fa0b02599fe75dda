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

// helpCommand returns the help command, which shows guides and systems in addition to commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|PAGE|SYSTEM]",
		Short: "Show help for a command, a guide or a system",
		Long: `Show the help of a COMMAND, a PAGE, or the settings of a SYSTEM.

` + topicsHelp() + `
If a word names a page and a command, the page is shown; --help shows the command.
The output is as wide as the terminal, or as $COLUMNS.`,
		Example: "  evalctl help topics\n  evalctl help prompts\n  evalctl help http\n  evalctl help run",
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return append(append(docs.Names(), "topics"), verbNames(cmd.Root())...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return showHelp(cmd, args) },
	}
}

func topicsHelp() string {
	var b strings.Builder
	list := func(title string, pages []docs.Page) {
		fmt.Fprintf(&b, "%s\n", title)
		for _, page := range pages {
			fmt.Fprintf(&b, "  %-16s %s\n", page.Name, page.Title)
		}
	}
	list("Guides", docs.Guides())
	b.WriteByte('\n')
	list("Reference", docs.Reference())
	return b.String()
}

// showHelp prints the guide that the arguments name, or else the help of the command.
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
		p.Printf("\nPages, each shown by evalctl help PAGE:\n\n%s", topicsHelp())
		return printError(p)
	}
	if text, ok := helpPage(args[0]); ok && len(args) == 1 {
		p.W = terminal.StyledWriter(out)
		p.Printf("%s", help.Renderer{Width: terminal.Width(out), Color: terminal.HasColor(out)}.Render(text))
		return printError(p)
	}
	if strings.EqualFold(args[0], "topics") && len(args) == 1 {
		p.Printf("%s", topicsHelp())
		return printError(p)
	}
	found, rest, err := root.Find(args)
	if err != nil || found == root || len(rest) > 0 {
		return unknownHelp(root, found, args, rest)
	}
	found.InitDefaultHelpFlag()
	return found.Help()
}

// unknownHelp returns an error for an unknown topic that suggests an existing one.
func unknownHelp(root, found *cobra.Command, args, rest []string) error {
	if found == nil || found == root {
		return suggest.UnknownWordError("command or topic", args[0], append(docs.Names(), verbNames(root)...))
	}
	return suggest.UnknownWordError(found.Name()+" command", rest[0], verbNames(found))
}

// verbNames returns the names of the visible subcommands. It omits names that a help page has too.
func verbNames(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if (c.IsAvailableCommand() || c.Name() == "help") && !slices.Contains(docs.Names(), c.Name()) {
			names = append(names, c.Name())
		}
	}
	return names
}

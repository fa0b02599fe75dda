package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"evalctl/agent/file"
	"evalctl/agent/text"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write man pages",
		Long: `Write a man page for each command to DIR, which is made where it is not there. The same
program writes the same bytes. Earlier pages of evalctl are replaced; where anything else
has the name of one, nothing is written.`,
		Example: "  evalctl man ~/.local/share/man/man1\n  evalctl man man && man -l man/evalctl-run.1",
		Args:    exactlyOneArg("man", "a folder to write to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return exit.RunInterruptible(cmd.Context(), func() error { return writeManual(cmd, args[0]) })
		},
	}
}

// exactlyOneArg returns a check that a command has exactly one argument. what describes the
// argument in the error.
func exactlyOneArg(verb, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s: requires %s, got %d arguments", verb, what, len(args))
		}
		return nil
	}
}

// writeManual writes the man pages of all commands to dir. On error it writes none.
func writeManual(cmd *cobra.Command, dir string) error {
	root := cmd.Root()
	root.DisableAutoGenTag = true
	var pages []file.File
	for _, p := range visibleCommands(root) {
		p.Long = verbatim(p.Long)
		text, err := manPage(p)
		if err != nil {
			return fmt.Errorf("man: %s: %w", p.CommandPath(), err)
		}
		page := file.File{Path: strings.ReplaceAll(p.CommandPath(), " ", "-") + ".1", Text: text}
		if err := checkReplaceable(dir, page.Path); err != nil {
			return fmt.Errorf("man: %w", err)
		}
		pages = append(pages, page)
	}
	if err := file.WriteAll(dir, pages); err != nil {
		return exit.ClassifyDiskError(fmt.Errorf("man: %w", err))
	}
	p := terminal.Printer{W: cmd.OutOrStdout()}
	p.Printf("%d pages in %s: man -l %s\n", len(pages), text.EscapeLine(dir),
		shellArgument(filepath.Join(dir, root.Name()+".1")))
	return printError(p)
}

// maxPage is how many bytes of an existing file are read to find out whether it is a man page.
const maxPage = 1 << 20

// checkReplaceable returns an error if a page would overwrite a file that is not a man page of
// evalctl.
func checkReplaceable(dir, page string) error {
	have, err := file.ReadOptional(dir, page, maxPage)
	if err == nil && have != nil && !bytes.Contains(have, []byte(pageMark)) {
		err = fmt.Errorf("%s is there already, and no page of evalctl", filepath.Join(dir, page))
	}
	return err
}

// pageMark is a part of the title line of every man page, by which evalctl recognizes its own
// pages.
const pageMark = ` "1" "" "evalctl" "evalctl"`

// visibleCommands returns a command and all its visible subcommands.
func visibleCommands(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, visibleCommands(c)...)
		}
	}
	return list
}

// noDate is how the man page library prints a zero time. It is removed from pages.
const noDate = ` "Jan 0001" `

// manPage returns the man page of a command without a date, so that the same program writes the
// same bytes.
func manPage(cmd *cobra.Command) ([]byte, error) {
	cmd.InitDefaultHelpFlag()
	var page bytes.Buffer
	err := doc.GenMan(cmd, &doc.GenManHeader{
		Section: "1",
		Source:  "evalctl",
		Manual:  "evalctl",
		Date:    &time.Time{},
	}, &page)
	if err == nil && !bytes.Contains(page.Bytes(), []byte(noDate)) {
		err = fmt.Errorf("the page has no place for a date")
	}
	return bytes.Replace(page.Bytes(), []byte(noDate), []byte(` "" `), 1), err
}

// verbatim indents preformatted lines of a help text further, so that Markdown does not join them
// into a paragraph.
func verbatim(text string) string {
	var out []string
	before := false
	for _, line := range strings.Split(text, "\n") {
		is := strings.HasPrefix(line, "  ")
		if is != before {
			out = append(out, "")
		}
		if before = is; is {
			line = "  " + line
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

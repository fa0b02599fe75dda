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
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/reports/visible"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write man pages",
		Long: `Write a man page for each command to DIR, which is made where it is not there. The same
program writes the same bytes. Earlier pages of evalctl are replaced; where anything else
has the name of one, nothing is written.`,
		Example: "  evalctl man ~/.local/share/man/man1\n  evalctl man man && man -l man/evalctl-run.1",
		Args:    wantsOne("man", "a folder to write to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return exit.Done(cmd.Context(), func() error { return writeManual(cmd, args[0]) })
		},
	}
}

// wantsOne refuses all but one argument.
func wantsOne(verb, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s: requires %s, got %d arguments", verb, what, len(args))
		}
		return nil
	}
}

// writeManual writes the pages of the whole tree, or none.
func writeManual(cmd *cobra.Command, dir string) error {
	root := cmd.Root()
	root.DisableAutoGenTag = true
	var pages []file.File
	for _, p := range manual(root) {
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
		return exit.DiskError(fmt.Errorf("man: %w", err))
	}
	p := terminal.Printer{W: cmd.OutOrStdout()}
	p.Printf("%d pages in %s: man -l %s\n", len(pages), visible.EscapeLine(dir), argument(filepath.Join(dir, root.Name()+".1")))
	return printed(p)
}

// maxPage bounds what is read of a page that is there, in bytes.
const maxPage = 1 << 20

// checkReplaceable refuses to overwrite what is no page of ours.
func checkReplaceable(dir, page string) error {
	have, err := file.ReadOptional(dir, page, maxPage)
	if err == nil && have != nil && !bytes.Contains(have, []byte(ours)) {
		err = fmt.Errorf("%s is there already, and no page of evalctl", filepath.Join(dir, page))
	}
	return err
}

// ours stands in the title of every page.
const ours = ` "1" "" "evalctl" "evalctl"`

// manual are a command and all below it that are shown.
func manual(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, manual(c)...)
		}
	}
	return list
}

// noDate is how the page of a day that is none dates itself.
const noDate = ` "Jan 0001" `

// manPage is a page without a date, which would be that of its writing.
func manPage(cmd *cobra.Command) ([]byte, error) {
	cmd.InitDefaultHelpFlag()
	var page bytes.Buffer
	err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Source: "evalctl", Manual: "evalctl", Date: &time.Time{}}, &page)
	if err == nil && !bytes.Contains(page.Bytes(), []byte(noDate)) {
		err = fmt.Errorf("the page has no place for a date")
	}
	return bytes.Replace(page.Bytes(), []byte(noDate), []byte(` "" `), 1), err
}

// verbatim has the indented lines of a help text keep their form, which Markdown takes
// for a paragraph.
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

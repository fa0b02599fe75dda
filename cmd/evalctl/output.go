package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"evalctl/eval"
	"evalctl/reports"
)

// output is one report to write: to a file, or to stdout without a path.
type output struct {
	format reports.Format
	path   string
}

func parseFormats(texts []string) ([]output, error) {
	var list []output
	for _, text := range texts {
		format, path, err := reports.ParseFormat(text)
		if err != nil {
			return nil, err
		}
		list = append(list, output{format, path})
	}
	return list, nil
}

// report writes all outputs, and the job summary where a CI service wants one.
func (s *session) report(stdout io.Writer, sum eval.Summary, took time.Duration, detail bool) error {
	r := reports.Report{Summary: sum, Dir: s.dir, Took: took, Detail: detail}
	for _, o := range s.formats {
		if o.path == "" {
			continue
		}
		if err := writeReport(o, r); err != nil {
			return fmt.Errorf("--format %s=%s: %w", o.format, o.path, err)
		}
	}
	if path := os.Getenv("GITHUB_STEP_SUMMARY"); path != "" {
		if err := appendMarkdown(path, r); err != nil {
			return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
		}
	}
	r.Width, r.Colour = terminalWidth(stdout), isTerminal(stdout)
	for _, o := range s.formats {
		if o.path != "" {
			continue
		}
		if err := reports.Write(stdout, o.format, r); err != nil {
			return err
		}
	}
	return nil
}

func writeReport(o output, r reports.Report) error {
	var b bytes.Buffer
	if err := reports.Write(&b, o.format, r); err != nil {
		return err
	}
	return os.WriteFile(o.path, b.Bytes(), 0o644)
}

// appendMarkdown adds to what earlier steps wrote, within the service's limit.
func appendMarkdown(path string, r reports.Report) error {
	var b bytes.Buffer
	if err := reports.Write(&b, reports.Markdown, r); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, reports.CapMarkdown(b.String()))
	return errors.Join(err, f.Close())
}

// terminalWidth is 0, no limit, where w is no terminal.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !isTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

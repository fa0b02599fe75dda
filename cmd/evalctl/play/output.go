package play

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

// Output is one report to write: to a file, or to stdout without a path.
type Output struct {
	format reports.Format
	path   string
}

// Formats names them all.
func Formats() []string {
	var names []string
	for _, f := range reports.Formats() {
		names = append(names, string(f))
	}
	return names
}

// ParseFormats reads FORMAT[=PATH].
func ParseFormats(texts []string) ([]Output, error) {
	var list []Output
	for _, text := range texts {
		name, _, _ := strings.Cut(text, "=")
		if err := suggest.Known("format", name, Formats()); err != nil {
			return nil, err
		}
		format, path, err := reports.ParseFormat(text)
		if err != nil {
			return nil, err
		}
		list = append(list, Output{format: format, path: path})
	}
	return list, nil
}

// stepSummary is the file that a CI service shows beside the job; "" elsewhere.
func stepSummary() string { return os.Getenv("GITHUB_STEP_SUMMARY") }

// checkOutputs finds a file that cannot be written before hours are spent.
func checkOutputs(outputs []Output) error {
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		if err := checkWritable(o.path); err != nil {
			return fmt.Errorf("--format %s=%s: %w", o.format, o.path, err)
		}
	}
	if path := stepSummary(); path != "" {
		if err := checkWritable(path); err != nil {
			return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
		}
	}
	return nil
}

// spares finds a report that would take the place of what the run reads, or of
// what it writes to its own folder. Any other file that is there is replaced, and
// a link followed: that path was asked for.
func (p *Plan) spares(dir string, outputs []Output) error {
	home, err := os.Stat(dir)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		folder, err := os.Stat(filepath.Dir(o.path))
		own := err == nil && os.SameFile(home, folder) && slices.Contains(journal.Files(), filepath.Base(o.path))
		if o.path != "" && (own || p.reads(o.path)) {
			return fmt.Errorf("--format %s=%s: is what is read", o.format, o.path)
		}
	}
	return nil
}

// reads tells whether one of the suites is made of that file.
func (p *Plan) reads(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false // to be made
	}
	for _, one := range p.suites {
		for _, input := range one.suite.Files() {
			if read, err := os.Stat(input); err == nil && os.SameFile(info, read) {
				return true
			}
		}
	}
	return false
}

// checkWritable leaves no new file behind, and pipes and devices alone.
func checkWritable(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	f, failed := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if failed != nil {
		return failed
	}
	failed = f.Close()
	if errors.Is(err, fs.ErrNotExist) {
		failed = errors.Join(failed, os.Remove(path))
	}
	return failed
}

// report writes all outputs, and the job summary where a CI service wants one.
// One that cannot be written keeps none of the others back.
func (r *Run) report(stdout io.Writer, sum eval.Summary, took time.Duration, detail bool) error {
	var errs []error
	rep := reports.Report{Summary: sum, Dir: r.Dir, Took: took, Detail: detail}
	for _, o := range r.outputs {
		if o.path == "" {
			continue
		}
		if err := r.writeReport(o, rep); err != nil {
			errs = append(errs, fmt.Errorf("--format %s=%s: %w", o.format, o.path, err))
		}
	}
	if path := stepSummary(); path != "" {
		if err := r.appendMarkdown(path, rep); err != nil {
			errs = append(errs, fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err))
		}
	}
	rep.Width, rep.Colour = terminal.Width(stdout), terminal.Colours(stdout)
	for _, o := range r.outputs {
		if o.path == "" {
			errs = append(errs, r.print(stdout, o, rep))
		}
	}
	return errors.Join(errs...)
}

// showsGates tells a standard output that says which gates failed.
func (r *Run) showsGates() bool {
	return slices.ContainsFunc(r.outputs, func(o Output) bool {
		return o.path == "" && (o.format == reports.Table || o.format == reports.Markdown)
	})
}

// render is a report without secrets.
func (r *Run) render(format reports.Format, rep reports.Report) ([]byte, error) {
	var b bytes.Buffer
	err := reports.Write(&b, format, rep)
	if format == reports.JSON {
		return r.plan.secrets.JSON(b.Bytes()), err
	}
	return []byte(r.plan.secrets.Replace(b.String())), err
}

// print shows a report; it is harmless already.
func (r *Run) print(stdout io.Writer, o Output, rep reports.Report) error {
	text, err := r.render(o.format, rep)
	if err != nil {
		return err
	}
	if o.format == reports.JSON {
		stdout = terminal.Exact(stdout)
	}
	_, err = terminal.Styled(stdout).Write(text)
	return err
}

func (r *Run) writeReport(o Output, rep reports.Report) error {
	text, err := r.render(o.format, rep)
	if err != nil {
		return err
	}
	return os.WriteFile(o.path, text, 0o644)
}

// appendMarkdown adds to what earlier steps wrote, within the service's limit.
func (r *Run) appendMarkdown(path string, rep reports.Report) error {
	text, err := r.render(reports.Markdown, rep)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, reports.CapMarkdown(string(text)))
	return errors.Join(err, f.Close())
}

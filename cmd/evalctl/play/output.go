package play

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"evalctl/agent/file"
	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

// Output is one report to write: to a file, or to stdout without a path.
type Output struct {
	format reports.Format
	path   string
}

// Formats names them all.
func Formats() []string { return NamesOf(reports.Formats()) }

// TableFormats names those of what is a few tables.
func TableFormats() []string { return NamesOf(reports.TableFormats()) }

// NamesOf are the names of some formats.
func NamesOf(formats []reports.Format) (names []string) {
	for _, f := range formats {
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

// FormatsOf are those of outputs.
func FormatsOf(outputs []Output) (list []reports.Format) {
	for _, o := range outputs {
		list = append(list, o.format)
	}
	return list
}

// CheckOutputs finds a file that cannot be written, or that is one of those of
// the run in dir.
func CheckOutputs(dir string, outputs []Output) error {
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		if ofRun(dir, o.path) {
			return fmt.Errorf("--format %s=%s: is what is read", o.format, o.path)
		}
		if err := checkWritable(o.path); err != nil {
			return fmt.Errorf("--format %s=%s: %w", o.format, o.path, err)
		}
	}
	return nil
}

// ofRun tells one of the files that a run writes to its own folder.
func ofRun(dir, path string) bool {
	home, err := os.Stat(dir)
	if err != nil || !home.IsDir() {
		return err == nil && sameFile(dir, path)
	}
	folder, err := os.Stat(filepath.Dir(path))
	return err == nil && os.SameFile(home, folder) && slices.Contains(journal.Files(), filepath.Base(path))
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// checkOutputs finds what cannot be written before hours are spent. Who wants no report
// wants no summary of the job, either.
func checkOutputs(dir string, outputs []Output) error {
	if err := CheckOutputs(dir, outputs); err != nil {
		return err
	}
	if path := stepSummary(); path != "" && len(outputs) > 0 {
		if err := checkWritable(path); err != nil {
			return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
		}
	}
	return nil
}

// spares finds a report that would take the place of what the run reads. Any
// other file that is there is replaced, and a link followed: that path was asked
// for.
func (p *Plan) spares(outputs []Output) error {
	for _, o := range outputs {
		if o.path != "" && p.reads(o.path) {
			return fmt.Errorf("--format %s=%s: is what is read", o.format, o.path)
		}
	}
	return nil
}

// reads tells whether one of the suites is made of that file.
func (p *Plan) reads(path string) bool {
	return slices.ContainsFunc(p.suites, func(one suitePlan) bool {
		return slices.ContainsFunc(one.suite.Files(), func(input string) bool { return sameFile(input, path) })
	})
}

// checkWritable leaves no new file behind, and pipes and devices alone.
func checkWritable(path string) error {
	path, err := file.Followed(path) // what is made and removed is no link
	if err != nil {
		return err
	}
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
	rep := reports.Report{Summary: sum, Dir: r.Dir, Took: took, Detail: detail}
	outputs, failed := r.outputs, error(nil)
	if err := withTrials(&rep, outputs, r.Dir, r.plan.judge.baseline); err != nil {
		failed = fmt.Errorf("read the run again: %w", err)
		outputs = slices.DeleteFunc(slices.Clone(outputs), func(o Output) bool { return o.format.NeedsTrials() })
	}
	summarised := addToStep(rep, r.plan.secrets)
	return errors.Join(failed, summarised, Report(outputs, stdout, rep, r.plan.secrets))
}

// withTrials opens the run in dir, and the one that it is held against, if there is
// one, where an output tells of single trials. Of a run that was stopped before its
// first trial there is nothing to read.
func withTrials(rep *reports.Report, outputs []Output, dir, earlier string) (err error) {
	needed := slices.ContainsFunc(outputs, func(o Output) bool { return o.format.NeedsTrials() })
	if !needed || trialsOf(rep.Summary) == 0 {
		return nil
	}
	if rep.Run, err = runs.Open(dir); err == nil && earlier != "" {
		rep.Earlier, err = runs.Open(earlier)
	}
	if err != nil {
		return err
	}
	rep.Trials = reports.TrialsFor(*rep, FormatsOf(outputs)...)
	return rep.Run.Read(rep.Trials.Sinks()...)
}

func trialsOf(sum eval.Summary) (n int64) {
	for _, s := range sum.Suites {
		for _, c := range s.Variants {
			n += c.Trials
		}
	}
	return n
}

// Report writes a report to files first, then to stdout. One that cannot be
// written keeps none of the others back.
func Report(outputs []Output, stdout io.Writer, rep reports.Report, secrets *secret.Set) error {
	texts, err := Files(outputs, stdout, rep, secrets)
	return errors.Join(err, Print(stdout, texts))
}

// Text is a report that is yet to be shown.
type Text struct {
	format reports.Format
	text   []byte
}

// Files writes a report to files, and gives what is for stdout, which it leaves
// alone.
func Files(outputs []Output, stdout io.Writer, rep reports.Report, secrets *secret.Set) (texts []Text, err error) {
	if rep.Summary, err = hidden(rep.Summary, secrets); err != nil {
		return nil, err
	}
	var errs []error
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		if err := writeReport(o, rep, secrets); err != nil {
			errs = append(errs, fmt.Errorf("--format %s=%s: %w", o.format, o.path, err))
		}
	}
	rep.Width, rep.Colour, rep.ASCII = terminal.Width(stdout), terminal.Colours(stdout), !terminal.UTF8()
	for _, o := range outputs {
		if o.path != "" {
			continue
		}
		text, err := render(o.format, rep, secrets)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		texts = append(texts, Text{format: o.format, text: text})
	}
	return texts, errors.Join(errs...)
}

// Print shows reports; they are harmless already.
func Print(stdout io.Writer, texts []Text) error {
	var errs []error
	for _, t := range texts {
		to := stdout
		if t.format == reports.JSON {
			to = terminal.Exact(stdout)
		}
		_, err := terminal.Styled(to).Write(t.text)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// showsGates tells a standard output that says which gates failed.
func (r *Run) showsGates() bool {
	return slices.ContainsFunc(r.outputs, func(o Output) bool {
		return o.path == "" && (o.format == reports.Table || o.format == reports.Markdown)
	})
}

// tellFiles says which reports were written to files.
func tellFiles(outputs []Output, stderr io.Writer) {
	for _, o := range outputs {
		if o.path != "" {
			fmt.Fprintf(stderr, "report in %s\n", o.path)
		}
	}
}

func writeReport(o Output, rep reports.Report, secrets *secret.Set) error {
	text, err := render(o.format, rep, secrets)
	if err != nil {
		return err
	}
	return file.Replace(o.path, text)
}

package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/file"
	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

// Output is one report to write. Without a path it goes to stdout.
type Output struct {
	format    reports.Format
	path      string
	protected []string // inputs that it must not overwrite: run directories and files
	// JUnit reports no failure for cases that are wrong in this run; nil: it reports all wrong
	// cases
	knownFailures *runs.Run
}

// JUnitBaseline makes JUnit outputs skip the cases that are already wrong in the run in dir.
func JUnitBaseline(outputs []Output, dir string) ([]Output, error) {
	isJUnit := func(o Output) bool { return o.format == reports.JUnit }
	if dir == "" {
		return outputs, nil
	}
	if !slices.ContainsFunc(outputs, isJUnit) {
		return nil, errors.New("requires --format junit")
	}
	known, err := runs.Open(dir)
	if err != nil {
		return nil, err
	}
	outputs = slices.Clone(outputs)
	for i, o := range outputs {
		if isJUnit(o) {
			outputs[i].knownFailures = known
		}
	}
	return outputs, nil
}

// render renders the report in the output's format.
func (o Output) render(rep reports.Report, secrets *secret.Set) ([]byte, error) {
	rep.Known = o.knownFailures
	return render(o.format, rep, secrets)
}

// Formats returns the names of all report formats.
func Formats() []string { return NamesOf(reports.Formats()) }

// TableFormats returns the names of the formats for a few tables.
func TableFormats() []string { return NamesOf(reports.TableFormats()) }

// NamesOf returns the names of formats.
func NamesOf(formats []reports.Format) (names []string) {
	for _, f := range formats {
		names = append(names, string(f))
	}
	return names
}

// ParseFormats parses values of the form FORMAT[=PATH].
func ParseFormats(texts []string) ([]Output, error) {
	var list []Output
	for _, text := range texts {
		name, _, _ := strings.Cut(text, "=")
		if err := suggest.CheckWord("format", name, Formats()); err != nil {
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

// FormatsOf returns the formats of outputs.
func FormatsOf(outputs []Output) (list []reports.Format) {
	for _, o := range outputs {
		list = append(list, o.format)
	}
	return list
}

// CheckOutputs returns an error if an output file cannot be written, is used twice, or is one of
// the inputs. inputs are run directories and files. The returned outputs repeat the check for
// inputs when they are written.
func CheckOutputs(outputs []Output, inputs ...string) ([]Output, error) {
	outputs = slices.Clone(outputs)
	for i := range outputs {
		o := &outputs[i]
		if o.path == "" {
			continue
		}
		o.protected = inputs
		err := RefuseOverwrite(o.path, o.protected...)
		if err == nil && slices.ContainsFunc(outputs[:i],
			func(before Output) bool { return before.path != "" && isSamePlace(before.path, o.path) }) {
			err = errors.New("another report is written there")
		}
		if err == nil {
			err = checkWritable(o.path)
		}
		if err != nil {
			return nil, fmt.Errorf("--format %s=%s: %w", o.format, o.path, err)
		}
	}
	return outputs, nil
}

// checkOutputs checks the outputs before the run starts. Existing files other than inputs are
// replaced, and links are followed. The CI job summary is checked only if there are outputs.
func (p *Plan) checkOutputs(dir string, outputs []Output) ([]Output, error) {
	outputs, err := CheckOutputs(outputs, append(p.inputs(), dir)...)
	if err != nil {
		return nil, err
	}
	if path := stepSummary(); path != "" && len(outputs) > 0 {
		if err := checkWritable(path); err != nil {
			return nil, fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
		}
	}
	return outputs, nil
}

// inputs returns what the run reads: the files of its suites, and earlier runs.
func (p *Plan) inputs() (list []string) {
	for _, one := range p.suites {
		list = append(list, one.suite.Files()...)
		list = append(list, one.suite.FailedIn)
	}
	return slices.DeleteFunc(append(list, p.gateChecker.baseline), func(path string) bool { return path == "" })
}

// report writes all outputs, and the summary of the CI job if there is one. An output that fails
// does not stop the others.
func (r *Run) report(stdout io.Writer, sum eval.Summary, duration time.Duration, detail bool, ends error) error {
	rep := reports.Report{
		Summary:  sum,
		Dir:      r.Dir,
		Seed:     &r.manifest.Seed,
		Duration: duration,
		Detail:   detail,
		Notes:    r.manifest.Notes(),
		Exit:     new(exit.Code(ends)),
	}
	return reportRun(r.outputs, stdout, rep, r.plan.gateChecker.baseline, r.plan.secrets)
}

// reportRun reports on a run that has a directory. earlier is the baseline to compare with; "":
// none.
func reportRun(outputs []Output, stdout io.Writer, rep reports.Report, earlier string, secrets *secret.Set) error {
	rep.Baseline = earlier
	err := withTrials(&rep, outputs, earlier)
	if err != nil {
		err = fmt.Errorf("read the run again: %w", err)
		outputs = slices.DeleteFunc(slices.Clone(outputs), func(o Output) bool { return o.format.NeedsTrials() })
	}
	return errors.Join(err, addToStep(rep, secrets), Report(outputs, stdout, rep, secrets))
}

// withTrials opens the run and its baseline, if any, when an output needs single trials. A run
// without trials has nothing to read.
func withTrials(rep *reports.Report, outputs []Output, earlier string) (err error) {
	rep.Link = jobURL()
	needed := slices.ContainsFunc(outputs, func(o Output) bool { return o.format.NeedsTrials() }) ||
		stepSummary() != "" && earlier != ""
	if !needed || trialsOf(rep.Summary) == 0 {
		return nil
	}
	if rep.Run, err = runs.Open(rep.Dir); err == nil && earlier != "" {
		rep.BaselineRun, err = runs.Open(earlier)
	}
	if err != nil {
		return err
	}
	rep.Trials = reports.TrialsFor(*rep, FormatsOf(outputs)...)
	return rep.Run.Read(rep.Trials.Sinks()...)
}

func trialsOf(sum eval.Summary) (n int64) {
	for _, s := range sum.Suites {
		for _, c := range s.Conditions {
			n += c.Trials
		}
	}
	return n
}

// Report writes a report to files first, then to stdout. An output that fails does not stop the
// others.
func Report(outputs []Output, stdout io.Writer, rep reports.Report, secrets *secret.Set) error {
	texts, err := Files(outputs, stdout, rep, secrets)
	return errors.Join(err, Print(stdout, texts))
}

// PendingReport is a rendered report that was not printed yet.
type PendingReport struct {
	format reports.Format
	text   []byte
}

// Files writes the reports that have a path and returns those for stdout.
func Files(outputs []Output, stdout io.Writer, rep reports.Report, secrets *secret.Set) (texts []PendingReport,
	err error) {
	if rep.Summary, err = redactedSummary(rep.Summary, secrets); err != nil {
		return nil, err
	}
	errs := []error{writeFiles(outputs, rep, secrets)}
	rep.Width, rep.Color, rep.ASCII = terminal.Width(stdout), terminal.HasColor(stdout), !terminal.UTF8()
	for _, o := range outputs {
		if o.path != "" {
			continue
		}
		text, err := o.render(rep, secrets)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		texts = append(texts, PendingReport{format: o.format, text: text})
	}
	return texts, errors.Join(errs...)
}

// printGates prints only the gates.
func printGates(stdout io.Writer, rep reports.Report, secrets *secret.Set) (err error) {
	if rep.Summary, err = redactedSummary(rep.Summary, secrets); err != nil {
		return err
	}
	rep.Width, rep.Color, rep.ASCII = terminal.Width(stdout), terminal.HasColor(stdout), !terminal.UTF8()
	_, err = io.WriteString(stdout, secrets.Redact(string(reports.GatesScreen(rep))))
	return err
}

// writeFiles renders in parallel, as the HTML file takes as long as all others, and writes in
// order.
func writeFiles(outputs []Output, rep reports.Report, secrets *secret.Set) error {
	outputs = slices.DeleteFunc(slices.Clone(outputs), func(o Output) bool { return o.path == "" })
	texts, errs := make([][]byte, len(outputs)), make([]error, len(outputs))
	all, _ := clock.NewGroup(context.Background(), runtime.GOMAXPROCS(0))
	for i, o := range outputs {
		all.Go("render a report", func(context.Context) error {
			texts[i], errs[i] = o.render(rep, secrets)
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	for i, o := range outputs {
		if errs[i] == nil {
			errs[i] = RefuseOverwrite(o.path, o.protected...) // links may have changed since CheckOutputs
		}
		if errs[i] == nil {
			errs[i] = file.WriteAtomic(o.path, texts[i])
		}
		if errs[i] != nil {
			errs[i] = fmt.Errorf("--format %s=%s: %w", o.format, o.path, errs[i])
		}
	}
	return errors.Join(errs...)
}

// Print prints rendered reports. They are safe for a terminal.
func Print(stdout io.Writer, texts []PendingReport) error {
	var errs []error
	for _, t := range texts {
		to := stdout
		if t.format == reports.JSON {
			to = terminal.RawWriter(stdout)
		}
		_, err := terminal.StyledWriter(to).Write(t.text)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// showsGates reports whether the output on stdout shows the failed gates.
func (r *Run) showsGates() bool {
	return slices.ContainsFunc(r.outputs, func(o Output) bool {
		return o.path == "" && (o.format == reports.Table || o.format == reports.Markdown)
	})
}

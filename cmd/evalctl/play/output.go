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

// Output is a report format and the file to write the report to. Without a file, the report goes to
// stdout.
type Output struct {
	format    reports.Format
	path      string
	protected []string // run directories and files that this output must not overwrite
	// only for JUnit: cases that are wrong in this run too do not count as failures; nil: all wrong
	// cases count
	knownFailures *runs.Run
	failuresOnly  bool // only for JUnit: passed cases are not listed
}

// JUnitOptions selects the cases that JUnit outputs report.
type JUnitOptions struct {
	Baseline   string // directory of a run: cases that were already wrong in it are skipped; "": none
	CaseFilter string // one of JUnitCaseFilters; "": all
}

// Values of JUnitOptions.CaseFilter.
const (
	allCases     = "all"
	failingCases = "failures"
)

// JUnitCaseFilters lists the values of JUnitOptions.CaseFilter.
func JUnitCaseFilters() []string { return []string{allCases, failingCases} }

// IsZero reports whether no option is set.
func (j JUnitOptions) IsZero() bool { return j == JUnitOptions{} }

// Apply applies the options to the JUnit outputs. Without a JUnit output, it returns an error.
func (j JUnitOptions) Apply(outputs []Output) ([]Output, error) {
	isJUnit := func(o Output) bool { return o.format == reports.JUnit }
	if j.IsZero() {
		return outputs, nil
	}
	if !slices.ContainsFunc(outputs, isJUnit) {
		return nil, errors.New("requires --format junit")
	}
	var known *runs.Run
	if j.Baseline != "" {
		var err error
		if known, err = runs.Open(j.Baseline); err != nil {
			return nil, err
		}
	}
	outputs = slices.Clone(outputs)
	for i, o := range outputs {
		if isJUnit(o) {
			outputs[i].knownFailures, outputs[i].failuresOnly = known, j.CaseFilter == failingCases
		}
	}
	return outputs, nil
}

func (o Output) render(rep reports.Report, secrets *secret.Set) ([]byte, error) {
	rep.KnownFailuresRun, rep.JUnitFailuresOnly = o.knownFailures, o.failuresOnly
	return render(o.format, rep, secrets)
}

// Formats returns the names of all report formats.
func Formats() []string { return FormatNames(reports.Formats()) }

// TableFormats returns the names of the formats for commands whose report consists only of tables.
func TableFormats() []string { return FormatNames(reports.TableFormats()) }

// FormatNames returns the formats as strings.
func FormatNames(formats []reports.Format) (names []string) {
	for _, f := range formats {
		names = append(names, string(f))
	}
	return names
}

// ParseFormats parses the values of --format, which have the form FORMAT or FORMAT=PATH.
func ParseFormats(texts []string) ([]Output, error) {
	var list []Output
	for _, text := range texts {
		name, _, _ := strings.Cut(text, "=")
		if err := suggest.CheckKnown("format", name, Formats()); err != nil {
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

// FormatsOf returns the format of each output.
func FormatsOf(outputs []Output) (list []reports.Format) {
	for _, o := range outputs {
		list = append(list, o.format)
	}
	return list
}

// CheckOutputs returns an error if an output file cannot be written, is used twice, or would
// overwrite an input. inputs are run directories and files. The returned outputs repeat the last
// check when they are written.
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

// checkOutputs checks before the run that outputs and the job summary can be written.
func (p *Plan) checkOutputs(dir string, outputs []Output) ([]Output, error) {
	outputs, err := CheckOutputs(outputs, append(p.inputs(), dir)...)
	if err != nil {
		return nil, err
	}
	if path := jobSummaryPath(); path != "" && len(outputs) > 0 {
		if err := checkWritable(path); err != nil {
			return nil, fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
		}
	}
	return outputs, nil
}

// inputs returns the paths that the run reads: files of the suites, and earlier runs.
func (p *Plan) inputs() (list []string) {
	for _, one := range p.suites {
		list = append(list, one.suite.Files()...)
		list = append(list, one.suite.OnlyFailedIn)
	}
	return slices.DeleteFunc(append(list, p.gateChecker.baseline), func(path string) bool { return path == "" })
}

// report writes the report on the finished run to all outputs, even if some of them fail.
func (r *Run) report(stdout io.Writer, sum eval.Summary, duration time.Duration, detail bool, ends error) error {
	rep := reports.Report{
		Summary:  sum,
		Dir:      r.Dir,
		Seed:     &r.manifest.Seed,
		Duration: duration,
		ShowAll:  detail,
		Notes:    r.manifest.Notes(),
		ExitCode: new(exit.Code(ends)),
	}
	return reportRun(r.outputs, stdout, rep, r.plan.gateChecker.baseline, r.plan.secrets)
}

// reportRun writes the report on a run to all outputs. earlier is the path of the baseline run; "":
// none.
func reportRun(outputs []Output, stdout io.Writer, rep reports.Report, earlier string, secrets *secret.Set) error {
	rep.BaselinePath = earlier
	err := withTrials(&rep, outputs, earlier)
	if err != nil {
		err = fmt.Errorf("read the run again: %w", err)
		outputs = slices.DeleteFunc(slices.Clone(outputs), func(o Output) bool { return o.format.NeedsTrials() })
	}
	return errors.Join(err, addToJobSummary(rep, secrets), WriteReports(outputs, stdout, rep, secrets))
}

// withTrials reads the results of the run and the baseline run if an output shows single trials.
func withTrials(rep *reports.Report, outputs []Output, earlier string) (err error) {
	rep.ResultsURL = jobURL()
	needed := slices.ContainsFunc(outputs, func(o Output) bool { return o.format.NeedsTrials() }) ||
		jobSummaryPath() != "" && earlier != ""
	if !needed || trialsOf(rep.Summary) == 0 {
		return nil
	}
	if rep.Run, err = runs.Open(rep.Dir); err == nil && earlier != "" {
		rep.BaselineRun, err = runs.Open(earlier)
	}
	if err != nil {
		return err
	}
	rep.Trials = reports.NewTrialCollector(*rep, FormatsOf(outputs)...)
	return rep.Run.ReadInto(rep.Trials.Sinks()...)
}

func trialsOf(sum eval.Summary) (n int64) {
	for _, s := range sum.Suites {
		for _, c := range s.Conditions {
			n += c.Trials
		}
	}
	return n
}

// WriteReports writes a report to all outputs: first to files, then to stdout. If one output fails,
// the others are still written.
func WriteReports(outputs []Output, stdout io.Writer, rep reports.Report, secrets *secret.Set) error {
	texts, err := WriteReportFiles(outputs, stdout, rep, secrets)
	return errors.Join(err, PrintReports(stdout, texts))
}

// PendingReport is a report that is rendered and not yet printed.
type PendingReport struct {
	format reports.Format
	text   []byte
}

// WriteReportFiles writes the report to the outputs that have a path. It renders the outputs for
// stdout and returns them for PrintReports.
func WriteReportFiles(outputs []Output, stdout io.Writer, rep reports.Report,
	secrets *secret.Set) (texts []PendingReport,
	err error) {
	if rep.Summary, err = redactedSummary(rep.Summary, secrets); err != nil {
		return nil, err
	}
	errs := []error{writeFiles(outputs, rep, secrets)}
	rep.Width, rep.Color, rep.ASCII = terminal.Width(stdout), terminal.HasColor(stdout), !terminal.IsUTF8()
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

// printGates prints only the gate verdicts of a report.
func printGates(stdout io.Writer, rep reports.Report, secrets *secret.Set) (err error) {
	if rep.Summary, err = redactedSummary(rep.Summary, secrets); err != nil {
		return err
	}
	rep.Width, rep.Color, rep.ASCII = terminal.Width(stdout), terminal.HasColor(stdout), !terminal.IsUTF8()
	text, err := reports.RenderGates(rep)
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, secrets.Redact(string(text)))
	return err
}

// writeFiles renders the outputs in parallel and writes them. HTML alone takes as long to render as
// all other formats.
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
			errs[i] = RefuseOverwrite(o.path, o.protected...) // symbolic links may have changed since CheckOutputs
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

// PrintReports prints reports that WriteReportFiles has rendered. JSON is printed unchanged if
// stdout is not a terminal.
func PrintReports(stdout io.Writer, texts []PendingReport) error {
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

// showsGates reports whether an output on stdout shows failed gates.
func (r *Run) showsGates() bool {
	return slices.ContainsFunc(r.outputs, func(o Output) bool {
		return o.path == "" && (o.format == reports.Table || o.format == reports.Markdown)
	})
}

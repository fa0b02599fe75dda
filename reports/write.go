package reports

import (
	"bytes"
	"fmt"
	"io"

	"evalctl/reports/document"
	"evalctl/reports/export"
)

// Write renders the report in the given format. It calls w.Write once, after rendering, so an error
// while rendering leaves no partial report.
func Write(w io.Writer, format Format, r Report) error {
	text, err := render(format, r)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s report: %w", format, err)
	}
	return nil
}

func render(format Format, r Report) ([]byte, error) {
	of, ok := formatNamed(format)
	switch {
	case !ok:
		return nil, unknown(string(format))
	case r.View != "":
		return renderView(format, r)
	case of.run != nil:
		return of.run(r)
	}
	return r.screen().render(format, r.Options)
}

// screen returns the report of the whole run.
func (r Report) screen() screen {
	width := defaultWidth
	if r.ShowAll {
		width = 0
	}
	return screen{noun: "report", width: width, layOut: r.document}
}

func (r Report) document(to document.Target) document.Document {
	d := document.Document{
		Source:  r.command(),
		Partial: r.Summary.Partial,
		Data:    r.Summary,
		Rows:    metricRows(r.Summary),
	}
	switch {
	case !to.Terminal:
		d.Blocks = pageBlocks(r)
	case r.ShowAll:
		d.Blocks = reportBlocks(r)
	default:
		d.Blocks = screenBlocks(r, to.Width)
	}
	return d
}

// command returns what the first line of a LaTeX file contains: the command that renders the report,
// and the version of evalctl that wrote the run.
func (r Report) command() string {
	text := "evalctl report"
	if r.Dir != "" {
		text += " " + r.Dir
	}
	if r.Run != nil && r.Run.Manifest.Version != "" {
		text += ", run with evalctl " + r.Run.Manifest.Version
	}
	return text
}

// exported returns a function that renders the report of a run for a CI service.
func exported(write func(io.Writer, export.Report) error) func(Report) ([]byte, error) {
	return func(r Report) ([]byte, error) {
		var out bytes.Buffer
		err := write(&out, export.Report{
			Summary:          r.Summary,
			Run:              r.Run,
			Trials:           r.Trials.ciTrials(),
			BaselineRun:      r.BaselineRun,
			KnownFailuresRun: r.KnownFailuresRun,
			FailuresOnly:     r.JUnitFailuresOnly,
		})
		return out.Bytes(), err
	}
}

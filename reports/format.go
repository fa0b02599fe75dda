package reports

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"evalctl/reports/document"
	"evalctl/reports/export"
	htmlpage "evalctl/reports/page"
)

// Format is an output format of a report.
type Format string

const (
	Table    Format = "table"    // text for terminals
	Markdown Format = "markdown" // Markdown page with folded sections
	JSON     Format = "json"     // the summary, or the data of an analysis
	CSV      Format = "csv"      // one row for each metric
	CSVWide  Format = "csv-wide" // one row for each condition
	LaTeX    Format = "latex"    // tables for a paper
	HTML     Format = "html"     // a single HTML file that works without a server
	Comment  Format = "comment"  // Markdown for a pull request comment, at most 60 lines
)

// Formats that CI services read. They are available only for the report of a run.
const (
	JUnit  Format = "junit"  // JUnit XML
	GitHub Format = "github" // GitHub workflow annotations, which a workflow step prints to its log
	GitLab Format = "gitlab" // metrics as OpenMetrics text, for a GitLab metrics report
	Badge  Format = "badge"  // badge as SVG
)

// formatInfo describes an output format.
type formatInfo struct {
	name        Format
	needsTrials bool // shows single trials, so that [Report.Run] must be set
	// renders any document; nil: the format exists only for the report of a run
	document func(document.Document, document.Options) ([]byte, error)
	run      func(Report) ([]byte, error) // renders the report of a run; nil: as a document
}

// formats declares all output formats, in the order in which messages list them.
func formats() []formatInfo {
	return []formatInfo{
		{name: Table, document: document.Text},
		{name: Markdown, document: document.Markdown},
		{name: JSON, document: document.JSON},
		{name: CSV, document: document.CSV},
		{name: CSVWide, run: wideCSV},
		{name: LaTeX, document: document.LaTeX},
		{name: HTML, run: html, needsTrials: true},
		{name: Comment, run: pullRequestComment, needsTrials: true},
		{name: JUnit, run: exported(export.WriteJUnit), needsTrials: true},
		{name: GitHub, run: exported(export.WriteGitHub), needsTrials: true},
		{name: GitLab, run: exported(export.WriteGitLab)},
		{name: Badge, run: exported(export.WriteBadge)},
	}
}

func formatNamed(name Format) (formatInfo, bool) {
	list := formats()
	i := slices.IndexFunc(list, func(f formatInfo) bool { return f.name == name })
	if i < 0 {
		return formatInfo{}, false
	}
	return list[i], true
}

// Formats lists all output formats.
func Formats() (names []Format) {
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// TableFormats lists the formats of comparisons, curves and other reports that consist of tables.
func TableFormats() (names []Format) {
	for _, f := range formats() {
		if f.document != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// NeedsTrials reports whether the format shows single trials, so that [Report.Run] must be set.
func (f Format) NeedsTrials() bool {
	of, _ := formatNamed(f)
	return of.needsTrials
}

// ParseFormat parses the value of --format, which is FORMAT or FORMAT=PATH. The path is "" for
// stdout.
func ParseFormat(text string) (format Format, path string, err error) {
	name, path, toFile := strings.Cut(text, "=")
	if !slices.Contains(Formats(), Format(name)) {
		return "", "", unknown(name)
	}
	if toFile && path == "" {
		return "", "", fmt.Errorf("format %q: no path after the =", text)
	}
	if path == "-" {
		path = "" // "-" means stdout
	}
	return Format(name), path, nil
}

func unknown(name string) error {
	return fmt.Errorf("unknown format %q: want one of %s", name, oneOf(Formats()))
}

func oneOf(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// screen is a report for which every format is rendered from a document.
type screen struct {
	noun   string                                  // names the report in errors
	width  int                                     // default width of a line in columns; 0: unlimited
	layOut func(document.Target) document.Document // returns the document for a target
}

// write renders the report in the given format. It calls w.Write once, after rendering, so an error
// while rendering leaves no partial report.
func (s screen) write(w io.Writer, format Format, o document.Options) error {
	text, err := s.render(format, o)
	return writeOnce(w, text, err, string(format)+" "+s.noun)
}

// writeOnce writes a rendered report unless rendering failed.
func writeOnce(w io.Writer, text []byte, err error, what string) error {
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	return nil
}

func (s screen) render(format Format, o document.Options) ([]byte, error) {
	of, ok := formatNamed(format)
	switch {
	case !ok:
		return nil, unknown(string(format))
	case of.document == nil:
		return nil, s.unsupported(format, TableFormats())
	}
	to := document.PageTarget
	if format == Table {
		o.Width = cmp.Or(o.Width, s.width)
		to = document.Target{Width: document.LineWidth(o.Width), Terminal: true}
	}
	text, err := of.document(s.layOut(to), o)
	if errors.Is(err, document.ErrNoRows) {
		return nil, s.unsupported(format, slices.DeleteFunc(TableFormats(), func(f Format) bool { return f == format }))
	}
	return text, err
}

// unsupported returns the error for a format that the report does not support.
func (s screen) unsupported(format Format, supported []Format) error {
	return fmt.Errorf("format %s shows no %s: want one of %s", format, s.noun, oneOf(supported))
}

// Write renders the report in the given format. It calls w.Write once, after rendering, so an error
// while rendering leaves no partial report.
func Write(w io.Writer, format Format, r Report) error {
	text, err := render(format, r)
	return writeOnce(w, text, err, string(format)+" report")
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
		Rows:    func() *document.Table { return metricRows(r.Summary) },
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

// logWriteInfo logs what the HTML file contains, and what it omits because of the size limit.
func (r Report) logWriteInfo(info htmlpage.WriteInfo) {
	if r.Log == nil || r.Run == nil {
		return
	}
	r.Log(fmt.Sprintf("html: the file contains the texts of all cases and the full trace of %s of %s",
		thousands(info.Traced), plural(info.Trials, "trial")))
	if info.BytesOverLimit > 0 {
		r.Log(fmt.Sprintf("html: the file has %s bytes, %s over the limit, even without traces", thousands(info.Bytes),
			thousands(info.BytesOverLimit)))
	}
	for _, note := range info.Notes {
		r.Log("html: " + clean(note))
	}
}

// wideCSV renders the report as CSV with one row for each condition.
func wideCSV(r Report) ([]byte, error) {
	rows := func() *document.Table { return conditionRows(r.Summary) }
	return document.CSV(document.Document{Rows: rows}, document.Options{})
}

package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/reports/document"
	"evalctl/reports/export"
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
	document func(screen, document.Options) ([]byte, error)
	run      func(Report) ([]byte, error) // renders the report of a run; nil: as a document
}

// formats declares all output formats, in the order in which messages list them.
func formats() []formatInfo {
	return []formatInfo{
		{name: Table, document: screen.text},
		{name: Markdown, document: screen.markdown},
		{name: JSON, document: screen.json},
		{name: CSV, document: screen.csv},
		{name: CSVWide, run: func(r Report) ([]byte, error) { return document.CSV(*conditionRows(r.Summary)) }},
		{name: LaTeX, document: screen.latex},
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

// unsupportedFormat returns the error for a format that a kind of report, such as a comparison,
// does not support.
func unsupportedFormat(format Format, what string) error {
	return fmt.Errorf("format %s shows no %s: want one of %s", format, what, oneOf(TableFormats()))
}

func oneOf(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

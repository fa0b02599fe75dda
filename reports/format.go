package reports

import (
	"fmt"
	"slices"
	"strings"
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

// Formats lists all output formats.
func Formats() []Format {
	return []Format{Table, Markdown, JSON, CSV, CSVWide, LaTeX, HTML, Comment, JUnit, GitHub, GitLab, Badge}
}

// TableFormats lists the formats of comparisons, curves and other reports that consist of tables.
func TableFormats() []Format { return []Format{Table, Markdown, JSON, CSV, LaTeX} }

// ViewFormats lists the formats that a report of a single [View] supports.
func ViewFormats() []Format { return []Format{Table, Markdown, JSON, CSV, CSVWide, LaTeX} }

// NeedsTrials reports whether the format shows single trials, so that [Report.Run] must be set.
func (f Format) NeedsTrials() bool { return f == HTML || f == JUnit || f == GitHub || f == Comment }

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
	if !slices.Contains(Formats(), format) {
		return unknown(string(format))
	}
	return fmt.Errorf("format %s shows no %s: want one of %s", format, what, oneOf(TableFormats()))
}

func oneOf(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

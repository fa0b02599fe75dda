package reports

import (
	"fmt"
	"slices"
	"strings"
)

// Format is a way to render a report.
type Format string

const (
	Table    Format = "table"
	Markdown Format = "markdown"
	JSON     Format = "json"
	CSV      Format = "csv"      // a metric a row
	CSVWide  Format = "csv-wide" // a cell a row
	LaTeX    Format = "latex"
	HTML     Format = "html"    // one file for a browser
	Comment  Format = "comment" // Markdown for a pull request, at most CommentLines lines
)

// Of a run only, for services that run it.
const (
	JUnit  Format = "junit"  // XML
	GitHub Format = "github" // annotations, to be printed
	GitLab Format = "gitlab" // metrics as OpenMetrics text
	Badge  Format = "badge"  // SVG
)

// Formats lists all of them.
func Formats() []Format {
	return []Format{Table, Markdown, JSON, CSV, CSVWide, LaTeX, HTML, Comment, JUnit, GitHub, GitLab, Badge}
}

// TableFormats are those of what is a few tables: of comparisons, curves and the like.
func TableFormats() []Format { return []Format{Table, Markdown, JSON, CSV, LaTeX} }

// ViewFormats are those of one side of a run alone.
func ViewFormats() []Format { return []Format{Table, Markdown, JSON, CSV, CSVWide, LaTeX} }

// NeedsTrials tells a format that is made of [Report.Run], and not of the summary alone.
func (f Format) NeedsTrials() bool { return f == HTML || f == JUnit || f == GitHub || f == Comment }

// ParseFormat reads FORMAT or FORMAT=PATH; path is "" for the former.
func ParseFormat(text string) (format Format, path string, err error) {
	name, path, toFile := strings.Cut(text, "=")
	if !slices.Contains(Formats(), Format(name)) {
		return "", "", unknown(name)
	}
	if toFile && path == "" {
		return "", "", fmt.Errorf("format %q: no path after the =", text)
	}
	if path == "-" {
		path = "" // stdout
	}
	return Format(name), path, nil
}

func unknown(name string) error {
	return fmt.Errorf("unknown format %q: want one of %s", name, oneOf(Formats()))
}

// unfit refuses a format that shows less, or more, than is there.
func unfit(format Format, what string) error {
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

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
	HTML     Format = "html" // one file for a browser
)

// Formats lists all of them.
func Formats() []Format { return []Format{Table, Markdown, JSON, CSV, CSVWide, LaTeX, HTML} }

// TableFormats are those of what is a few tables: of comparisons, curves and the like.
func TableFormats() []Format { return []Format{Table, Markdown, JSON, CSV, LaTeX} }

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
	names := make([]string, len(Formats()))
	for i, f := range Formats() {
		names[i] = string(f)
	}
	return fmt.Errorf("unknown format %q: want one of %s", name, strings.Join(names, ", "))
}

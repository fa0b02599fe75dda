// Package page writes a run's report as one HTML file: figures and tables that stand
// without a script, the data of its cases, and a script that shows these. The file asks
// nothing of the network, and equal runs have equal files.
package page

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"

	"evalctl/eval"
	"evalctl/eval/runs"
	"evalctl/reports/page/figure"
	"evalctl/reports/visible"
)

// Page is what a file is made of.
type Page struct {
	Summary eval.Summary
	Title   string    // "": the run's folder
	Dir     string    // of the run, for commands; "": nowhere
	Notes   []string  // what stands above the figures, one remark each
	Run     *runs.Run // its results and traces; nil: figures alone
	Earlier *runs.Run // the run that it is held against; nil: none
	Size    int64     // most bytes; 0: 3,000,000
	Live    string    // where a server has what the file has not; "": nowhere
}

// Told is what there is to be told of a file that was written.
type Told struct {
	Traced, Trials int64 // those with their full trace, of all
	Bytes          int64
	Over           bool // without any trace it is more than it may be
}

// usualSize is that of a file that nobody has set.
const usualSize = 3_000_000

//go:embed *.gohtml
var files embed.FS

var templates = template.Must(template.New("").Funcs(figure.Words()).ParseFS(files, "*.gohtml"))

// Write writes the file.
func Write(w io.Writer, p Page) (Told, error) {
	p.Size = cmp.Or(p.Size, usualSize)
	view, err := newView(p)
	if err != nil {
		return Told{}, err
	}
	var head bytes.Buffer
	if err := templates.ExecuteTemplate(&head, "page", view); err != nil {
		return Told{}, fmt.Errorf("page: %w", err)
	}
	text := visible.Lines(head.String())
	n, err := io.WriteString(w, text)
	told := Told{Trials: view.trials, Bytes: int64(n), Over: int64(n) > p.Size}
	if err != nil {
		return told, fmt.Errorf("write page: %w", err)
	}
	return told, nil
}

// Package page writes a run's report as one HTML file: figures and tables that stand
// without a script, the data of its cases, and a script that shows these. The file asks
// nothing of the network, and equal runs have equal files.
package page

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"evalctl/eval"
	"evalctl/eval/runs"
	"evalctl/reports/page/figure"
	"evalctl/reports/page/pack"
	"evalctl/reports/visible"
)

// Page is what a file is made of.
type Page struct {
	Summary     eval.Summary
	Title       string    // "": the run's folder
	Dir         string    // of the run, for commands; "": nowhere
	Notes       []string  // what stands above the figures, one remark each
	Run         *runs.Run // its results and traces; nil: figures alone
	Trials      *Trials   // of the run, where its results are read for others, too; nil: it is read. They are good for one page
	BaselineRun *runs.Run // the run that it is held against; nil: none
	Size        int64     // most bytes; 0: 3,000,000
	TraceURL    string    // where a server has what the file has not; "": nowhere
	ProgressURL string    // where the server tells how far the run is; "": it is not followed
	Home        string    // where the server lists its runs; "": it is no server's
}

// WriteInfo is what there is to be told of a file that was written.
type WriteInfo struct {
	Traced, Trials int64    // those with their full trace, of all that the file holds
	Bytes          int64    // of the file
	BytesOverLimit int64    // bytes more than it may have; 0: none
	Notes          []string // what could not be read or compared, one remark each
	Policy         string   // that the file states: what it may do
}

//go:embed *.gohtml
var files embed.FS

var templates = template.Must(template.New("").Funcs(figure.Words()).ParseFS(files, "*.gohtml"))

// Write writes the file.
func Write(w io.Writer, p Page) (WriteInfo, error) {
	p.Size = cmp.Or(p.Size, pack.DefaultBudget)
	f, told, err := build(p)
	if err != nil {
		return told, err
	}
	for _, text := range []string{f.head, f.foot} {
		if _, err := io.WriteString(w, text); err != nil {
			return told, fmt.Errorf("write page: %w", err)
		}
	}
	if _, err := f.data.WriteTo(w); err != nil {
		return told, fmt.Errorf("write page: %w", err)
	}
	if _, err := io.WriteString(w, f.end); err != nil {
		return told, fmt.Errorf("write page: %w", err)
	}
	return told, nil
}

// file is the page in pieces.
type file struct {
	head, foot, end string
	data            pack.Packed
}

func build(p Page) (f file, told WriteInfo, err error) {
	d, err := collect(p)
	if err != nil {
		return f, told, err
	}
	v, err := newView(p, d)
	if err != nil {
		return f, told, err
	}
	if f.head, err = render("page", v); err != nil {
		return f, told, err
	}
	if f.end, err = render("end", v); err != nil {
		return f, told, err
	}
	if d.packer != nil {
		if f.foot, err = render("foot", v.traced(v.trials, v.trials)); err != nil {
			return f, told, err
		}
		if f.data, err = packed(d.packer, p.Run, int64(len(f.head)+len(f.foot)+len(f.end))); err != nil {
			return f, told, err
		}
		v = v.traced(f.data.Traced, f.data.Trials)
	}
	f.foot, err = render("foot", v)
	told = WriteInfo{Traced: f.data.Traced, Trials: f.data.Trials, Bytes: int64(len(f.head)+len(f.foot)+len(f.end)) + f.data.Size(), Notes: append(f.data.Notes, d.refusals(p.Summary.Suites)...), Policy: v.Policy}
	told.BytesOverLimit = max(0, told.Bytes-p.Size)
	return f, told, err
}

// render is one of the templates, with all that steers made visible: no text comes into
// the page another way.
func render(name string, v any) (string, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, v); err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return visible.EscapeMultiline(b.String()), nil
}

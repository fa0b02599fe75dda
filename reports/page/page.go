// Package page writes the report of a run as one HTML file. It contains figures and tables that
// require no script, the data of the cases, and a script that shows them. The file sends no network
// requests, and equal runs produce equal files.
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

// Page is the input of a report page.
type Page struct {
	Summary     eval.Summary
	Title       string    // "": the directory of the run
	Dir         string    // directory of the run, for commands; "": none
	Notes       []string  // lines above the figures
	Run         *runs.Run // results and traces; nil: figures only
	Trials      *Trials   // trials that are already collected from Run, for one page only; nil: Write reads the results
	BaselineRun *runs.Run // the run that this one is compared with; nil: none
	Size        int64     // maximum size in bytes; 0: 3,000,000
	TraceURL    string    // server URL for traces that the file does not contain; "": none
	ProgressURL string    // server URL for the progress of the run; "": the page is static
	Home        string    // server URL of the list of runs; "": not served
}

// WriteInfo describes a page that was written.
type WriteInfo struct {
	Traced, Trials int64    // trials with a full trace, and all trials in the file
	Bytes          int64    // size of the file
	BytesOverLimit int64    // bytes over the limit; 0: within the limit
	Notes          []string // what could not be read or compared
	Policy         string   // content security policy in the file
}

//go:embed *.gohtml
var files embed.FS

var templates = template.Must(template.New("").Funcs(figure.Words()).ParseFS(files, "*.gohtml"))

// Write writes the page to w.
func Write(w io.Writer, p Page) (WriteInfo, error) {
	p.Size = cmp.Or(p.Size, pack.DefaultBudget)
	f, info, err := build(p)
	if err != nil {
		return info, err
	}
	for _, text := range []string{f.head, f.foot} {
		if _, err := io.WriteString(w, text); err != nil {
			return info, fmt.Errorf("write page: %w", err)
		}
	}
	if _, err := f.data.WriteTo(w); err != nil {
		return info, fmt.Errorf("write page: %w", err)
	}
	if _, err := io.WriteString(w, f.end); err != nil {
		return info, fmt.Errorf("write page: %w", err)
	}
	return info, nil
}

// file is a rendered page in parts.
type file struct {
	head, foot, end string
	data            pack.Packed
}

func build(p Page) (f file, info WriteInfo, err error) {
	d, err := collect(p)
	if err != nil {
		return f, info, err
	}
	v, err := newView(p, d)
	if err != nil {
		return f, info, err
	}
	if f.head, err = render("page", v); err != nil {
		return f, info, err
	}
	if f.end, err = render("end", v); err != nil {
		return f, info, err
	}
	if d.packer != nil {
		if f.foot, err = render("foot", v.traced(v.trials, v.trials)); err != nil {
			return f, info, err
		}
		if f.data, err = packData(d.packer, p.Run, int64(len(f.head)+len(f.foot)+len(f.end))); err != nil {
			return f, info, err
		}
		v = v.traced(f.data.Traced, f.data.Trials)
	}
	f.foot, err = render("foot", v)
	info = WriteInfo{
		Traced: f.data.Traced,
		Trials: f.data.Trials,
		Bytes:  int64(len(f.head)+len(f.foot)+len(f.end)) + f.data.Size(),
		Notes:  append(f.data.Notes, d.notCompared(p.Summary.Suites)...),
		Policy: v.Policy,
	}
	info.BytesOverLimit = max(0, info.Bytes-p.Size)
	return f, info, err
}

// render executes a template and makes control characters visible. All texts enter the page through
// render.
func render(name string, v any) (string, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, v); err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return visible.EscapeMultiline(b.String()), nil
}

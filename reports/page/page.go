// Package page writes the report of a run as one HTML file. It contains figures and tables that
// require no script, the data of the cases, and a script that shows these data. The file sends no
// network requests, and equal runs produce equal files.
package page

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/runs"
)

// Page contains the data and the settings of a report page.
type Page struct {
	Summary eval.Summary
	Title   string    // title of the page; "": the directory of the run
	Dir     string    // directory of the run, for the commands that the page shows; "": none
	Notes   []string  // additional lines above the figures
	Run     *runs.Run // results and traces of the run; nil: the page has figures but no cases
	// trials that were collected while Run was read, usable once; nil: Write reads the results
	Trials      *TrialCollector
	BaselineRun *runs.Run // earlier run that this run is compared with; nil: none
	MaxBytes    int64     // maximum size of the file in bytes; 0: 3,000,000
	TraceURL    string    // URL from which the page requests traces that it does not contain; "": none
	// URL of the progress events of a run that is still running; "": the page does not update
	ProgressURL string
	RunListURL  string // URL of the list of runs on the server; "": the page is a file, not served
}

// WriteInfo describes a page after it was written.
type WriteInfo struct {
	Traced, Trials        int64    // number of trials with a full trace, and of all trials in the file
	Bytes                 int64    // size of the file in bytes
	BytesOverLimit        int64    // how many bytes the file exceeds the maximum size; 0: it does not
	Notes                 []string // traces that could not be read, and suites that could not be compared
	ContentSecurityPolicy string   // content security policy, to be sent as an HTTP header as well
}

//go:embed *.gohtml
var files embed.FS

var templates = template.Must(template.New("").Funcs(templateFuncs()).ParseFS(files, "*.gohtml"))

// Write writes the page to w and returns what it contains.
func Write(w io.Writer, p Page) (WriteInfo, error) {
	p.MaxBytes = cmp.Or(p.MaxBytes, DefaultMaxBytes)
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

// file is a rendered page, in the parts that are written one after the other.
type file struct {
	head, foot, end string
	data            Packed
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
		Traced:                f.data.Traced,
		Trials:                f.data.Trials,
		Bytes:                 int64(len(f.head)+len(f.foot)+len(f.end)) + f.data.Size(),
		Notes:                 append(f.data.Notes, d.notCompared(p.Summary.Suites)...),
		ContentSecurityPolicy: v.Policy,
	}
	info.BytesOverLimit = max(0, info.Bytes-p.MaxBytes)
	return f, info, err
}

// render executes a template and makes control characters visible. All texts of a page are rendered
// by it, so none can contain control characters.
func render(name string, v any) (string, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, v); err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return text.EscapeMultiline(b.String()), nil
}

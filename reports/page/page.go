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
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
)

// Page contains the data and the settings of a report page.
type Page struct {
	Title string // title of the page; "": the directory of the run
	Dir   string // directory of the run, for the commands that the page shows; "": none
	// views before and after the list of cases in the navigation; the first one is shown first
	Views, LastViews []View
	Notes            []string        // additional lines at the top of the first view
	Partial          string          // why the numbers are incomplete; "": they are complete
	Run              *runs.Run       // results and traces of the run; nil: the page has figures but no cases
	Trials           *TrialCollector // trials of Run, usable once; nil: none
	MaxBytes         int64           // maximum size of the file in bytes; 0: 3,000,000
	Server           Server          // zero: the page is a file
}

// Server contains the addresses on the server of a page that is not a file.
type Server struct {
	TraceURL string // URL from which the page requests traces that it does not contain; "": none
	// URL of the progress events of a run that is still running; "": the page does not update
	ProgressURL string
	RunListURL  string // URL of the list of runs; "": the page is a file
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
	v, err := newShell(p)
	if err != nil {
		return f, info, err
	}
	if f.head, err = render("page", v); err != nil {
		return f, info, err
	}
	if f.end, err = render("end", v); err != nil {
		return f, info, err
	}
	if p.Trials != nil {
		if f.foot, err = render("foot", v.traced(p.Trials.count, p.Trials.count)); err != nil {
			return f, info, err
		}
		f.data, err = packData(p.Trials.packer, p.Run, int64(len(f.head)+len(f.foot)+len(f.end)))
		if err != nil {
			return f, info, err
		}
		v = v.traced(f.data.Traced, f.data.Trials)
	}
	f.foot, err = render("foot", v)
	info = WriteInfo{
		Traced:                f.data.Traced,
		Trials:                f.data.Trials,
		Bytes:                 int64(len(f.head)+len(f.foot)+len(f.end)) + f.data.Size(),
		Notes:                 f.data.Notes,
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

// shell contains the data of the page template.
type shell struct {
	Page
	Traces, Policy string
	Style, Script  code
	Early          code   // script before the body; "": none
	Cases          string // URL of the list of cases; "": the page contains no cases
}

// shownView is a view with the lines that only the first view has.
type shownView struct {
	View
	Partial string
	Notes   []string
	Follow  *follow
}

// follow contains the data of the script that follows a run in progress.
type follow struct {
	URL    string
	Trials int64 // trials that the page shows
}

func newShell(p Page) (shell, error) {
	css, err := style()
	if err != nil {
		return shell{}, err
	}
	p.Title = cmp.Or(p.Title, p.Dir, "evalctl run")
	v := shell{Page: p, Style: code{css}}
	if p.Trials != nil {
		v.Script, v.Early, v.Cases = code{Script()}, code{earlyScript}, CasesLink{}.String()
	}
	if p.Server.ProgressURL != "" {
		v.Script.text += followScript
	}
	scripts := slices.DeleteFunc([]code{v.Early, v.Script}, func(c code) bool { return c.text == "" })
	v.Policy = policy(v.Style, scripts, p.Server.RunListURL != "")
	return v, nil
}

// Home returns the URL of the list of runs; "" for a file.
func (v shell) Home() string { return v.Server.RunListURL }

// IsRunList reports whether the page is the list of runs.
func (v shell) IsRunList() bool { return len(v.Views) > 0 && v.Views[0].Address == RunList }

// AllViews returns the views in their order on the page.
func (v shell) AllViews() []shownView {
	var list []shownView
	for _, one := range slices.Concat(v.Views, v.LastViews) {
		list = append(list, shownView{View: one, Partial: v.Partial})
	}
	if len(list) == 0 {
		return nil
	}
	list[0].Notes = v.Notes
	if v.Server.ProgressURL != "" {
		list[0].Follow = &follow{URL: v.Server.ProgressURL}
		if v.Trials != nil {
			list[0].Follow.Trials = v.Trials.count
		}
	}
	return list
}

// traced returns the shell with a text that states how many of the trials in the file have a full
// trace.
func (v shell) traced(n, of int64) shell {
	v.Traces = metric.FormatInteger(n) + " of " + metric.Plural(of, "trial") + " with their full trace"
	return v
}

// TrialCollector collects the data of single trials that a page shows. It stores only a few numbers
// for each result.
type TrialCollector struct {
	packer *Packer
	spread *Collector
	count  int64
	err    error
}

var _ eval.Sink = (*TrialCollector)(nil)

// NewTrialCollector returns an empty collector for the results of a run.
func NewTrialCollector(run *runs.Run, o EncodeOptions) *TrialCollector {
	suites := run.Suites()
	return &TrialCollector{packer: NewPacker(eval.Summary{Suites: suites}, o), spread: NewCollector(suites)}
}

// Add adds the result of a trial. It always returns nil: an invalid result is reported by
// [TrialCollector.Err], so that other sinks still receive the results.
func (t *TrialCollector) Add(r eval.Result) error {
	t.count++
	t.spread.Add(r)
	if t.err == nil {
		t.err = t.packer.Add(r)
	}
	return nil
}

// AddBaseline adds the result of a trial of the baseline run.
func (t *TrialCollector) AddBaseline(r eval.Result) { t.packer.AddBaseline(r) }

// Err returns the error of the first invalid result.
func (t *TrialCollector) Err() error {
	if t.err != nil {
		return fmt.Errorf("page: %w", t.err)
	}
	return nil
}

// Distributions returns what was collected of a suite; nil for an unknown suite.
func (t *TrialCollector) Distributions(s eval.SuiteSummary) *SuiteDistribution {
	if t == nil {
		return nil
	}
	return t.spread.Finish(s)
}

// packData returns the data of the cases for the page; fixed is the size of the rest of the page in
// bytes. A trial whose trace cannot be read is included without it, and the page gets a note.
func packData(packer *Packer, run *runs.Run, fixed int64) (out Packed, err error) {
	traces, err := run.IndexTrials()
	if err != nil {
		return out, fmt.Errorf("page: %w", err)
	}
	defer func() { err = cmp.Or(err, traces.Close()) }()
	out, err = packer.Pack(fixed, traces)
	if err != nil {
		return out, fmt.Errorf("page: %w", err)
	}
	out.Notes = append(traces.TraceProblems(), out.Notes...)
	return out, nil
}

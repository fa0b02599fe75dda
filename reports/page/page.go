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
	"evalctl/eval/compare"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports/finding"
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

// view contains the data of the page template.
type view struct {
	Title, Dir    string
	Facts         []string
	BaselinePath  string // path of the baseline run; "": none
	Notes         []string
	Partial       string // why the run is incomplete; "": it is complete
	Gates         template.HTML
	Suites        []suiteView
	Simulated     bool
	Compared      bool // the page compares variants with each other
	Traces        string
	Policy        string
	Style, Script code
	Overview      string
	Cases         string // URL of the list of cases; "": the page contains no cases
	Home, Follow  string

	trials int64
}

// suiteView contains the data of a suite: for its card on the overview, and for its own view.
type suiteView struct {
	Name, ID, Link string
	Partial        string
	Facts          []string
	Sentences      []sentence
	Accuracy       template.HTML
	Worst          template.HTML
	Unit           string // plural of what faults are counted in: "cases" or "trials"
	Sections       []section
}

// section is a part of a suite's view, such as its confusion matrix.
type section struct {
	Name  string // name of the section in URLs
	Title string
	Body  template.HTML

	ID, Link string
}

func newView(p Page, d data) (view, error) {
	css, err := style()
	if err != nil {
		return view{}, err
	}
	v := view{
		Title:    cmp.Or(p.Title, p.Dir, "evalctl run"),
		Dir:      p.Dir,
		Notes:    p.Notes,
		Partial:  partialReason(p),
		Gates:    Gates(p.Summary.Gates),
		Style:    code{css},
		Overview: Overview,
		Home:     p.RunListURL,
		Follow:   p.ProgressURL,
	}
	if d.earlier != nil {
		v.BaselinePath = d.earlier.BaselinePath
	}
	if p.Run != nil {
		v.Script, v.Cases = code{Script()}, CasesLink{}.String()
	}
	for _, s := range p.Summary.Suites {
		v.trials += finding.CompletedTrials(s)
		v.Compared = v.Compared || len(s.Differences) > 0
		v.Simulated = v.Simulated ||
			slices.ContainsFunc(s.Models, func(m eval.ModelInfo) bool { return m.Kind == "simulated" })
		v.Suites = append(v.Suites, newSuiteView(p, s, d))
	}
	if p.ProgressURL != "" {
		v.Script.text += followScript
	}
	v.Facts = runFacts(p, v.trials)
	v.Policy = policy(v.Style, v.Script, p.RunListURL != "")
	return v, nil
}

// traced returns the view with a text that states how many of the trials in the file have a full
// trace.
func (v view) traced(n, of int64) view {
	v.Traces = metric.FormatInteger(n) + " of " + metric.Plural(of, "trial") + " with their full trace"
	return v
}

func runFacts(p Page, trials int64) []string {
	list := []string{metric.Plural(trials, "trial")}
	if p.Run != nil && !p.Run.Manifest.Started.IsZero() {
		m := p.Run.Manifest
		list = append(list, "started "+m.Started.UTC().Format("2006-01-02 15:04 UTC"), fmt.Sprintf("seed %d", m.Seed),
			"evalctl "+m.Version)
	}
	return list
}

// partialReason explains why the numbers of the page are incomplete, for example because the run
// was interrupted. It returns "" if they are complete.
func partialReason(p Page) string {
	switch {
	case p.ProgressURL != "":
		return "the run is in progress; this page shows what it has measured so far."
	case p.Summary.Shard != nil:
		return p.Summary.Shard.Describe() +
			": this page covers only its cases, and gates are not checked. Combine all shards with evalctl merge."
	case p.Summary.Partial:
		return finding.IncompleteNote(p.Summary, "this page") + "."
	}
	return ""
}

const maxFaultsOnCard = 6

func newSuiteView(p Page, s eval.SuiteSummary, d data) suiteView {
	v := suiteView{
		Name:      s.Name,
		Link:      SuiteLink(s.Name, ""),
		ID:        id(SuiteLink(s.Name, "")),
		Partial:   partialReason(p),
		Facts:     suiteFacts(s, p.Summary.Partial),
		Sentences: sentences(s, d.earlier),
		Accuracy:  Accuracy(s),
		Worst:     WorstFaults(s, maxFaultsOnCard),
		Unit:      TrialNoun(s) + "s",
	}
	for _, one := range sections(s, d) {
		if one.Body == "" {
			continue
		}
		one.Link = SuiteLink(s.Name, one.Name)
		one.ID = id(one.Link)
		v.Sections = append(v.Sections, one)
	}
	return v
}

// sections returns the sections of a suite in the order in which the page shows them. A section
// without data has no body.
func sections(s eval.SuiteSummary, d data) []section {
	of := d.spread.Finish(s)
	return []section{
		{Name: "variants", Title: "Variants", Body: Variants(s)},
		{Name: "against", Title: "Compared with the earlier run", Body: BaselineFigure(s, d.earlier)},
		{Name: "critic", Title: "Critic loop", Body: Critic(s, of)},
		{Name: "episodes", Title: "Episodes", Body: MultiDecisionTurns(s, of)},
		{Name: "retrieval", Title: "Retrieval", Body: Retrieval(s)},
		{Name: "confusion", Title: "Confusion", Body: Confusion(s, of)},
		{Name: "classes", Title: "Classes", Body: Classes(s, of)},
		{Name: "epochs", Title: "Epochs", Body: Epochs(s, of)},
		{Name: "latency", Title: "Latency", Body: Latency(s, of)},
		{Name: "cost", Title: "Cost", Body: Cost(s)},
		{Name: "faults", Title: "Faults", Body: Faults(s)},
		{Name: "confidence", Title: "Confidence", Body: Confidence(s)},
		{Name: "setup", Title: "Setup", Body: Setup(s, d.manifest, d.prompts)},
	}
}

func id(address string) string { return strings.TrimPrefix(address, "#") }

func suiteFacts(s eval.SuiteSummary, partial bool) []string {
	list := []string{finding.CaseSelection(s)}
	if s.Epochs > 1 {
		list = append(list, fmt.Sprintf("%d epochs", s.Epochs))
	}
	list = append(list, finding.DescribeSize(s, partial)...)
	if len(s.Tags) > 0 {
		list = append(list, "tagged "+ShortName(strings.Join(s.Tags, ", ")))
	}
	if s.DecisionOnly {
		list = append(list, "decision only")
	}
	list = append(list, origin(s))
	if text := finding.MixedLatencyNote(s); text != "" {
		list = append(list, text)
	}
	return list
}

// origin describes which models are real, which are simulated, and whether time is simulated.
func origin(s eval.SuiteSummary) string {
	kinds := map[string]bool{}
	for _, m := range s.Models {
		kinds[m.Kind] = true
	}
	time := ShortName(cmp.Or(s.Clock, "unknown")) + " time"
	switch {
	case len(s.Models) == 0:
		return time
	case kinds["real"] && kinds["simulated"]:
		return "some models real, some simulated, " + time
	case kinds["real"] && (s.Target == "http" || s.Target == "exec"):
		return "your agent, " + time
	case kinds["real"]:
		return "real models, " + time
	case kinds["simulated"] && s.Clock == "simulated":
		return "models and time are simulated"
	case kinds["simulated"]:
		return "models simulated, " + time
	}
	return "baseline models only, " + time
}

// TrialCollector collects the data of single trials that a page shows. It stores only a few numbers
// for each result.
type TrialCollector struct {
	packer *Packer
	spread *Collector
	err    error
}

var _ eval.Sink = (*TrialCollector)(nil)

// NewTrialCollector returns an empty collector for the results of a page's run.
func NewTrialCollector(p Page) *TrialCollector {
	suites := p.Run.Suites()
	return &TrialCollector{
		packer: NewPacker(eval.Summary{Suites: suites}, EncodeOptions{
			Dir:          p.Dir,
			BaselinePath: baselinePath(p),
			TraceURL:     p.TraceURL,
			MaxBytes:     p.MaxBytes,
		}),
		spread: NewCollector(suites),
	}
}

// Add adds the result of a trial. It always returns nil: an invalid result is reported when the
// page is written, so that other sinks still receive the results.
func (t *TrialCollector) Add(r eval.Result) error {
	t.spread.Add(r)
	if t.err == nil {
		t.err = t.packer.Add(r)
	}
	return nil
}

// data contains what the figures of a page show in addition to the summary of the run.
type data struct {
	packer   *Packer // nil: the page has no run, only a summary
	spread   *Collector
	earlier  *RunDiff // nil: no baseline run
	manifest *journal.Manifest
	prompts  []compare.Prompt // prompts that the run stored
}

// notCompared returns a sentence for each suite that cannot be compared with the baseline run, with
// the reason.
func (d data) notCompared(suites []eval.SuiteSummary) (list []string) {
	if d.earlier == nil {
		return nil
	}
	for _, s := range suites {
		if why := d.earlier.Suite(s.Name).NotComparedReason; why != "" {
			list = append(list, fmt.Sprintf("suite %s is not compared with %s: %s", s.Name,
				d.earlier.BaselinePath, why))
		}
	}
	return list
}

// collect returns the data of the page's run. It reads the results of the run, unless the caller
// has already collected them in p.Trials. Without a run, the data are empty.
func collect(p Page) (data, error) {
	if p.Run == nil {
		return data{spread: NewCollector(p.Summary.Suites)}, nil
	}
	if p.Trials == nil {
		p.Trials = NewTrialCollector(p)
		if err := p.Run.ReadInto(p.Trials); err != nil {
			return data{}, fmt.Errorf("page: %w", err)
		}
	}
	if p.Trials.err != nil {
		return data{}, fmt.Errorf("page: %w", p.Trials.err)
	}
	d := data{packer: p.Trials.packer, spread: p.Trials.spread}
	if p.Run.Manifest.Version != "" {
		d.manifest = &p.Run.Manifest
		d.prompts = p.Run.Prompts()
	}
	if p.BaselineRun == nil {
		return d, nil
	}
	for r, err := range p.BaselineRun.Results() {
		if err != nil {
			return d, fmt.Errorf("page: earlier run: %w", err)
		}
		d.packer.AddBaseline(r)
	}
	d.earlier = CompareWithBaseline(p.Run, p.BaselineRun)
	return d, nil
}

func baselinePath(p Page) string {
	if p.BaselineRun == nil {
		return ""
	}
	return p.BaselineRun.Path
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

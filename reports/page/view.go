package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

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

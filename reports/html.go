package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// html renders the report as a single HTML file that works without a server.
func html(r Report) ([]byte, error) {
	var out bytes.Buffer
	info, err := WriteHTML(&out, r, page.Server{})
	if err != nil {
		return nil, err
	}
	r.logWriteInfo(info)
	return out.Bytes(), nil
}

// WriteHTML writes the report of a run as an HTML page. A page on a server can request traces, follow
// a run in progress and link to the list of runs.
func WriteHTML(w io.Writer, r Report, s page.Server) (page.WriteInfo, error) {
	h := htmlReport{Report: r, partial: r.partialReason(s)}
	if err := h.collect(s); err != nil {
		return page.WriteInfo{}, err
	}
	views, last := h.views()
	title := r.Title
	if r.Run != nil && r.BaselineRun != nil {
		before, after := runNames(r.BaselineRun.Path, r.Run.Path)
		title = after + ", compared with " + before
	}
	info, err := page.Write(w, page.Page{
		Title:     title,
		Dir:       r.Dir,
		Views:     views,
		LastViews: last,
		Notes:     r.Notes,
		Partial:   h.partial,
		Run:       r.Run,
		Trials:    h.trials,
		MaxBytes:  r.HTMLMaxBytes,
		Server:    s,
	})
	if err != nil {
		return info, fmt.Errorf("write page: %w", err)
	}
	return info, nil
}

// htmlReport builds the views of an HTML page from the summary of a run and from what was collected
// of its trials.
type htmlReport struct {
	Report
	trials  *page.TrialCollector // nil: the report has only a summary
	partial string               // why the numbers are incomplete; "": they are complete
	// suites compared with the baseline run, by name; nil: there is no baseline run
	compared map[string]suiteComparison
}

// collect reads the results of the run and of the baseline run, unless the caller has collected them.
func (h *htmlReport) collect(s page.Server) error {
	if h.Run == nil {
		return nil
	}
	if h.trials = h.Trials.pageTrials(); h.trials == nil {
		h.trials = newPageTrials(h.Report, s)
		if err := h.Run.ReadInto(h.trials); err != nil {
			return fmt.Errorf("page: %w", err)
		}
	}
	if err := h.trials.Err(); err != nil || h.BaselineRun == nil {
		return err
	}
	h.compared = compareWithBaseline(h.Run, h.BaselineRun, h.BaselineSelection)
	return h.addBaselineResults()
}

func newPageTrials(r Report, s page.Server) *page.TrialCollector {
	o := page.EncodeOptions{Dir: r.Dir, TraceURL: s.TraceURL, MaxBytes: r.HTMLMaxBytes}
	if r.BaselineRun != nil {
		o.BaselinePath = r.BaselineRun.Path
	}
	return page.NewTrialCollector(r.Run, o)
}

// partialReason explains why the numbers of the page are incomplete, for example because the run
// was interrupted. It returns "" if they are complete.
func (r Report) partialReason(s page.Server) string {
	switch {
	case s.ProgressURL != "":
		return "the run is in progress; this page shows what it has measured so far."
	case r.Summary.Shard != nil:
		return r.Summary.Shard.Describe() +
			": this page covers only its cases, and gates are not checked. Combine all shards with evalctl merge."
	case r.Summary.Partial:
		return finding.IncompleteNote(r.Summary, "this page") + "."
	}
	return ""
}

// views returns the views of the page: those before the list of cases in the navigation, and those
// after it. With one suite, the first view is the suite's own.
func (h htmlReport) views() (views, last []page.View) {
	suites := h.Summary.Suites
	if len(suites) != 1 {
		views = append(views, h.overview())
	}
	for _, s := range suites {
		v := h.suiteView(s)
		labels, ok := h.labelsView(s)
		if len(suites) == 1 {
			v.Name, labels.Name = "Overview", "Labels"
		}
		views = append(views, v)
		if ok {
			views = append(views, labels)
		}
	}
	if h.compared != nil {
		compared := h.comparisonViews()
		if h.ComparisonFirst {
			return slices.Concat(compared[:1], views), compared[1:]
		}
		last = compared
	}
	return views, last
}

// overview returns the view of a run with several suites: the gates, and a row for each suite.
func (h htmlReport) overview() page.View {
	v := page.View{Address: page.Overview, Name: "Overview", Title: h.overviewTitle()}
	var trials, cases int64
	for _, s := range h.Summary.Suites {
		trials, cases = trials+finding.CompletedTrials(s), cases+s.Cases
		if text := simulationWarning(s); v.Warning == "" {
			v.Warning = text
		} else if text != v.Warning {
			v.Warning = "models are simulated"
		}
	}
	v.Facts = append(v.Facts, plural(int64(len(h.Summary.Suites)), "suite"), plural(cases, "case"),
		plural(trials, "trial"))
	v.Facts = append(v.Facts, h.startFacts()...)
	if len(h.Summary.Suites) == 0 {
		v.Sections = append(v.Sections, page.FullWidth(document.Block{Lines: []document.Line{
			{Tone: document.Bad, Mark: "✗", Text: "No suite ran: nothing was measured."}}}))
	}
	if len(h.Summary.Gates) > 0 {
		v.Sections = append(v.Sections, page.FullWidth(h.gateTable(h.Summary.Gates)))
	}
	v.Sections = append(v.Sections, page.FullWidth(h.suiteChart(), document.Block{
		Lines: matrixSummary(h.Summary.Suites...)}))
	for _, s := range h.Summary.Suites {
		b := h.headline(s, findingsOnOverview)
		b.Heading, b.Graphics.Note = named(s.Name), strings.Join(finding.DescribeSize(s, h.Summary.Partial), " · ")
		b.Graphics.Link = suiteAddress(s)
		v.Sections = append(v.Sections, page.Section{Columns: []page.Column{
			{Width: 7, Blocks: []document.Block{b}},
			{Width: 5, Blocks: []document.Block{shortVariantChart(s)}},
		}})
	}
	return v
}

// overviewTitle returns the title of the report or, without one, the name of the run's directory.
func (h htmlReport) overviewTitle() string {
	if h.Title == "" && h.Dir != "" {
		return filepath.Base(h.Dir)
	}
	return cmp.Or(h.Title, "evalctl run")
}

// findingsOnOverview is the number of findings of each suite that the overview shows without a click.
const findingsOnOverview = 2

// suiteChart returns the table of the suites: the most accurate variant of each, with marks on one
// axis, and its latency and cost.
func (h htmlReport) suiteChart() document.Block {
	names := document.Column{Head: "suite"}
	var best []eval.ConditionSummary
	for _, s := range h.Summary.Suites {
		c, ok := bestCondition(s)
		if !ok {
			continue
		}
		best = append(best, c)
		names.Cells = append(names.Cells, document.Cell{Text: named(s.Name), Link: suiteAddress(s),
			Note: named(c.Variant)})
	}
	if len(best) == 0 {
		return document.Block{}
	}
	b := document.Block{Heading: "Suites", Graphics: document.Graphics{
		Note: "The most accurate variant of each suite."},
		Table: document.Table{Keys: 1, Class: "lines", Columns: []document.Column{names}}}
	var noSuite eval.SuiteSummary // variants of several suites are not compared
	plot := accuracyPlot(noSuite, best)
	plot.Group = "Accuracy, %"
	share := document.Column{Head: "accuracy", TailHead: "[95 %]", Group: "Accuracy, %"}
	for _, c := range best {
		cell := shareCell(c.Metrics["route.accuracy"])
		if e := c.Metrics["route.accuracy"]; isKnown(e.Value) && !finding.IsSmallSample(e) {
			cell.Note = "of " + thousands(e.N)
		}
		share.Cells = append(share.Cells, cell)
	}
	b.Table.Columns = append(b.Table.Columns, plot, share)
	b.Table.Columns = append(b.Table.Columns, latencyColumns(best, &b.Graphics)...)
	if cost, ok := costColumn(best); ok {
		b.Table.Columns = append(b.Table.Columns, cost)
	}
	return b
}

// shortVariantChart returns the accuracy of each variant of a suite, for the overview.
func shortVariantChart(s eval.SuiteSummary) document.Block {
	conditions := rankedConditions(s)
	if len(conditions) == 0 {
		return document.Block{}
	}
	g := document.Table{Keys: 1, Columns: []document.Column{nameColumn(conditions, document.Unlimited)}}
	for i, c := range conditions {
		g.Columns[0].Cells[i].Link = caseList(s, c).String()
	}
	g.Columns = append(g.Columns, accuracyPlot(s, conditions), accuracyColumn(s, conditions))
	b := document.Block{Table: g}
	if len(conditions) > 1 {
		b.Notes = []document.Line{{Text: "Accuracy in %. Blue, orange: significantly better, worse than " +
			named(finding.BaselineVariant(s)) + "."}}
	}
	return b
}

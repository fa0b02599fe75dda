package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/suggest"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// View selects one aspect of a run, such as its classes, to be reported alone. ByTag accepts a tag
// prefix after a colon: "tag:lang" selects the tags that start with "lang".
type View string

const (
	ByClass      View = "class"      // precision, recall and F1 of each label
	ByTag        View = "tag"        // accuracy for each tag; "tag:lang" selects the language tags
	ByNode       View = "node"       // latency and errors of each node (a named part of an agent)
	ByFault      View = "fault"      // results of the cases under each injected fault
	ByLoop       View = "loop"       // results of each attempt in a Critic loop
	ByCase       View = "case"       // the cases that are wrong most often
	ByConfidence View = "confidence" // how well the confidence values match the accuracy
)

// viewInfo describes a view.
type viewInfo struct {
	view View
	// returns its tables; prefix is the part of the view's name after the colon; nil: the view has a
	// document of its own
	panels func(r Report, prefix string) ([]document.Block, error)
	note   string // explains the tables
}

// views declares all views, in the order in which messages list them.
func views() []viewInfo {
	return []viewInfo{
		{view: ByClass, panels: eachSuite(classPanels)},
		{view: ByTag, panels: tagPanels},
		{view: ByNode, panels: nodePanels, note: visitsText},
		{view: ByFault, panels: eachSuite(faultPanels), note: answeredText},
		{view: ByLoop, panels: eachSuite(loopPanels)},
		{view: ByCase, panels: casePanels},
		{view: ByConfidence},
	}
}

// eachSuite returns a function that joins the tables of all suites.
func eachSuite(panels func(eval.SuiteSummary) []document.Block) func(Report, string) ([]document.Block, error) {
	return func(r Report, _ string) (list []document.Block, err error) {
		for _, s := range r.Summary.Suites {
			list = append(list, panels(s)...)
		}
		return list, nil
	}
}

// Views lists the views that a user can select by name.
func Views() (list []View) {
	for _, v := range views() {
		list = append(list, v.view)
	}
	return list
}

// ByLanguage shows the accuracy for each language tag; it is [ByTag] with the prefix "lang".
const ByLanguage View = "tag:lang"

// ParseView converts a name such as "class" or "tag:lang" to a View. For an unknown name, the error
// suggests a similar one.
func ParseView(name string) (View, error) {
	kind, prefix, of := strings.Cut(name, ":")
	if err := suggest.CheckKnown("view", View(kind), Views()); err != nil {
		return "", err
	}
	if of && (View(kind) != ByTag || prefix == "") {
		return "", fmt.Errorf("view %q: only tag has a part, as in tag:lang or tag:PREFIX", name)
	}
	return View(name), nil
}

// parts splits a view such as "tag:lang" at the colon, here into "tag" and "lang". The prefix is ""
// if there is no colon.
func (v View) parts() (kind View, prefix string) {
	name, prefix, _ := strings.Cut(string(v), ":")
	return View(name), prefix
}

// renderView renders one aspect of a run, which [Report.View] selects.
func renderView(format Format, r Report) ([]byte, error) {
	if _, err := ParseView(string(r.View)); err != nil {
		return nil, err
	}
	if r.View == ByConfidence {
		return screen{noun: "single view", layOut: r.confidenceDocument}.render(format, r.Options)
	}
	kind, prefix := r.View.parts()
	of := views()[slices.Index(Views(), kind)]
	panels, err := of.panels(r, prefix)
	if err != nil {
		return nil, fmt.Errorf("--by %s: %w", r.View, err)
	}
	return screen{
		noun:   "single view",
		width:  defaultWidth,
		layOut: func(document.Target) document.Document { return viewDocument(r, panels, of.note) },
	}.render(format, r.Options)
}

// viewHead returns the document of a view with the head of the report. note explains its tables.
func (r Report) viewHead(panels []document.Block, note string) document.Document {
	d := document.Document{
		Source:  r.command(),
		Partial: r.Summary.Partial,
		Data:    document.NewScopedTables(string(r.View), panels, r.Summary.Partial),
		Rows:    func() *document.Table { return document.ScopedRows(panels, r.Summary.Partial) },
	}
	first := head(r)
	if r.Title == "" {
		first.Heading = ""
	}
	if note != "" {
		first.Lines = append(first.Lines, document.Line{Mark: "·", Text: note})
	}
	if !first.Empty() {
		d.Blocks = append(d.Blocks, first)
	}
	return d
}

// viewDocument returns the tables of a view, after the head of the report.
func viewDocument(r Report, panels []document.Block, note string) document.Document {
	d := r.viewHead(panels, note)
	d.Blocks = append(d.Blocks, document.ForReaders(panels, r.ShowAll)...)
	if len(panels) == 0 && len(r.Summary.Suites) > 0 {
		d.Blocks = append(d.Blocks, document.Block{
			Lines: []document.Line{{Text: "The run has no data for this view."}}})
	}
	return d
}

// classPanels returns a table for each variant, with the metrics of each label, lowest F1 first.
func classPanels(s eval.SuiteSummary) (list []document.Block) {
	for _, c := range finding.ConditionsWithoutFault(s) {
		if c.Confusion == nil || len(c.Confusion.Labels) == 0 {
			continue
		}
		p := document.Block{
			Suite:       s.Name,
			Variant:     c.Variant,
			VisibleRows: maxShownClasses,
			Noun:        "class",
			Table: document.Table{Keys: 1, Columns: []document.Column{
				{Key: "class", Head: "class"},
				{Key: "recall", Head: "recall [95 %]", Estimate: true, Right: true},
				{Key: "n", Head: "of", Right: true},
				{Key: "precision", Head: "precision", Estimate: true, Right: true},
				{Key: "f1", Head: "F1", Estimate: true, Right: true}}},
		}
		order, _ := worstFirst(c)
		for _, i := range order {
			label := c.Confusion.Labels[i]
			recall := c.Metrics["route.recall."+label]
			p.Table.AddRow([]document.Cell{nameValue(label), shareValue(recall), countValue(recall.N),
				shareOnlyValue(c.Metrics["route.precision."+label]),
				estimateValue(c.Metrics["route.f1."+label], formatScore)})
		}
		list = append(list, p)
	}
	return list
}

// loopPanels returns a table for each variant with a Critic loop. Each row is one attempt in the
// loop.
func loopPanels(s eval.SuiteSummary) (list []document.Block) {
	for _, c := range finding.ConditionsWithoutFault(s) {
		if len(c.LoopRounds) == 0 {
			continue
		}
		p := document.Block{Suite: s.Name, Variant: c.Variant}
		p.Table = document.Table{Keys: 1, Columns: []document.Column{
			{Key: "loop", Head: "loop", Right: true}, {Key: "reached", Head: "reached", Right: true},
			{Key: "passed", Head: "passed [95 %]", Estimate: true, Right: true},
			{Key: "exhausted", Head: "exhausted", Right: true},
			{Key: "score", Head: "mean score", Estimate: true, Right: true},
			{Key: "raw_gain", Head: "raw gain", Estimate: true, Right: true},
			{Key: "added_ms", Head: "adds time", Estimate: true, Right: true},
			{Key: "added_calls", Head: "calls", Estimate: true, Right: true},
			{Key: "added_tokens", Head: "tokens", Estimate: true, Right: true},
			{Key: "added_usd", Head: "USD/1,000 rounds", Estimate: true, Right: true}}}
		for _, l := range c.LoopRounds {
			p.Table.AddRow([]document.Cell{countValue(int64(l.Round)), countValue(l.ReachedTurns), shareValue(l.Passed),
				countValue(l.Exhausted),
				estimateValue(l.Score, formatScore), estimateValue(l.RawGain, formatScore),
				estimateValue(l.AddedMillis, metric.FormatTime), estimateValue(l.AddedCalls, formatMean),
				estimateValue(l.AddedTokens, rounded), estimateValue(l.AddedCost, perThousand)})
		}
		if text := finding.DeliveredText(c); text != "" {
			p.Lines = append(p.Lines, document.Line{Text: text + ". " + finding.DeliveredGoodNote})
		}
		p.Lines = append(p.Lines, document.Line{Text: finding.RawGainNote})
		list = append(list, p)
	}
	return list
}

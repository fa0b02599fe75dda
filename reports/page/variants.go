package page

import (
	"html/template"
	"maps"
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

const accuracy = "route.accuracy"

// Accuracy renders a plot with the accuracy of each variant and its confidence interval.
func Accuracy(s eval.SuiteSummary) template.HTML {
	r := accuracyRows(s)
	if len(r.Rows) == 0 {
		return ""
	}
	return r.HTML()
}

// Variants renders a plot that compares the variants of a suite, with accuracies and differences
// from the baseline variant. A table shows the other metrics.
func Variants(s eval.SuiteSummary) template.HTML {
	r := accuracyRows(s)
	data := struct {
		Plot    template.HTML
		Against string // name of the baseline variant; "": the figure compares nothing
		Zero    bool   // the axis of the accuracies starts at 0
		Metrics metricTable
	}{Metrics: newMetricTable(s)}
	if len(r.Rows) > 1 {
		data.Against = finding.BaselineVariant(s)
	}
	if len(r.Rows) > 0 {
		data.Zero = r.Panels[0].Axis.Lo == 0
		if len(s.Differences) > 0 && len(r.Rows) > 1 {
			addDifferences(s, &r)
		}
		data.Plot = r.HTML()
	}
	return fragment("variants", data)
}

func accuracyRows(s eval.SuiteSummary) Rows {
	lo, hi := 1.0, 0.0
	hasDecisions := false
	for _, c := range finding.ConditionsWithoutFault(s) {
		e := c.Metrics[accuracy]
		hasDecisions = hasDecisions || e.N+e.Missing > 0
		if l, h, ok := estimateRange(e); ok {
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	if !hasDecisions || lo > hi {
		return Rows{}
	}
	p := Panel{Head: "accuracy, share of decisions right", Axis: ShareAxis(lo, hi)}
	out := Rows{Class: "variants"}
	for _, c := range finding.ConditionsWithoutFault(s) {
		e := c.Metrics[accuracy]
		if l, h, ok := estimateRange(e); ok && c.Variant == finding.BaselineVariant(s) &&
			len(finding.ConditionsWithoutFault(s)) > 1 {
			p.Band = &Span{From: l, To: h}
		}
		out.Rows = append(out.Rows,
			Row{Name: c.Variant, Link: CasesLink{Suite: s.Name, Variant: c.Variant}.String(),
				Cells: []PlotCell{{
					Marks: dotWithInterval(p.Axis, e, significantState(s, c.Variant)),
					Value: fragment("accuracy", newAccuracyText(s, c)),
				}}})
	}
	out.Panels = []Panel{p}
	return out
}

// estimateRange returns the confidence interval of an estimate, or its value as both ends. It
// returns false if the value is unknown.
func estimateRange(e eval.Estimate) (lo, hi float64, ok bool) {
	if !metric.IsKnown(e.Value) {
		return 0, 0, false
	}
	lo, hi = *e.Value, *e.Value
	if metric.IsKnown(e.Lo) {
		lo = *e.Lo
	}
	if metric.IsKnown(e.Hi) {
		hi = *e.Hi
	}
	return lo, hi, true
}

// significantState returns "better" or "worse" if a variant differs significantly from the baseline
// variant, otherwise "".
func significantState(s eval.SuiteSummary, variant string) string {
	d, ok := finding.Difference(s, variant, finding.BaselineVariant(s))
	if ok && variant != finding.BaselineVariant(s) && (d.State == eval.Better || d.State == eval.Worse) {
		return string(d.State)
	}
	return ""
}

// dotWithInterval draws a value as a dot on the line of its confidence interval.
func dotWithInterval(a Axis, e eval.Estimate, class string) []Mark {
	lo, hi, ok := estimateRange(e)
	if !ok {
		return nil
	}
	return []Mark{
		{Shape: lineShape, From: a.Position(lo), To: a.Position(hi), Class: "interval " + class},
		{Shape: dotShape, From: a.Position(*e.Value), Class: class},
	}
}

// accuracyText contains the text next to the plot of an accuracy.
type accuracyText struct {
	Share, Interval string
	Of              int64 // number of scored trials; 0: all trials are scored
	Unscored        int64
	Link            string // URL of the unscored cases
	BaselineModel   bool
}

func newAccuracyText(s eval.SuiteSummary, c eval.ConditionSummary) accuracyText {
	e := c.Metrics[accuracy]
	t := accuracyText{
		Share:         finding.FormatShare(e),
		Interval:      bracketed(e.Lo, e.Hi, metric.FormatPercent),
		Unscored:      e.Missing,
		BaselineModel: c.BaselineModel,
	}
	if e.N != finding.PlannedTrials(s) {
		t.Of = e.N
	}
	if e.Missing > 0 {
		t.Link = CasesLink{Suite: s.Name, Variant: c.Variant, Result: Unscored}.String()
	}
	if finding.IsSmallSample(e) {
		t.Of = 0 // the share already contains the count
	}
	return t
}

func bracketed(lo, hi *float64, show func(float64) string) string {
	return strings.TrimSpace(interval(lo, hi, show))
}

// addDifferences adds a panel with the differences from the baseline variant to the figure.
func addDifferences(s eval.SuiteSummary, r *Rows) {
	reference := finding.BaselineVariant(s)
	var lo, hi float64
	for _, c := range finding.ConditionsWithoutFault(s) {
		if d, ok := finding.Difference(s, c.Variant, reference); ok && c.Variant != reference {
			l, h, _ := estimateRange(eval.Estimate{Value: d.Accuracy.Value, Lo: d.Accuracy.Lo, Hi: d.Accuracy.Hi})
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	r.Class = "variants two"
	p := Panel{Head: "difference from " + ShortName(reference) + ", points", Axis: PercentagePointAxis(lo, hi),
		Zero: new(0.0)}
	for i, c := range finding.ConditionsWithoutFault(s) {
		r.Rows[i].Cells = append(r.Rows[i].Cells, differenceCell(s, p.Axis, c.Variant, reference))
	}
	r.Panels = append(r.Panels, p)
}

// differenceText contains the text next to the plot of a difference.
type differenceText struct {
	State, Points, Interval string
	Fixed, Broken           int64
	FixedLink, BrokenLink   string
	// the suite has several epochs, so that cases are right more or less often instead of fixed or
	// broken
	Epochs bool
}

func differenceCell(s eval.SuiteSummary, a Axis, variant, reference string) PlotCell {
	t := differenceText{Epochs: s.Epochs > 1}
	d, ok := finding.Difference(s, variant, reference)
	switch {
	case variant == reference:
		t.State = "first"
	case !ok || d.State == eval.InsufficientData || !metric.IsKnown(d.Accuracy.Value):
		t.State = "unknown"
	case d.State == eval.Identical:
		t.State = "identical"
	default:
		t.State = string(d.State)
		t.Points, t.Interval = metric.FormatPoints(*d.Accuracy.Value),
			bracketed(d.Accuracy.Lo, d.Accuracy.Hi, metric.FormatPoints)
		t.Fixed, t.Broken = d.Fixed, d.Broken
		cases := CasesLink{Suite: s.Name, Variant: variant, Change: Fixed}
		t.FixedLink = cases.String()
		cases.Change = Broken
		t.BrokenLink = cases.String()
	}
	c := PlotCell{Value: fragment("difference", t)}
	switch {
	case t.State == "identical":
		c.Marks = []Mark{{Shape: dotShape, From: a.Position(0), Class: "hollow"}}
	case t.Points != "":
		e := eval.Estimate{Value: d.Accuracy.Value, Lo: d.Accuracy.Lo, Hi: d.Accuracy.Hi}
		c.Marks = dotWithInterval(a, e, significantState(s, variant))
	}
	return c
}

func hasFaults(s eval.SuiteSummary) bool {
	return slices.ContainsFunc(s.Conditions,
		func(c eval.ConditionSummary) bool { return c.Fault != "" && c.Fault != eval.NoFault })
}

// group is a set of conditions for which a figure shows the same content, so that it shows them as
// one.
type group struct {
	eval.ConditionSummary // first condition of the group

	Names []string
}

// groups merges conditions for which isSame returns true. It preserves the order.
func groups(conditions []eval.ConditionSummary, isSame func(a, b eval.ConditionSummary) bool) (list []group) {
	for _, c := range conditions {
		at := slices.IndexFunc(list, func(g group) bool { return isSame(g.ConditionSummary, c) })
		if at < 0 {
			at, list = len(list), append(list, group{ConditionSummary: c})
		}
		list[at].Names = append(list[at].Names, conditionName(c))
	}
	return list
}

// Title returns the joined names of the conditions in the group.
func (g group) Title() string { return joinNames(g.Names) }

func faultFree(s eval.SuiteSummary) []eval.ConditionSummary { return finding.ConditionsWithoutFault(s) }

func hasFault(c eval.ConditionSummary) bool { return c.Fault != "" && c.Fault != eval.NoFault }

func conditionName(c eval.ConditionSummary) string {
	if hasFault(c) {
		return c.Variant + " + " + c.Fault
	}
	return c.Variant
}

const maxNames = 6

func joinNames(names []string) string {
	shown := make([]string, 0, maxNames)
	for _, n := range names[:min(len(names), maxNames)] {
		shown = append(shown, ShortName(n))
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, metric.FormatInteger(int64(more))+" more")
	}
	return joinWords(shown)
}

func joinWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// casesOf returns the address of the list of a condition's cases.
func casesOf(s eval.SuiteSummary, c eval.ConditionSummary) CasesLink {
	of := CasesLink{Suite: s.Name, Variant: c.Variant}
	if hasFault(c) {
		of.Fault = c.Fault
	}
	return of
}

// metricTable contains the metrics of a suite in the order of the catalog, with one row for each
// metric and one column for each variant.
type metricTable struct {
	Open     bool
	Variants []string
	Rows     []metricRow
	Others   []metricRow // metrics that the table shows only on a click
	Equal    []metricRow // metrics of Rows that have the same value for all variants
}

// Main returns the part of the table that is always shown.
func (t metricTable) Main() metricTable { return metricTable{Variants: t.Variants, Rows: t.Rows} }

// Further returns the part of the table that is shown on a click.
func (t metricTable) Further() metricTable { return metricTable{Variants: t.Variants, Rows: t.Others} }

type metricRow struct {
	Name  string
	Cells []metricCell
}

type metricCell struct{ Value, Interval string }

// maxUnfoldedVariants is the maximum number of variants for which the table fits the page, so that
// it is shown without a click.
const maxUnfoldedVariants = 6

func newMetricTable(s eval.SuiteSummary) metricTable {
	conditions := finding.ConditionsWithoutFault(s)
	t := metricTable{Open: len(conditions) <= maxUnfoldedVariants}
	keys := map[string]struct{}{}
	for _, c := range conditions {
		t.Variants = append(t.Variants, c.Variant)
		for name := range c.Metrics {
			keys[name] = struct{}{}
		}
	}
	isMultiTurn := finding.HasMultiTurnCases(s)
	for _, k := range metric.InOrder(slices.Collect(maps.Keys(keys))) {
		if k.Name == accuracy || k.Group.HasOwnTable() || !isMultiTurn && strings.HasPrefix(k.Name, "episode.") {
			continue // without multi-turn cases, a case takes as long as its turn
		}
		row := metricRow{Name: k.RowLabel(s.Epochs)}
		if isMultiTurn {
			row.Name += unitOf(k.Name)
		}
		for _, c := range conditions {
			row.Cells = append(row.Cells, metricCellOf(k.Def, c.Metrics[k.Name]))
		}
		t.add(row, k.IsSecondary())
	}
	return t
}

// unitOf returns " per turn" or " per case" for a metric that is measured per turn or per case. It
// is used if cases have several turns.
func unitOf(key string) string {
	switch family, _, _ := strings.Cut(key, "."); family {
	case "latency", "ttft":
		return " per turn"
	case "episode", "calls":
		return " per case"
	}
	return ""
}

// metricCellOf formats a metric with its confidence interval. It formats shares of small samples as
// counts.
func metricCellOf(d metric.Def, e eval.Estimate) (m metricCell) {
	if !metric.IsKnown(e.Value) {
		return m
	}
	m.Value, m.Interval = minus(d.Format(*e.Value)), strings.ReplaceAll(d.FormatInterval(e), "-", "−")
	if d.IsCounted() {
		m.Value = finding.FormatShare(e)
	}
	return m
}

// add adds a row. It omits a metric without values, and moves one with equal values to t.Equal.
func (t *metricTable) add(row metricRow, isSecondary bool) {
	first := row.Cells[0]
	isDifferent := slices.ContainsFunc(row.Cells, func(m metricCell) bool { return !reflect.DeepEqual(m, first) })
	switch {
	case !slices.ContainsFunc(row.Cells, func(m metricCell) bool { return m.Value != "" }):
	case isSecondary:
		t.Others = append(t.Others, row)
	case len(row.Cells) > 1 && !isDifferent:
		t.Equal = append(t.Equal, row)
	default:
		t.Rows = append(t.Rows, row)
	}
}

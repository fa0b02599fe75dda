package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// WorstFaults renders bars with the outcomes of a suite's cases under the most harmful faults. It
// shows at most the given number of faults, and returns "" if no fault was injected.
func WorstFaults(s eval.SuiteSummary, most int) template.HTML {
	hits := slices.DeleteFunc(finding.FaultEffects(s), func(h finding.FaultEffect) bool { return h.Outcome == nil })
	if len(hits) == 0 {
		return ""
	}
	single := !slices.ContainsFunc(hits, func(h finding.FaultEffect) bool { return h.Variant != hits[0].Variant })
	type bar struct {
		Name, Link, Spoken string
		Plot               template.HTML
		Hurt               int64
		HurtLink           string
	}
	data := struct {
		Bars   []bar
		More   int
		Legend template.HTML
	}{More: max(len(hits)-most, 0)}
	var outcomes []eval.FaultOutcome
	for _, h := range hits[:min(len(hits), most)] {
		outcomes = append(outcomes, *h.Outcome)
		cases := CasesLink{Suite: s.Name, Variant: h.Variant, Fault: h.Conditions[0].Fault}
		one := bar{
			Link:   cases.String(),
			Plot:   outcomeBar(*h.Outcome, 15),
			Spoken: outcomeText(*h.Outcome),
			Hurt:   h.Outcome.Degraded(),
		}
		cases.Result = Degraded
		one.HurtLink = cases.String()
		one.Name = h.Conditions[0].Fault
		if n := len(h.Conditions) - 1; n > 0 {
			one.Name += fmt.Sprintf(" +%d", n)
		}
		if !single {
			one.Name = h.Variant + " + " + one.Name
		}
		data.Bars = append(data.Bars, one)
	}
	data.Legend = outcomeLegend(outcomes)
	return fragment("worst", data)
}

// TrialNoun returns the singular word for what faults are counted in: "case", or "trial" with
// several epochs.
func TrialNoun(s eval.SuiteSummary) string {
	if s.Epochs > 1 {
		return "trial"
	}
	return "case"
}

// outcomeParts returns the outcomes of the trials under a fault, in the order of a bar.
func outcomeParts(f eval.FaultOutcome) []outcomePart {
	return []outcomePart{
		{f.Unchanged, "same", "unchanged"},
		{f.MoreFallbacks, "stepped", "more fallbacks, same result"},
		{f.LabelChanged, "changed", "different label, not worse"},
		{f.NowWrong, "nowwrong", "broken"},
		{f.NowErrorReply, "apology", "error reply"},
		{f.NowUnscored, "unjudged", "unscored"},
	}
}

type outcomePart struct {
	N     int64
	Class string
	Words string
}

func outcomeLegend(outcomes []eval.FaultOutcome) template.HTML {
	var signs []legendItem
	for i, p := range outcomeParts(eval.FaultOutcome{}) {
		if slices.ContainsFunc(outcomes, func(f eval.FaultOutcome) bool { return outcomeParts(f)[i].N > 0 }) {
			signs = append(signs, legendItem{Class: p.Class, Text: p.Words})
		}
	}
	return legend(signs...)
}

func outcomeBar(f eval.FaultOutcome, height float64) template.HTML {
	var pieces []barPart
	for _, p := range outcomeParts(f) {
		pieces = append(pieces, barPart{Share: float64(p.N) / float64(max(f.Trials, 1)), Class: p.Class})
	}
	return stackedBar(height, pieces...)
}

func outcomeText(f eval.FaultOutcome) string {
	var parts []string
	for _, p := range outcomeParts(f) {
		if p.N > 0 {
			parts = append(parts, metric.FormatInteger(p.N)+" "+p.Words)
		}
	}
	return strings.Join(parts, ", ")
}

// faultGroup contains a variant's results without a fault and under each fault, largest effect
// first.
type faultGroup struct {
	Variant string
	Plain   faultRow
	Rows    []faultRow
}

// faultRow is the row of a condition in the fault table. Its counts are links to the cases.
type faultRow struct {
	Name, Link, Spoken string
	Bar                template.HTML
	Accuracy, Against  string
	Of                 int64 // number of scored trials; 0: all trials are scored
	Worse              bool
	Wrong, ErrorReply  faultCount // counts that are also parts of the bar
	Unscored           faultCount
	ErrorReplies       faultCount // all error replies, including those that occur without the fault, too
	FellBack           string
	Recovered, Correct countOf
	P95, Times         string
	Slow               bool // the latency is at least 1.5 times that without the fault
}

type faultCount struct {
	Head  string // title of the count's column; "": the count is unknown
	N     int64
	Class string // CSS class that colors the cell by the share of the trials
	Link  string
}

// countOf is a share that is shown as counts: "N of Of".
type countOf struct{ N, Of int64 }

// Faults renders a table with the effect of each fault on each variant. It returns "" if no fault
// was injected.
func Faults(s eval.SuiteSummary) template.HTML {
	if !hasFaults(s) {
		return ""
	}
	data := struct {
		Legend template.HTML
		Unit   string // "case" or "trial", see [TrialNoun]
		Groups []faultGroup
		Has    faultColumns
	}{Unit: TrialNoun(s)}
	var outcomes []eval.FaultOutcome
	hits := finding.FaultEffects(s)
	for _, c := range finding.ConditionsWithoutFault(s) {
		g := faultGroup{Variant: c.Variant, Plain: newFaultRow(s, c, nil, c)}
		for _, h := range hits {
			for _, condition := range h.Conditions {
				if h.Variant == c.Variant {
					outcome := faultOutcome(s, condition)
					if outcome != nil {
						outcomes = append(outcomes, *outcome)
					}
					g.Rows = append(g.Rows, newFaultRow(s, condition, outcome, c))
				}
			}
		}
		if len(g.Rows) > 0 {
			data.Groups = append(data.Groups, g)
		}
	}
	data.Legend, data.Has = outcomeLegend(outcomes), newFaultColumns(data.Groups)
	return fragment("faults", data)
}

func faultOutcome(s eval.SuiteSummary, c eval.ConditionSummary) *eval.FaultOutcome {
	for i, f := range s.FaultOutcomes {
		if f.Variant == c.Variant && f.Fault == c.Fault {
			return &s.FaultOutcomes[i]
		}
	}
	return nil
}

func newFaultRow(s eval.SuiteSummary, c eval.ConditionSummary, outcome *eval.FaultOutcome,
	plain eval.ConditionSummary) faultRow {
	cases := CasesLink{Suite: s.Name, Variant: c.Variant}
	if c.Fault != plain.Fault {
		cases.Fault = c.Fault
	}
	r := faultRow{Name: c.Fault, Link: cases.String(), Accuracy: finding.FormatShare(c.Metrics[accuracy])}
	if e := c.Metrics[accuracy]; metric.IsKnown(e.Value) && !finding.IsSmallSample(e) &&
		e.N != finding.PlannedTrials(s) {
		r.Of = e.N
	}
	if e := c.Metrics["fallback.rate"]; metric.IsKnown(e.Value) {
		r.FellBack = finding.FormatShare(e)
	}
	r.Recovered, r.Correct = countsOf(c.Metrics["fallback.recovered"]), countsOf(c.Metrics["fallback.correct"])
	if v := c.Metrics["latency.p95"].Value; metric.IsKnown(v) {
		r.P95 = metric.FormatTime(*v)
		if before := plain.Metrics["latency.p95"].Value; cases.Fault != "" && metric.IsKnown(before) && *before > 0 {
			r.Times, r.Slow = metric.FormatRatioTwoDigits(*v / *before), *v >= 1.5**before
		}
	}
	errorReplies := cases
	errorReplies.Result = ErrorReply
	r.ErrorReplies = faultCount{N: finding.Numerator(c.Metrics["error_reply.rate"]), Link: errorReplies.String()}
	if cases.Fault == "" {
		return r
	}
	r.Against = metric.MissingText
	switch points, even, ok := finding.AccuracyChange(outcome, c); {
	case ok && even:
		r.Against = "="
	case ok:
		r.Against, r.Worse = metric.FormatPoints(points), points < 0
	}
	if outcome == nil {
		return r
	}
	r.Bar, r.Spoken = outcomeBar(*outcome, 16), outcomeText(*outcome)
	count := func(head string, n int64, result Result) faultCount {
		cases.Result = result
		return faultCount{
			Head:  head,
			N:     n,
			Class: tintClass(n, c.Trials),
			Link:  cases.String(),
		}
	}
	r.Wrong, r.ErrorReply, r.Unscored = count("broken", outcome.NowWrong, NowWrong),
		count("error reply", outcome.NowErrorReply, NowErrorReply), count("unscored", outcome.NowUnscored,
			NowUnscored)
	return r
}

// tintClass returns the CSS class that colors a cell by a share, from light to dark orange; "" for
// 0.
func tintClass(n, of int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("o%d", min(int(math.Floor(10*float64(n)/float64(max(of, 1)))), 9))
}

func countsOf(e eval.Estimate) countOf {
	if !metric.IsKnown(e.Value) {
		return countOf{}
	}
	return countOf{N: finding.Numerator(e), Of: e.N}
}

// faultColumns states which optional columns of the fault table have a value in at least one row.
type faultColumns struct {
	Wrong, ErrorReply, Unscored  bool
	ErrorReplies                 bool
	FellBack, Recovered, Correct bool
	P95, Times                   bool
}

func newFaultColumns(groups []faultGroup) (has faultColumns) {
	some := func(hasValue func(faultRow) bool) bool {
		return slices.ContainsFunc(groups,
			func(g faultGroup) bool { return hasValue(g.Plain) || slices.ContainsFunc(g.Rows, hasValue) })
	}
	return faultColumns{
		Wrong:        some(func(r faultRow) bool { return r.Wrong.N > 0 }),
		ErrorReply:   some(func(r faultRow) bool { return r.ErrorReply.N > 0 }),
		Unscored:     some(func(r faultRow) bool { return r.Unscored.N > 0 }),
		ErrorReplies: some(func(r faultRow) bool { return r.ErrorReplies.N > 0 }),
		FellBack:     some(func(r faultRow) bool { return r.FellBack != "" }),
		Recovered:    some(func(r faultRow) bool { return r.Recovered.Of > 0 }),
		Correct:      some(func(r faultRow) bool { return r.Correct.Of > 0 }),
		P95:          some(func(r faultRow) bool { return r.P95 != "" }),
		Times:        some(func(r faultRow) bool { return r.Times != "" }),
	}
}

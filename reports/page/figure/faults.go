package figure

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
	"evalctl/reports/page/address"
)

// Worst is what the faults that hurt most did to a suite's cases, the first so many; ""
// where it ran without.
func Worst(s eval.SuiteSummary, most int) template.HTML {
	hits := slices.DeleteFunc(finding.Hits(s), func(h finding.FaultEffect) bool { return h.Outcome == nil })
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
	var fates []eval.FaultOutcome
	for _, h := range hits[:min(len(hits), most)] {
		fates = append(fates, *h.Outcome)
		cases := address.CasesLink{Suite: s.Name, Variant: h.Variant, Fault: h.Conditions[0].Fault}
		one := bar{Link: cases.String(), Plot: fateBar(*h.Outcome, 15), Spoken: spokenFate(*h.Outcome), Hurt: h.Outcome.Degraded()}
		cases.Result = address.Degraded
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
	data.Legend = fateLegend(fates)
	return fragment("worst", data)
}

// Unit is what a fault's counts are of.
func Unit(s eval.SuiteSummary) string {
	if s.Epochs > 1 {
		return "trial"
	}
	return "case"
}

// fateParts are what may become of a case, in the order of a bar.
func fateParts(f eval.FaultOutcome) []fatePart {
	return []fatePart{
		{f.Unchanged, "same", "unchanged"},
		{f.MoreFallbacks, "stepped", "more fallbacks, same result"},
		{f.LabelChanged, "changed", "different label, not worse"},
		{f.NowWrong, "nowwrong", "broken"},
		{f.NowErrorReply, "apology", "error reply"},
		{f.NowUnscored, "unjudged", "unscored"},
	}
}

type fatePart struct {
	N     int64
	Class string
	Words string
}

// fateLegend says what the parts of bars are, of those that there are in some bar.
func fateLegend(fates []eval.FaultOutcome) template.HTML {
	var signs []sign
	for i, p := range fateParts(eval.FaultOutcome{}) {
		if slices.ContainsFunc(fates, func(f eval.FaultOutcome) bool { return fateParts(f)[i].N > 0 }) {
			signs = append(signs, sign{Class: p.Class, Text: p.Words})
		}
	}
	return legend(signs...)
}

func fateBar(f eval.FaultOutcome, height float64) template.HTML {
	var pieces []Piece
	for _, p := range fateParts(f) {
		pieces = append(pieces, Piece{Share: float64(p.N) / float64(max(f.Trials, 1)), Class: p.Class})
	}
	return bar(height, pieces...)
}

func spokenFate(f eval.FaultOutcome) string {
	var parts []string
	for _, p := range fateParts(f) {
		if p.N > 0 {
			parts = append(parts, number.Thousands(p.N)+" "+p.Words)
		}
	}
	return strings.Join(parts, ", ")
}

// faultGroup is a variant's faults, those that hurt most first.
type faultGroup struct {
	Variant string
	Plain   faultRow
	Rows    []faultRow
}

// faultRow is a cell with a fault. Its counts lead to cases.
type faultRow struct {
	Name, Link, Spoken string
	Bar                template.HTML
	Accuracy, Against  string
	Of                 int64 // that are judged, where these are not all that the suite has
	Worse              bool
	Wrong, ErrorReply  faultCount // as parts of the bar
	Unscored           faultCount
	ErrorReplies       faultCount // all there are, also without the fault
	FellBack           string
	Recovered, Correct ofAll
	P95, Times         string
	Slow               bool // 1.5 times what it takes without
}

type faultCount struct {
	Head  string // "": it is not known
	N     int64
	Class string // tint by its share of the trials
	Link  string
}

// ofAll is a proportion of few, as counts.
type ofAll struct{ N, Of int64 }

// Faults is the table of what each fault did to each variant.
func Faults(s eval.SuiteSummary) template.HTML {
	if !hasFaults(s) {
		return ""
	}
	data := struct {
		Legend template.HTML
		Unit   string // of what is counted
		Groups []faultGroup
		Has    faultColumns
	}{Unit: Unit(s)}
	var fates []eval.FaultOutcome
	hits := finding.Hits(s)
	for _, c := range finding.FaultFree(s) {
		g := faultGroup{Variant: c.Name, Plain: newFaultRow(s, c, nil, c)}
		for _, h := range hits {
			for _, cell := range h.Conditions {
				if h.Variant == c.Name {
					fate := fateOf(s, cell)
					if fate != nil {
						fates = append(fates, *fate)
					}
					g.Rows = append(g.Rows, newFaultRow(s, cell, fate, c))
				}
			}
		}
		if len(g.Rows) > 0 {
			data.Groups = append(data.Groups, g)
		}
	}
	data.Legend, data.Has = fateLegend(fates), newFaultColumns(data.Groups)
	return fragment("faults", data)
}

func fateOf(s eval.SuiteSummary, c eval.ConditionSummary) *eval.FaultOutcome {
	for i, f := range s.FaultOutcomes {
		if f.Variant == c.Name && f.Fault == c.Fault {
			return &s.FaultOutcomes[i]
		}
	}
	return nil
}

func newFaultRow(s eval.SuiteSummary, c eval.ConditionSummary, fate *eval.FaultOutcome, plain eval.ConditionSummary) faultRow {
	cases := address.CasesLink{Suite: s.Name, Variant: c.Name}
	if c.Fault != plain.Fault {
		cases.Fault = c.Fault
	}
	r := faultRow{Name: c.Fault, Link: cases.String(), Accuracy: finding.Share(c.Metrics[accuracy])}
	if e := c.Metrics[accuracy]; number.IsKnown(e.Value) && !finding.IsSmallSample(e) && e.N != finding.PlannedTrials(s) {
		r.Of = e.N
	}
	if e := c.Metrics["fallback.rate"]; number.IsKnown(e.Value) {
		r.FellBack = finding.Share(e)
	}
	r.Recovered, r.Correct = counted(c.Metrics["fallback.recovered"]), counted(c.Metrics["fallback.correct"])
	if v := c.Metrics["latency.p95"].Value; number.IsKnown(v) {
		r.P95 = number.Time(*v)
		if before := plain.Metrics["latency.p95"].Value; cases.Fault != "" && number.IsKnown(before) && *before > 0 {
			r.Times, r.Slow = number.Times(*v / *before), *v >= 1.5**before
		}
	}
	errorReplies := cases
	errorReplies.Result = address.ErrorReply
	r.ErrorReplies = faultCount{N: finding.Count(c.Metrics["error_reply.rate"]), Link: errorReplies.String()}
	if cases.Fault == "" {
		return r
	}
	r.Against = number.None
	switch points, even, ok := finding.Effect(fate, c); {
	case ok && even:
		r.Against = "="
	case ok:
		r.Against, r.Worse = number.Points(points), points < 0
	}
	if fate == nil {
		return r
	}
	r.Bar, r.Spoken = fateBar(*fate, 16), spokenFate(*fate)
	count := func(head string, n int64, result address.Result) faultCount {
		cases.Result = result
		return faultCount{Head: head, N: n, Class: tint(n, c.Trials), Link: cases.String()}
	}
	r.Wrong, r.ErrorReply, r.Unscored = count("broken", fate.NowWrong, address.NowWrong), count("error reply", fate.NowErrorReply, address.NowErrorReply), count("unscored", fate.NowUnscored, address.NowUnscored)
	return r
}

// tint is the level of a share on the orange ramp; none of nothing.
func tint(n, of int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("o%d", min(int(math.Floor(10*float64(n)/float64(max(of, 1)))), 9))
}

func counted(e eval.Estimate) ofAll {
	if !number.IsKnown(e.Value) {
		return ofAll{}
	}
	return ofAll{N: finding.Count(e), Of: e.N}
}

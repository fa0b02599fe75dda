package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// chosen are the variants that there is room for, in their order. Of more these come
// first: the one that the others are held against, the best and the runner-up, those
// that a sentence warns of, then the best of the others.
func chosen(s eval.SuiteSummary, found []finding.Sentence, room int) (shown []eval.ConditionSummary, more int) {
	cells := finding.FaultFree(s)
	if len(cells) <= room {
		return cells, 0
	}
	var names []string
	take := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	take(finding.BaselineVariant(s))
	ranked := finding.Ranked(s)
	for _, c := range ranked[:min(len(ranked), 2)] {
		take(c.Name)
	}
	for _, f := range found {
		for _, p := range f.Parts {
			if f.IsWarning() && p.Role == finding.Variant {
				take(p.Text)
			}
		}
	}
	for _, c := range slices.Concat(ranked, cells) {
		take(c.Name)
	}
	names = names[:min(len(names), max(room-1, leastVariants))] // a line says how many more
	for _, c := range cells {
		if slices.Contains(names, c.Name) {
			shown = append(shown, c)
		}
	}
	return shown, len(cells) - len(shown)
}

// leastVariants are shown however little room there is.
const leastVariants = 3

// about are the sentences that speak of no variant but those shown, and those that
// warn.
func about(found []finding.Sentence, cells []eval.ConditionSummary) []finding.Sentence {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Sentence) bool {
		return !f.IsWarning() && slices.ContainsFunc(f.Parts, func(p finding.Part) bool {
			return p.Role == finding.Variant && !slices.ContainsFunc(cells, func(c eval.ConditionSummary) bool { return c.Name == p.Text })
		})
	})
}

// variants is the table of a suite's cells without a fault.
func variants(s eval.SuiteSummary, cells []eval.ConditionSummary, width int) lanes {
	table := append(lanes{names(cells, width)}, verdicts(s, cells)...)
	table = append(table,
		differences(s, cells), gainedLost(s, cells),
		tableColumn{head: "unscored", right: true, rank: 11, fields: each(cells, func(c eval.ConditionSummary) tableCell {
			return tableCell{text: some(c.Metrics["route.accuracy"].Missing), tone: warn}
		})},
		tableColumn{head: fmt.Sprintf("right in all %d", s.Epochs), right: true, rank: 8, fields: each(cells, func(c eval.ConditionSummary) tableCell {
			return tableCell{text: inAllEpochs(c.Metrics["route.pass_k"])}
		})},
		figureLane(cells, "macro-F1", 4, "route.macro_f1", number.Score),
		shareLane(cells, "path exact", 8, "path.exact"),
		shareLane(cells, "corrected", 7, "supervisor.correction_rate"),
		shareLane(cells, "exhausted", 6, "supervisor.exhausted_rate"),
		figureLane(cells, "recall@5", 7, eval.RecallScore, number.Share),
		figureLane(cells, "facts", 8, eval.CoverageScore, number.Share),
		figureLane(cells, "kept", 5, eval.FactsKeptScore, number.Share),
		shareLane(cells, "cached", 4, "cache.hit_rate"),
		shareLane(cells, "OOS recall", 9, "oos.recall"),
		shareLane(cells, "wrongly OOS", 8, "oos.false_rejection"),
		tableColumn{head: "error replies", right: true, rank: 5, fields: each(cells, apologising)},
		shareLane(cells, "delivered good", 9, "critic.delivered_good"),
		shareLane(cells, "false accept", 8, "critic.false_accept"),
		figureLane(cells, "p50", 6, "latency.p50", number.Time),
		figureLane(cells, "p95", 10, "latency.p95", number.Time),
		figureLane(cells, "first text", 2, "ttft.p50", number.Time),
		figureLane(cells, "queued p95", 3, "queue.p95", number.Time),
		tableColumn{head: "rate-limited", right: true, rank: 3, fields: each(cells, func(c eval.ConditionSummary) tableCell {
			if !refuses(c) {
				return tableCell{}
			}
			return tableCell{text: number.Round(*c.Metrics["calls.rate_limited"].Value)}
		})},
		figureLane(cells, "calls", 3, "calls.mean", number.Mean),
		tableColumn{head: "USD/1,000", right: true, rank: 7, fields: each(cells, func(c eval.ConditionSummary) tableCell {
			if v, ok := finding.USDPer1000(c); ok {
				return tableCell{text: number.USD(v)}
			}
			return tableCell{}
		})})
	if width >= plotFrom {
		table = append(table, plot(cells))
	}
	return table
}

// fitted leaves out what there is no room for. Where that is how many are
// unjudged, accuracies say how many they are of.
func fitted(s eval.SuiteSummary, cells []eval.ConditionSummary, width int) lanes {
	table := variants(s, cells, width)
	out := table.fit(width)
	if out.has("unscored") {
		return out
	}
	for i, c := range cells {
		if e := c.Metrics["route.accuracy"]; e.Missing > 0 && !finding.IsSmallSample(e) {
			table[1].fields[i].tail += " of " + grouped(e.N)
		}
	}
	return table.fit(width)
}

func names(cells []eval.ConditionSummary, width int) tableColumn {
	return tableColumn{head: "variant", fields: each(cells, func(c eval.ConditionSummary) tableCell {
		return tableCell{text: middle(named(c.Name), nameRoom(width))}
	})}
}

// nameRoom is how much of a line the names of rows may take.
func nameRoom(width int) int { return max(width*35/100, leastName) }

// verdicts shows how many decisions are right; of a suite that judges none, how
// many trials were answered.
func verdicts(s eval.SuiteSummary, cells []eval.ConditionSummary) lanes {
	l := tableColumn{head: "accuracy", tailHead: "[95 %]", right: true}
	if !slices.ContainsFunc(s.Conditions, judges) {
		l.head = "answered"
		l.fields = each(cells, func(c eval.ConditionSummary) tableCell { return shareField(complement(c.Metrics["missing.rate"])) })
		return lanes{l}
	}
	l.fields = each(cells, func(c eval.ConditionSummary) tableCell { return shareField(c.Metrics["route.accuracy"]) })
	return lanes{l}
}

func judges(c eval.ConditionSummary) bool {
	e := c.Metrics["route.accuracy"]
	return e.N+e.Missing > 0
}

// complement is the share of the others.
func complement(e eval.Estimate) eval.Estimate {
	without := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		return new(1 - *v)
	}
	e.Value, e.Lo, e.Hi = without(e.Value), without(e.Hi), without(e.Lo)
	return e
}

func shareField(e eval.Estimate) tableCell {
	f := tableCell{text: finding.Share(e), tone: strong}
	if known(e.Value) && known(e.Lo) && known(e.Hi) {
		f.tail = "[" + number.Percent(*e.Lo) + ", " + number.Percent(*e.Hi) + "]"
	}
	return f
}

// differences are held against one of the variants.
func differences(s eval.SuiteSummary, cells []eval.ConditionSummary) tableColumn {
	first := finding.BaselineVariant(s)
	l := tableColumn{head: "vs " + shorten(named(first), longestAgainst), tailHead: "[95 %]", fields: make([]tableCell, len(cells))}
	if len(cells) < 2 || !slices.ContainsFunc(s.Conditions, judges) {
		return tableColumn{rank: 1, fields: l.fields}
	}
	for i, c := range cells {
		d, ok := finding.Difference(s, c.Name, first)
		switch {
		case c.Name == first:
			l.fields[i] = tableCell{text: "first"}
		case !ok || d.State == eval.InsufficientData || !known(d.Accuracy.Value):
			l.fields[i] = tableCell{text: unmeasured}
		default:
			l.fields[i] = differing(d)
		}
	}
	return l
}

// longestAgainst is how much of a variant's name stands in a head.
const longestAgainst = 20

func differing(d eval.Difference) tableCell {
	f := tableCell{text: number.Points(*d.Accuracy.Value)}
	if known(d.Accuracy.Lo) && known(d.Accuracy.Hi) {
		f.tail = "[" + number.Points(*d.Accuracy.Lo) + ", " + number.Points(*d.Accuracy.Hi) + "]"
	}
	switch d.State {
	case eval.Identical:
		return tableCell{text: "= identical"}
	case eval.Better:
		f.tone = good
	case eval.Worse:
		f.tone = bad
	default:
		f.text = "~ " + f.text
	}
	return f
}

// Heads of the column that counts the cases in which a variant differs.
const (
	fixedBroken   = "fixed/broken"
	moreLessRight = "more/less right"
)

func gainedLost(s eval.SuiteSummary, cells []eval.ConditionSummary) tableColumn {
	first := finding.BaselineVariant(s)
	head := fixedBroken
	if s.Epochs > 1 {
		head = moreLessRight // a case can be right in more epochs, or in fewer
	}
	return tableColumn{head: head, right: true, rank: 9, fields: each(cells, func(c eval.ConditionSummary) tableCell {
		d, ok := finding.Difference(s, c.Name, first)
		if !ok || c.Name == first || d.State == eval.Identical || d.State == eval.InsufficientData {
			return tableCell{}
		}
		return tableCell{text: "+" + grouped(d.Fixed) + "/−" + grouped(d.Broken)}
	})}
}

func apologising(c eval.ConditionSummary) tableCell {
	if e := c.Metrics["error_reply.rate"]; known(e.Value) && *e.Value > 0 {
		return tableCell{text: finding.Share(e)}
	}
	return tableCell{}
}

// figureLane shows one metric.
func figureLane(cells []eval.ConditionSummary, head string, rank int, metric string, show func(float64) string) tableColumn {
	return tableColumn{head: head, right: true, rank: rank, fields: each(cells, func(c eval.ConditionSummary) tableCell {
		if e := c.Metrics[metric]; known(e.Value) {
			return tableCell{text: show(*e.Value)}
		}
		return tableCell{}
	})}
}

// shareLane shows a proportion, of few trials as counts.
func shareLane(cells []eval.ConditionSummary, head string, rank int, metric string) tableColumn {
	return tableColumn{head: head, right: true, rank: rank, fields: each(cells, func(c eval.ConditionSummary) tableCell {
		if e := c.Metrics[metric]; known(e.Value) {
			return tableCell{text: finding.Share(e)}
		}
		return tableCell{}
	})}
}

// inAllEpochs shows the share of complete cases, and how many they are where some are not.
func inAllEpochs(e eval.Estimate) string {
	switch {
	case !known(e.Value):
		return strings.TrimPrefix(besidesLost(e, "", "incomplete"), ", ")
	case e.Missing > 0 && !finding.IsSmallSample(e):
		return besidesLost(e, finding.Share(e)+" of "+grouped(e.N), "incomplete")
	}
	return besidesLost(e, finding.Share(e), "incomplete")
}

func each(cells []eval.ConditionSummary, show func(eval.ConditionSummary) tableCell) []tableCell {
	list := make([]tableCell, len(cells))
	for i, c := range cells {
		list[i] = show(c)
	}
	return list
}

// some shows a count that is not none.
func some(n int64) string {
	if n == 0 {
		return ""
	}
	return grouped(n)
}

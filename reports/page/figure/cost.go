package figure

import (
	"html/template"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// Cost is what a run asks of models, variant by variant; rows in which all are alike stand
// once.
func Cost(s eval.SuiteSummary) template.HTML {
	cells := sound(s)
	t := table{Spoken: "Cost", Heads: []string{"of a case"}}
	for _, c := range cells {
		t.Heads = append(t.Heads, Name(c.Name))
	}
	var same []string
	for _, row := range costRows() {
		if !slices.ContainsFunc(cells, func(c eval.ConditionSummary) bool { return row.words(c) != nil }) {
			continue
		}
		texts := make([]template.HTML, len(cells))
		for i, c := range cells {
			texts[i] = said(row.words(c)...)
		}
		if len(cells) > 1 && !slices.ContainsFunc(texts, func(text template.HTML) bool { return text != texts[0] }) {
			same = append(same, row.head+" "+textOf(row.words(cells[0])))
			continue
		}
		t.Rows = append(t.Rows, tableRow{Name: row.head, Cells: texts})
	}
	if len(t.Rows)+len(same) == 0 {
		return ""
	}
	data := struct {
		Table template.HTML
		Same  string
	}{Same: strings.Join(same, " · ")}
	if len(t.Rows) > 0 {
		data.Table = t.HTML()
	}
	return fragment("cost", data)
}

// costRow is a figure of what a case takes; words are nil where nothing of it is known.
type costRow struct {
	head  string
	words func(eval.ConditionSummary) []word
}

func costRows() []costRow {
	return []costRow{
		{"USD per 1,000 cases", perThousand},
		{"tokens in", perTrial("tokens.in_total")},
		{"tokens out", perTrial("tokens.out_total")},
		{"calls", metric("calls.mean", number.Mean, "")},
		{"calls at once", metric("calls.peak", number.Round, "")},
		{"cache hits", func(c eval.ConditionSummary) []word { return shared(c.Metrics["cache.hit_rate"]) }},
		{"calls saved", metric("cache.calls_saved", number.Score, "")},
		{"cache errors", metric("cache.errors", number.Round, "")},
		{"history left", metric("compression.ratio", number.Percent, " %")},
		{"second-judgment calls", metric("critic.second.calls", number.Round, "")},
		{"second-judgment USD", metric("critic.second.cost", number.USD, "")},
		{"grading calls", metric("facts.grader.calls", number.Round, "")},
		{"grading USD", metric("facts.grader.cost", number.USD, "")},
	}
}

// metric is one that some variants have.
func metric(name string, show func(float64) string, unit string) func(eval.ConditionSummary) []word {
	return func(c eval.ConditionSummary) []word {
		e := c.Metrics[name]
		if !number.IsKnown(e.Value) {
			return nil
		}
		return estimated(e, show, unit)
	}
}

// perThousand is what so many cases cost. It is not known where anything has no price, and
// it is said of how many.
func perThousand(c eval.ConditionSummary) []word {
	e := c.Metrics["cost.total_usd"]
	switch {
	case c.Trials == 0 || e.N+e.Missing == 0:
		return nil
	case number.IsKnown(e.Value):
		return []word{{Text: number.USD(*e.Value / float64(c.Trials) * 1000), Strong: true}}
	case e.Missing >= c.Trials:
		return []word{{Text: "no price", Mute: true}}
	}
	return []word{{Text: "no price for " + number.Plural(e.Missing, "trial"), Mute: true}}
}

// perTrial is the mean of a sum.
func perTrial(name string) func(eval.ConditionSummary) []word {
	return func(c eval.ConditionSummary) []word {
		e := c.Metrics[name]
		if c.Trials == 0 || !number.IsKnown(e.Value) {
			return nil
		}
		return []word{{Text: number.Round(*e.Value / float64(c.Trials)), Strong: true}}
	}
}

// textOf is what words say without their looks.
func textOf(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Text)
	}
	return b.String()
}

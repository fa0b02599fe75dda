package reports

import (
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
)

// The metrics of what is decided again and again.
const (
	corrected  = "supervisor.correction_rate"
	askedAgain = "supervisor.called_again_rate"
)

// supervisors shows the suite's cells in which it is decided again and again: how
// often that goes wrong and why, and where it leads to. Nothing where there are none.
func supervisors(cells []eval.ConditionSummary) []block {
	cells = slices.DeleteFunc(slices.Clone(cells), func(c eval.ConditionSummary) bool { return !isSupervised(c) })
	if len(cells) == 0 {
		return nil
	}
	g := grid{keys: 1, columns: []column{{head: "variant"}}}
	for _, c := range cells {
		g.rows = append(g.rows, []cell{{text: title(c)}})
	}
	list := []figure{
		{head: "corrected", show: metric(corrected, judged)},
		{head: "called again", show: metric(askedAgain, judged)},
		{head: "steps", show: metric("supervisor.steps_mean", episodes), wanted: measured("supervisor.steps_mean")},
		{head: "exhausted", show: metric("supervisor.exhausted_rate", judged), wanted: measured("supervisor.exhausted_rate")},
		{head: "path exact", show: metric("path.exact", judged), wanted: measured("path.exact")},
	}
	for _, name := range furtherLabels(cells) {
		list = append(list, figure{head: strings.TrimSuffix(name, accuracyOf), show: metric(name, judged), wanted: measured(name)})
	}
	g.add(list, cells)
	blocks := []block{{level: 3, heading: "Supervisor", lines: []line{{
		text: "corrected: of decisions that name an agent. called again: of all decisions. steps, exhausted: of episodes, with the answers to their questions. Others: of cases with that label."}}, grid: g}}
	if why := reasons(cells); len(why.rows) > 0 {
		blocks = append(blocks, block{grid: why})
	}
	return blocks
}

func isSupervised(c eval.ConditionSummary) bool {
	return measured(corrected)(c) || measured("path.exact")(c)
}

// accuracyOf ends the names of shares that are about further labels.
const accuracyOf = ".accuracy"

// furtherLabels are the shares that are about further labels.
func furtherLabels(cells []eval.ConditionSummary) []string {
	found := map[string]struct{}{}
	for _, c := range cells {
		for name := range c.Metrics {
			if strings.HasSuffix(name, accuracyOf) && name != "route"+accuracyOf {
				found[name] = struct{}{}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// reasons has a row for each reason for which decisions were not followed, those
// that correct first, and a column for each cell.
func reasons(cells []eval.ConditionSummary) grid {
	g := grid{keys: 1, columns: []column{{head: "correction"}}}
	for _, c := range cells {
		g.columns = append(g.columns, column{head: title(c)})
	}
	for _, of := range []struct{ metric, then string }{{corrected, "corrected"}, {askedAgain, "called again"}} {
		for _, name := range starting(of.metric+".", cells) {
			row := []cell{{text: strings.TrimPrefix(name, of.metric+".") + ": " + of.then}}
			for _, c := range cells {
				row = append(row, cell{text: rate(c.Metrics[name])})
			}
			g.rows = append(g.rows, row)
		}
	}
	return g
}

// episodes shows a mean, and of how many it is.
func episodes(e eval.Estimate) string { return outOf(e, mean(e), "cut off") }

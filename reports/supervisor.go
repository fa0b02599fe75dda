package reports

import (
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
)

// Names of metrics of a supervisor, which is an agent that decides which other agent acts next.
const (
	corrected   = "supervisor.correction_rate"
	calledAgain = "supervisor.called_again_rate"
)

// supervisors returns the tables for conditions with a supervisor: how often its decisions are
// corrected, why, and the results. It returns nil if no condition has one.
func supervisors(conditions []eval.ConditionSummary) []document.Block {
	conditions = slices.DeleteFunc(slices.Clone(conditions),
		func(c eval.ConditionSummary) bool { return !isSupervised(c) })
	if len(conditions) == 0 {
		return nil
	}
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "variant"}}}
	for _, c := range conditions {
		g.AddRow([]document.Cell{{Text: title(c)}})
	}
	list := []columnSpec{
		{head: "corrected", show: metricText(corrected, scoredRate)},
		{head: "called again", show: metricText(calledAgain, scoredRate)},
		{head: "steps", show: metricText("supervisor.steps_mean", episodeMean),
			applies: hasMetric("supervisor.steps_mean")},
		{head: "exhausted", show: metricText("supervisor.exhausted_rate", scoredRate),
			applies: hasMetric("supervisor.exhausted_rate")},
		{head: "path exact", show: metricText("path.exact", scoredRate), applies: hasMetric("path.exact")},
	}
	for _, name := range furtherLabels(conditions) {
		list = append(list, columnSpec{head: strings.TrimSuffix(name, accuracySuffix),
			show: metricText(name, scoredRate), applies: hasMetric(name)})
	}
	addMetrics(&g, list, conditions)
	blocks := []document.Block{{Level: 3, Heading: "Supervisor", Lines: []document.Line{{
		Text: "corrected: of decisions that name an agent. called again: of all decisions. steps, exhausted: of episodes, with the answers to their questions. Others: of cases with that label."}}, Table: g}}
	if why := reasons(conditions); why.Rows() > 0 {
		blocks = append(blocks, document.Block{Table: why})
	}
	return blocks
}

func isSupervised(c eval.ConditionSummary) bool {
	return hasMetric(corrected)(c) || hasMetric("path.exact")(c)
}

const accuracySuffix = ".accuracy"

// furtherLabels returns the names of the accuracy metrics of all labels except the route.
func furtherLabels(conditions []eval.ConditionSummary) []string {
	found := map[string]struct{}{}
	for _, c := range conditions {
		for name := range c.Metrics {
			if strings.HasSuffix(name, accuracySuffix) && name != "route"+accuracySuffix {
				found[name] = struct{}{}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// reasons returns a table of the reasons why a supervisor's decision was corrected or its agent
// called again. It has one row for each reason and one column for each condition.
func reasons(conditions []eval.ConditionSummary) document.Table {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "correction"}}}
	for _, c := range conditions {
		g.Columns = append(g.Columns, document.Column{Head: title(c)})
	}
	for _, of := range []struct{ metric, then string }{{corrected, "corrected"}, {calledAgain, "called again"}} {
		for _, name := range metricsWithPrefix(of.metric+".", conditions) {
			row := []document.Cell{{Text: strings.TrimPrefix(name, of.metric+".") + ": " + of.then}}
			for _, c := range conditions {
				row = append(row, document.Cell{Text: rateText(c.Metrics[name])})
			}
			g.AddRow(row)
		}
	}
	return g
}

// episodeMean formats a mean over episodes, with the number of episodes and of those that were cut
// off. An episode is the work on one request of the user.
func episodeMean(e eval.Estimate) string { return withDenominator(e, meanText(e), "cut off") }

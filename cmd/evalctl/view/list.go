package view

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// maxListed is the maximum number of runs in the list. It contains the newest ones.
const maxListed = 200

type listHandler struct {
	folders servedDirs
	rows    *rowCache
}

// list sends the page with the list of runs, newest first.
func (s listHandler) list(w http.ResponseWriter, r *http.Request) error {
	places, wrong := s.folders.runs()
	v := page.RunListPage{HomeURL: homePath, CompareURL: comparePath, Trends: trendLinks(s.folders)}
	for _, f := range s.folders {
		v.Dirs = append(v.Dirs, f.path)
	}
	for _, err := range wrong {
		v.Problems = append(v.Problems, err.Error())
	}
	for _, p := range places {
		row, err := s.row(p)
		if err != nil {
			v.Problems = append(v.Problems, err.Error())
			continue
		}
		v.Rows = append(v.Rows, row)
	}
	slices.SortFunc(v.Rows, func(a, b page.RunRow) int {
		return cmp.Or(b.Started.Compare(a.Started), strings.Compare(b.Name, a.Name))
	})
	v.OlderCount = int64(max(0, len(v.Rows)-maxListed))
	v.Rows = v.Rows[:len(v.Rows)-int(v.OlderCount)]
	preselect(v.Rows)
	var text strings.Builder
	policy, err := page.WriteRunList(&text, v)
	if err != nil {
		return err
	}
	send(w, r, renderedPage{status: http.StatusOK, policy: policy, text: []byte(text.String())})
	return nil
}

// preselect selects the two newest runs of the same suite for a comparison.
func preselect(rows []page.RunRow) {
	for i := range rows {
		for j := range rows[:i] {
			if slices.ContainsFunc(rows[i].SuiteNames,
				func(suite string) bool { return slices.Contains(rows[j].SuiteNames, suite) }) {
				rows[i].PreselectEarlier, rows[j].PreselectLater = true, true
				return
			}
		}
	}
}

// row returns the run's row of the list, from its manifest and summary.
func (s listHandler) row(p namedRun) (page.RunRow, error) {
	stamp := stampOf(p.path)
	if row, known := s.rows.get(p.path, stamp); known {
		row.Name, row.Link = p.name, runAddress(p.name)
		return row, nil
	}
	m, err := journal.ReadManifest(p.path)
	if err != nil {
		return page.RunRow{}, err
	}
	sum, err := runs.LoadSummaryOrPlan(p.path)
	if err != nil {
		return page.RunRow{}, err
	}
	row := page.RunRow{
		Name:      p.name,
		Link:      runAddress(p.name),
		Started:   m.Started,
		Status:    string(m.Status),
		IsWarning: m.Status != journal.StatusDone,
	}
	if n := failed(sum.Gates); n > 0 {
		row.Status, row.IsWarning = row.Status+", "+metric.Plural(n, "gate")+" broken", true
	}
	for _, suite := range sum.Suites {
		row.SuiteResults, row.SuiteNames = append(row.SuiteResults, leading(suite)), append(row.SuiteNames, suite.Name)
	}
	s.rows.put(p.path, stamp, row)
	return row, nil
}

func failed(gates []eval.GateVerdict) (n int64) {
	for _, g := range gates {
		if g.Verdict == eval.GateFailed {
			n++
		}
	}
	return n
}

// leading describes the variant with the highest accuracy in a suite, and adds the accuracy with
// its confidence interval. It considers only conditions without a fault.
func leading(s eval.SuiteSummary) string {
	const accuracy = "route.accuracy"
	best, of := "", eval.Estimate{}
	for _, c := range s.Conditions {
		e := c.Metrics[accuracy]
		if cmp.Or(c.Fault, eval.NoFault) == eval.NoFault && metric.IsKnown(e.Value) &&
			(of.Value == nil || *e.Value > *of.Value) {
			best, of = c.Variant, e
		}
	}
	if of.Value == nil {
		return s.Name
	}
	text := s.Name + ": " + best + " " + finding.FormatShare(of)
	if !finding.IsSmallSample(of) && metric.IsKnown(of.Lo) && metric.IsKnown(of.Hi) {
		text += " [" + metric.FormatPercent(*of.Lo) + ", " + metric.FormatPercent(*of.Hi) + "]"
	}
	return text
}

package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// missedCase is what came of a case in all variants without a fault.
type missedCase struct {
	id, language string
	judgments
	wrong map[confusion]int64
	by    map[string]bool // variants that were wrong
}

// confusion is what was decided in place of what.
type confusion struct{ expected, got string }

// mostCases are shown unless all are asked for.
const mostCases = 20

// casePanels list the cases that are decided wrong most often, over all variants and
// epochs.
func casePanels(r Report) ([]panel, error) {
	if r.Run == nil {
		return nil, errNoTrials
	}
	found := map[string]map[string]*missedCase{}
	for res, err := range r.Run.Results() {
		if err != nil {
			return nil, err
		}
		decision, ok := res.Decision()
		if !ok || cmp.Or(res.Fault, eval.NoFault) != eval.NoFault {
			continue
		}
		if found[res.Suite] == nil {
			found[res.Suite] = map[string]*missedCase{}
		}
		c := found[res.Suite][res.Case]
		if c == nil {
			c = &missedCase{id: res.Case, wrong: map[confusion]int64{}, by: map[string]bool{}}
			found[res.Suite][res.Case] = c
		}
		c.add(res, decision)
	}
	var list []panel
	for _, s := range r.Summary.Suites {
		list = append(list, casePanel(s, slices.Collect(maps.Values(found[s.Name]))))
	}
	return list, nil
}

func (c *missedCase) add(res eval.Result, decision eval.Score) {
	c.count(decision.Verdict)
	c.language = max(c.language, res.Language)
	if decision.Verdict == eval.Fail {
		c.wrong[confusion{strings.Join(decision.Expected, " or "), decision.Actual}]++
		c.by[res.Variant] = true
	}
}

func (c *missedCase) missed() int64 { return c.judged - c.right }

// commonly is a case's most frequent mistake, equals by name, and how often it was made.
func (c *missedCase) commonly() (most confusion, n int64) {
	for m, times := range c.wrong {
		if times > n || times == n && cmp.Or(cmp.Compare(m.expected, most.expected), cmp.Compare(m.got, most.got)) < 0 {
			most, n = m, times
		}
	}
	return most, n
}

func casePanel(s eval.SuiteSummary, cases []*missedCase) panel {
	all := len(cases)
	cases = slices.DeleteFunc(cases, func(c *missedCase) bool { return c.missed() == 0 })
	slices.SortFunc(cases, func(a, b *missedCase) int {
		return cmp.Or(cmp.Compare(b.missed(), a.missed()), cmp.Compare(a.judged, b.judged), cmp.Compare(a.id, b.id))
	})
	p := panel{suite: s.Name, shown: mostCases, noun: "case", columns: []panelColumn{
		{name: "case", head: "case"}, {name: "wrong", head: "wrong", right: true}, {name: "scored", head: "of"},
		{name: "expected", head: "expected"}, {name: "top_prediction", head: "top prediction"}, {name: "top_prediction_count", head: "times"},
		{name: "language", head: "language"}, {name: "wrong_in", head: "wrong in"}}}
	p.lines = []line{{text: fmt.Sprintf("%s of %s are wrong in at least one of %s.", grouped(int64(len(cases))), counted(int64(all), "case"), counted(int64(len(finding.FaultFree(s))), "variant"))}}
	for _, c := range cases {
		most, n := c.commonly()
		var by []string
		for _, v := range finding.FaultFree(s) {
			if c.by[v.Name] {
				by = append(by, v.Name)
			}
		}
		names := asManyAs(by, namesRoom)
		if len(by) == len(finding.FaultFree(s)) {
			names = "all"
		}
		p.rows = append(p.rows, []cellValue{nameDatum(c.id), {text: grouped(c.missed()) + " of " + grouped(c.judged), value: c.missed()}, {value: c.judged},
			nameDatum(most.expected), {text: named(most.got) + " ×" + grouped(n), value: most.got}, {value: n},
			wordsDatum(c.language), {text: names, value: strings.Join(by, " ")}})
	}
	return p
}

// namesRoom is what the names of variants take of a row.
const namesRoom = 24

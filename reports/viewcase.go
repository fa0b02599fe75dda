package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// missedCase counts how often a case was right and wrong, over all variants without a fault.
type missedCase struct {
	id, language string
	judgments
	wrong   map[confusion]int64
	wrongIn map[string]bool // variants in which the case was wrong
}

// confusion is an expected label and the label that was predicted instead.
type confusion struct{ expected, got string }

const maxCases = 20

// casePanels returns a table for each suite, with the cases that are wrong most often over all
// variants and epochs.
func casePanels(r Report) ([]document.Block, error) {
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
			c = &missedCase{id: res.Case, wrong: map[confusion]int64{}, wrongIn: map[string]bool{}}
			found[res.Suite][res.Case] = c
		}
		c.add(res, decision)
	}
	var list []document.Block
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
		c.wrongIn[res.Variant] = true
	}
}

func (c *missedCase) missed() int64 { return c.scored - c.right }

// topConfusion returns the confusion that occurred most often in a case, and how often. Ties are
// decided by name.
func (c *missedCase) topConfusion() (top confusion, n int64) {
	for m, times := range c.wrong {
		if times > n || times == n && cmp.Or(cmp.Compare(m.expected, top.expected), cmp.Compare(m.got, top.got)) < 0 {
			top, n = m, times
		}
	}
	return top, n
}

func casePanel(s eval.SuiteSummary, cases []*missedCase) document.Block {
	all := len(cases)
	cases = slices.DeleteFunc(cases, func(c *missedCase) bool { return c.missed() == 0 })
	slices.SortFunc(cases, func(a, b *missedCase) int {
		return cmp.Or(cmp.Compare(b.missed(), a.missed()), cmp.Compare(a.scored, b.scored), cmp.Compare(a.id, b.id))
	})
	p := document.Block{
		Suite:       s.Name,
		VisibleRows: maxCases,
		Noun:        "case",
		Table: document.Table{Keys: 1, Columns: []document.Column{
			{Key: "case", Head: "case"}, {Key: "wrong", Head: "wrong", Right: true}, {Key: "scored", Head: "of"},
			{Key: "expected", Head: "expected"}, {Key: "top_prediction", Head: "top prediction"},
			{Key: "top_prediction_count", Head: "times"},
			{Key: "language", Head: "language"}, {Key: "wrong_in", Head: "wrong in"}}},
	}
	p.Lines = []document.Line{{Text: fmt.Sprintf("%s of %s are wrong in at least one of %s.", thousands(int64(len(cases))),
		plural(int64(all), "case"), plural(int64(len(finding.ConditionsWithoutFault(s))), "variant"))}}
	for _, c := range cases {
		top, n := c.topConfusion()
		var by []string
		for _, v := range finding.ConditionsWithoutFault(s) {
			if c.wrongIn[v.Variant] {
				by = append(by, v.Variant)
			}
		}
		names := fittingNames(by, namesRoom)
		if len(by) == len(finding.ConditionsWithoutFault(s)) {
			names = "all"
		}
		p.Table.AddRow([]document.Cell{nameValue(c.id),
			{Text: thousands(c.missed()) + " of " + thousands(c.scored), Value: c.missed()}, {Value: c.scored},
			nameValue(top.expected), {Text: named(top.got) + " ×" + thousands(n), Value: top.got}, {Value: n},
			textValue(c.language), {Text: names, Value: strings.Join(by, " ")}})
	}
	return p
}

const namesRoom = 24

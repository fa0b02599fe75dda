package page

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// sentence is a finding prepared for the template: its parts have links and emphasis.
type sentence struct {
	IsWarning bool
	Parts     []sentencePart
}

// sentencePart is a part of a sentence with at most one link. It consists of pieces, because some
// words in it can be bold.
type sentencePart struct {
	Link   string
	Pieces []piece
}

type piece struct {
	Text string
	Bold bool
	Cut  bool // the part is a name, which CSS shortens if it is too long
}

const maxSentences = 7

// sentences returns the findings of a suite. The change since the baseline run comes first.
// Adjacent parts about the same cases form one link.
func sentences(s eval.SuiteSummary, before *RunDiff) (list []sentence) {
	found := finding.Findings(s)
	if before != nil {
		of := before.Suite(s.Name)
		if one, is := finding.BaselineChanges(before.BaselinePath, of.Variants, of.NewVariants); is &&
			of.NotComparedReason == "" {
			found = slices.Insert(found, 0, one)
		}
	}
	for _, f := range found {
		if len(list) == maxSentences {
			break
		}
		one := sentence{IsWarning: f.IsWarning()}
		var last *finding.CaseFilter
		for _, p := range f.ShownParts(false) {
			if len(one.Parts) == 0 || p.Link != last {
				one.Parts = append(one.Parts, sentencePart{Link: casesLink(s, p.Link)})
			}
			last = p.Link
			at := &one.Parts[len(one.Parts)-1]
			at.Pieces = append(at.Pieces,
				piece{Text: strings.ReplaceAll(p.Text, " %", "\u00a0%"), Bold: p.Role == finding.VariantName,
					Cut: p.Role == finding.VariantName || p.Role == finding.OtherName})
		}
		list = append(list, one)
	}
	return list
}

func casesLink(s eval.SuiteSummary, c *finding.CaseFilter) string {
	if c == nil {
		return ""
	}
	return CasesLink{
		Suite:     s.Name,
		Variant:   c.Variant,
		Fault:     c.Fault,
		Result:    Result(c.Result),
		Change:    Change(c.Change),
		Expected:  c.Expected,
		Predicted: c.Predicted,
		Tag:       c.Tag,
	}.String()
}

// Gates renders the verdicts of the gates with their reasons: failed ones first, then undecided
// ones.
func Gates(all []eval.GateVerdict) template.HTML {
	if len(all) == 0 {
		return ""
	}
	type shown struct {
		State                finding.GateState
		Rule, Reason, Needed string
	}
	var list []shown
	for _, g := range finding.SortedGates(all) {
		one := shown{State: finding.StateOfGate(g), Rule: g.Rule, Reason: g.Reason}
		if one.State == finding.GateUndecided && g.CasesNeeded > 0 {
			one.Needed = fmt.Sprintf("%s are needed to decide it.", metric.Plural(g.CasesNeeded, "case"))
		}
		list = append(list, one)
	}
	return fragment("gates", map[string]any{"Counts": finding.CountGates(all).String(), "Gates": list})
}

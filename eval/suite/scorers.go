package suite

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/scorer"
)

// scorers judge what the system's contract lets its cases say. What is stopped
// at the decision is judged by that alone.
func (s Suite) scorers(o opened, v Variant, fault string) ([]eval.Scorer, error) {
	c := s.System().Contract
	list := []eval.Scorer{scorer.Route{Field: c.Field}}
	answers := !s.DecisionOnly
	outcome, _ := s.OutcomeOf(v, fault)
	under := fault // that the cases' own expectations name
	if s.Matrix && outcome.Above {
		under = ""
	}
	if answers {
		list = append(list, scorer.Fallback{Fault: under})
	}
	if answers && s.Matrix && fault != eval.NoFault {
		list = append(list, scorer.Degraded{Fault: under, Field: c.Field, Demands: outcome.Then, Tables: s.Tables})
	}
	for _, name := range c.Slots {
		list = append(list, scorer.Slot{Name: name, Exact: slices.Contains(c.Exact, name)})
	}
	for _, field := range c.Also {
		list = append(list, scorer.Also{Field: field})
	}
	list = append(list, scorer.Form{})
	for _, p := range s.System().Parts {
		if p.IsAskedInForm() {
			list = append(list, scorer.Form{Node: p.In()})
		}
	}
	if !answers {
		return list, nil
	}
	if c.Path != "" {
		list = append(list, scorer.Path{Field: c.Path})
	}
	if c.Finds != "" {
		list = append(list, scorer.Retrieval{Field: c.Finds, As: c.FoundAs})
	}
	if c.FindsAll {
		for _, first := range eval.RecallDepths() {
			list = append(list, scorer.Recall{Field: c.Finds, First: first, As: c.FoundAs})
		}
		list = append(list, scorer.Rank{Field: c.Finds, As: c.FoundAs})
	}
	for _, field := range c.Aspects {
		list = append(list, scorer.Further{Field: field})
	}
	list = append(list, s.factScorers()...)
	if o.Order != nil {
		list = append(list, scorer.Order{Pattern: o.Order})
	}
	if o.Components != nil {
		components, err := scorer.NewComponents(o.Components)
		if err != nil {
			return nil, err
		}
		list = append(list, components)
	}
	return list, nil
}

// factScorers judge what answers state, and what a session still holds.
func (s Suite) factScorers() (list []eval.Scorer) {
	c := s.System().Contract
	if c.Facts != "" {
		list = append(list, scorer.Facts{Name: eval.CoverageScore, Field: c.Facts, Judge: scorer.Covering{}},
			scorer.Facts{Name: eval.VerbatimScore, Field: c.Facts, Judge: scorer.Verbatim{}})
		if s.GradeFacts {
			list = append(list, scorer.Facts{Name: eval.GradedScore, Field: c.Facts, Judge: scorer.Graded{}})
		}
	}
	if c.Remembers != "" {
		list = append(list, scorer.Kept{Field: c.Remembers})
	}
	return list
}

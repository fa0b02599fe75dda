package suite

import (
	"slices"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// scorers returns the scorers of a condition: those for all expectations that cases of the target
// can contain. For decision-only trials, it omits the scorers that need an answer.
func (s Suite) scorers(o openVariant, v Variant, fault string) ([]eval.Scorer, error) {
	of := s.SystemOf(v)
	c := of.Contract
	list := []eval.Scorer{scorer.Route{Field: c.LabelField}}
	answers := !s.DecisionOnly
	outcome, _ := s.ExpectationFor(v, fault)
	under := fault // fault whose expectations in cases (under_fault) are used; "": none are used
	if s.FaultMatrix && outcome.OverridesCases {
		under = ""
	}
	if answers {
		list = append(list, scorer.Fallback{Fault: under})
	}
	if answers && s.FaultMatrix && fault != eval.NoFault {
		list = append(list, scorer.FaultOutcome{
			Fault:    under,
			Field:    c.LabelField,
			Expected: outcome.Expect,
			Tables:   s.LabelTables,
		})
	}
	for _, name := range c.Slots {
		list = append(list, scorer.Slot{Name: name, Exact: slices.Contains(c.ExactSlots, name)})
	}
	for _, field := range c.ExtraLabelFields {
		list = append(list, scorer.ExtraLabel{Field: field})
	}
	list = append(list, scorer.FormatCheck{})
	for _, p := range of.Components {
		if p.HasAnswerFormat() {
			list = append(list, scorer.FormatCheck{Node: p.NodeName()})
		}
	}
	if !answers {
		return list, nil
	}
	if c.DecisionPathField != "" {
		list = append(list, scorer.DecisionPath{Field: c.DecisionPathField})
	}
	if c.RetrievalField != "" {
		list = append(list, scorer.HitRate{Field: c.RetrievalField, CanonicalID: c.CanonicalID})
	}
	if c.RequireAllIDs {
		for _, first := range eval.RecallDepths() {
			list = append(list, scorer.RecallAtK{Field: c.RetrievalField, K: first, CanonicalID: c.CanonicalID})
		}
		list = append(list, scorer.MRR{Field: c.RetrievalField, CanonicalID: c.CanonicalID})
	}
	for _, field := range c.AttributeFields {
		list = append(list, scorer.Attribute{Field: field})
	}
	list = append(append(list, s.factScorers(c)...), scorer.Citations{})
	if o.EventOrderPattern != nil {
		list = append(list, scorer.EventOrder{Pattern: o.EventOrderPattern})
	}
	if o.ComponentSchema != nil {
		components, err := scorer.NewUIComponents(o.ComponentSchema)
		if err != nil {
			return nil, err
		}
		list = append(list, components)
	}
	return list, nil
}

// factScorers returns the scorers for facts that answers must state and sessions must retain.
func (s Suite) factScorers(c system.Contract) (list []eval.Scorer) {
	if c.FactsField != "" {
		list = append(list, scorer.Facts{Name: eval.CoverageScore, Field: c.FactsField,
			Judge: scorer.NormalizedMatch{}},
			scorer.Facts{Name: eval.VerbatimScore, Field: c.FactsField, Judge: scorer.ExactMatch{}})
		if s.GradeFacts {
			list = append(list, scorer.Facts{Name: eval.GradedScore, Field: c.FactsField, Judge: scorer.ModelGraded{}})
		}
	}
	if c.MemoryField != "" {
		list = append(list, scorer.RetainedFacts{Field: c.MemoryField})
	}
	return list
}

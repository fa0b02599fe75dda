package reports

import (
	"cmp"

	"evalctl/agent/text"
	"evalctl/eval"
)

// named returns a label as one line of visible text, with a placeholder for the empty label. JSON
// and CSV contain the unchanged label.
func named(label string) string { return text.EscapeLabel(label) }

func fault(c eval.ConditionSummary) string { return cmp.Or(c.Fault, eval.NoFault) }

func title(c eval.ConditionSummary) string {
	if fault(c) == eval.NoFault {
		return c.Variant
	}
	return c.Variant + " + " + c.Fault
}

// shortKey returns the name of condition i for a table row. It omits the variant if the row above
// has the same.
func shortKey(conditions []eval.ConditionSummary, i int) string {
	if i > 0 && conditions[i-1].Variant == conditions[i].Variant && fault(conditions[i]) != eval.NoFault {
		return "+ " + conditions[i].Fault
	}
	return title(conditions[i])
}

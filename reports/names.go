package reports

import (
	"cmp"

	"evalctl/eval"
	"evalctl/reports/visible"
)

// named makes the empty label visible, and one line of any other; JSON and CSV have it whole.
func named(label string) string { return visible.VisibleName(label) }

func fault(c eval.ConditionSummary) string { return cmp.Or(c.Fault, eval.NoFault) }

// title names a cell: the variant, and the fault if there is one.
func title(c eval.ConditionSummary) string {
	if fault(c) == eval.NoFault {
		return c.Name
	}
	return c.Name + " + " + c.Fault
}

// shortKey leaves out the variant where the row above has it.
func shortKey(cells []eval.ConditionSummary, i int) string {
	if i > 0 && cells[i-1].Name == cells[i].Name && fault(cells[i]) != eval.NoFault {
		return "+ " + cells[i].Fault
	}
	return title(cells[i])
}

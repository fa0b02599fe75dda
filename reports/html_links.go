package reports

import (
	"evalctl/eval"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// filterLink returns the address of the cases that a filter selects; "" without a filter.
func filterLink(s eval.SuiteSummary, c *finding.CaseFilter) string {
	if c == nil {
		return ""
	}
	return page.CasesLink{
		Suite:     s.Name,
		Variant:   c.Variant,
		Fault:     c.Fault,
		Result:    page.Result(c.Result),
		Change:    page.Change(c.Change),
		Expected:  c.Expected,
		Predicted: c.Predicted,
		Tag:       c.Tag,
	}.String()
}

// caseList returns the address of the list of a condition's cases.
func caseList(s eval.SuiteSummary, c eval.ConditionSummary) page.CasesLink {
	return page.CasesLink{Suite: s.Name, Variant: c.Variant, Fault: faultFilter(c.Fault)}
}

// faultFilter returns the value of the filter for a fault: "" for no fault.
func faultFilter(fault string) string {
	if fault == eval.NoFault {
		return ""
	}
	return fault
}

// sectionID returns the id of a section of a suite's view.
func sectionID(s eval.SuiteSummary, section string) string {
	return page.ElementID(page.SuiteLink(s.Name, section))
}

// suiteAddress returns the address of a suite's view.
func suiteAddress(s eval.SuiteSummary) string { return page.SuiteLink(s.Name, "") }

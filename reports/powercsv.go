package reports

import (
	"evalctl/eval/power"
	"evalctl/reports/document"
)

// rows returns one row for each comparison and difference to detect, or margin of a gate.
func (p PowerReport) rows() *document.Table {
	g := document.ValueTable("suite", "variant", "compared_with", "fault", "cases", "discordant_cases",
		"discordance", "lo", "hi",
		"family_size", "power", "alpha", "min_detectable_difference", "metric", "difference", "required_cases",
		"required_cases_lo", "required_cases_hi", "min_detectable_difference_all_epochs", "required_cases_all_epochs",
		"discordant_cases_seen")
	for _, s := range p.Suites {
		for _, a := range s.Comparisons {
			add := func(metric string, n power.RequiredCases) {
				g.AddValues(s.Name, a.Variant, a.ComparedWith, a.Fault, a.Cases, a.DiscordantCases, a.Discordance.Value,
					a.Discordance.Lo, a.Discordance.Hi, a.FamilySize, p.Power, p.Alpha,
					a.MinDetectableDifference, metric,
					n.Difference, nonzeroOrNil(n.Cases), nonzeroOrNil(n.CasesLo), nonzeroOrNil(n.CasesHi),
					a.MinDetectableDifferenceAllEpochs, nonzeroOrNil(n.CasesAllEpochs), a.ObservedDiscordantCases)
			}
			for _, n := range a.RequiredCases {
				add("difference", n)
			}
			if a.MarginCases != nil {
				add("margin", *a.MarginCases)
			}
		}
	}
	return g
}

// nonzeroOrNil returns a count as a value of a table. 0 means that there is none.
func nonzeroOrNil(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

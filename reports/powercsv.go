package reports

import (
	"strconv"

	"evalctl/eval/power"
)

// powerCSV renders a power analysis as CSV. Each row is a comparison and a difference to detect, or
// a comparison and the margin of a gate.
func powerCSV(p PowerReport) ([]byte, error) {
	rows := [][]string{{"suite", "variant", "compared_with", "fault", "cases", "discordant_cases", "discordance", "lo",
		"hi", "family_size", "power", "alpha",
		"min_detectable_difference",
		"metric", "difference", "required_cases", "required_cases_lo", "required_cases_hi",
		"min_detectable_difference_all_epochs", "required_cases_all_epochs", "discordant_cases_seen"}}
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	countOrEmpty := func(n int64) string {
		if n == 0 {
			return ""
		}
		return whole(n)
	}
	for _, s := range p.Suites {
		for _, a := range s.Comparisons {
			keys := []string{escapeFormula(s.Name), escapeFormula(a.Variant), escapeFormula(a.ComparedWith),
				escapeFormula(a.Fault), whole(a.Cases), whole(a.DiscordantCases),
				plainNumber(&a.Discordance.Value), plainNumber(&a.Discordance.Lo), plainNumber(&a.Discordance.Hi),
				whole(a.FamilySize), plainNumber(&p.Power), plainNumber(&p.Alpha),
				plainNumber(a.MinDetectableDifference)}
			seen := ""
			if a.ObservedDiscordantCases != nil {
				seen = whole(*a.ObservedDiscordantCases)
			}
			add := func(metric string, n power.RequiredCases) {
				rows = append(rows, append(append([]string(nil), keys...), metric, plainNumber(&n.Difference),
					countOrEmpty(n.Cases), countOrEmpty(n.CasesLo), countOrEmpty(n.CasesHi),
					plainNumber(a.MinDetectableDifferenceAllEpochs), countOrEmpty(n.CasesAllEpochs), seen))
			}
			for _, n := range a.RequiredCases {
				add("difference", n)
			}
			if a.MarginCases != nil {
				add("margin", *a.MarginCases)
			}
		}
	}
	return csvOf(rows)
}

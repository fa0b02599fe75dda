package reports

import (
	"strconv"

	"evalctl/eval/power"
)

// powerCSV has a row for every difference that is wanted of a comparison, and one for
// the gate's margin.
func powerCSV(p Power) ([]byte, error) {
	rows := [][]string{{"suite", "variant", "compared_with", "fault", "cases", "discordant_cases", "discordance", "lo", "hi", "family_size", "power", "alpha",
		"min_detectable_difference",
		"metric", "difference", "required_cases", "required_cases_lo", "required_cases_hi",
		"min_detectable_difference_all_epochs", "required_cases_all_epochs", "discordant_cases_seen"}}
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	enough := func(n int64) string {
		if n == 0 {
			return ""
		}
		return whole(n)
	}
	for _, s := range p.Suites {
		for _, a := range s.Comparisons {
			keys := []string{guarded(s.Name), guarded(a.Variant), guarded(a.ComparedWith), guarded(a.Fault), whole(a.Cases), whole(a.DiscordantCases),
				plainNumber(&a.Discordance.Value), plainNumber(&a.Discordance.Lo), plainNumber(&a.Discordance.Hi), whole(a.FamilySize), plainNumber(&p.Power), plainNumber(&p.Alpha), plainNumber(a.MinDetectableDifference)}
			seen := ""
			if a.DiscordantCasesSeen != nil {
				seen = whole(*a.DiscordantCasesSeen)
			}
			add := func(metric string, n power.RequiredCases) {
				rows = append(rows, append(append([]string(nil), keys...), metric, plainNumber(&n.Difference), enough(n.Cases), enough(n.CasesLo), enough(n.CasesHi),
					plainNumber(a.MinDetectableDifferenceAllEpochs), enough(n.CasesAllEpochs), seen))
			}
			for _, n := range a.RequiredCases {
				add("difference", n)
			}
			if a.Margin != nil {
				add("margin", *a.Margin)
			}
		}
	}
	return csvOf(rows)
}

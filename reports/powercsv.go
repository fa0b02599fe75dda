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
		for _, a := range s.Answers {
			keys := []string{guarded(s.Name), guarded(a.Variant), guarded(a.Against), guarded(a.Fault), whole(a.Cases), whole(a.Differing),
				plainNumber(&a.Share.Value), plainNumber(&a.Share.Lo), plainNumber(&a.Share.Hi), whole(a.Family), plainNumber(&p.Power), plainNumber(&p.Alpha), plainNumber(a.Detectable)}
			seen := ""
			if a.Seen != nil {
				seen = whole(*a.Seen)
			}
			add := func(metric string, n power.Need) {
				rows = append(rows, append(append([]string(nil), keys...), metric, plainNumber(&n.Difference), enough(n.Cases), enough(n.Least), enough(n.Most),
					plainNumber(a.AllEpochs), enough(n.AllEpochs), seen))
			}
			for _, n := range a.Needed {
				add("difference", n)
			}
			if a.Margin != nil {
				add("margin", *a.Margin)
			}
		}
	}
	return csvOf(rows)
}

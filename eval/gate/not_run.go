package gate

import (
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// missingTrialsText explains that an unfinished run has too few trials of a condition, because the
// trials that ran are not a random sample. It returns "" if at most the allowed share is missing.
func missingTrialsText(s eval.Summary, of eval.SuiteSummary, c eval.ConditionSummary, allowed float64) string {
	if !s.Partial || s.Shard != nil {
		return ""
	}
	if c.Tag != "" { // how many trials have the tag is unknown, so all trials count
		i := slices.IndexFunc(of.Conditions,
			func(v eval.ConditionSummary) bool { return v.Variant == c.Variant && v.Fault == c.Fault })
		if i < 0 {
			return ""
		}
		c = of.Conditions[i]
	}
	planned := of.Cases * int64(max(of.Epochs, 1))
	if c.Trials >= planned || 1-float64(c.Trials)/float64(planned) <= allowed {
		return ""
	}
	return fmt.Sprintf("only %s of %s ran", metric.FormatInteger(c.Trials), metric.Plural(planned, "trial"))
}

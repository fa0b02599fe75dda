package power

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// SuiteAnalysis is the power analysis of all comparisons in a suite.
type SuiteAnalysis struct {
	Name               string `json:"name,omitempty"` // name of the suite; "": the analysis is not of a run
	Epochs             int    `json:"epochs,omitempty"`
	Partial            bool   `json:"partial,omitempty"`           // the run did not finish
	SkippedComparisons int64  `json:"insufficient_data,omitempty"` // number of comparisons with too few scored cases
	// Leader is the variant with the highest accuracy without a fault. Of several, it is the first.
	Leader string `json:"leader,omitempty"`
	// LabelBased means that variants differ only in prompts that no model reads: see
	// [eval.UnreadPromptsWarning].
	LabelBased bool `json:"label_based,omitempty"`
	// Simulated means that some discordances are computed as if the errors of simulated models were
	// independent.
	Simulated   bool       `json:"simulated,omitempty"`
	Comparisons []Analysis `json:"comparisons"` // one analysis per comparison of two variants
}

// ForSuite returns the power analysis of the comparisons in a suite's summary. If there are none,
// it assumes typical discordances.
func (q Params) ForSuite(s eval.SuiteSummary) SuiteAnalysis {
	found := SuiteAnalysis{Name: s.Name, Epochs: s.Epochs, Leader: leaderOf(s)}
	var likes []stats.Discordance
	for _, d := range s.Differences {
		if d.State == eval.InsufficientData {
			found.SkippedComparisons++
			continue
		}
		found.LabelBased = found.LabelBased || s.HasUnreadPrompts(d.Variant, d.ComparedWith)
		like := discordanceOf(d)
		a := Analysis{
			Variant:      d.Variant,
			ComparedWith: d.ComparedWith,
			Cases:        d.Cases,
			FamilySize:   cmp.Or(q.FamilySize, d.FamilySize, 1),
		}
		if d.IndependentDiscordance != nil && (s.IsLabelBased(d.Variant) || s.IsLabelBased(d.ComparedWith)) {
			found.Simulated, a.ObservedDiscordantCases = true, new(like.DifferingCases)
			like.DifferingCases, like.SumSquaredDifferences = d.IndependentDiscordance.DifferingCases,
				d.IndependentDiscordance.MeanSquare*float64(d.Cases)
		}
		a.DiscordantCases = like.DifferingCases
		if d.Fault != eval.NoFault {
			a.Fault = d.Fault
		}
		alpha := q.Alpha / float64(a.FamilySize)
		a.Discordance.Value = like.UnexplainedShare(alpha)
		a.Discordance.Lo, a.Discordance.Hi = like.Interval(alpha, level)
		found.Comparisons, likes = append(found.Comparisons, q.resultFor(a, like, s.Epochs > 1)), append(likes, like)
	}
	switch len(found.Comparisons) {
	case 0:
		found.Comparisons = q.ForDiscordance(casesOf(s), TypicalDiscordances()...).Comparisons
	case 1:
		q.setPower(&found.Comparisons[0], likes[0])
	}
	return found
}

// ForPlannedCases returns the power analysis for the cases of a suite with an assumed discordance.
// It ignores the suite's comparisons.
func (q Params) ForPlannedCases(s eval.SuiteSummary, discordance float64) SuiteAnalysis {
	found := q.ForDiscordance(casesOf(s), discordance)
	found.Name, found.Epochs = s.Name, s.Epochs
	return found
}

// ForDiscordance returns the power analysis for a number of cases (0: any) with assumed
// discordances.
func (q Params) ForDiscordance(cases int64, discordances ...float64) SuiteAnalysis {
	var found SuiteAnalysis
	for _, share := range discordances {
		a := Analysis{
			Cases:                cases,
			IsAssumedDiscordance: true,
			FamilySize:           max(q.FamilySize, 1),
			Discordance:          ShareInterval{Value: share, Lo: share, Hi: share},
		}
		found.Comparisons = append(found.Comparisons, q.resultFor(a, stats.Discordance{}, false))
	}
	if len(found.Comparisons) == 1 {
		q.setPower(&found.Comparisons[0], stats.Discordance{})
	}
	return found
}

// TypicalDiscordances returns discordances to assume before a first run. The lowest is typical of
// two successive builds, the middle of two prompts, the highest of very different systems.
func TypicalDiscordances() []float64 { return []float64{0.02, 0.05, 0.1, 0.2, 0.3} }

// discordanceOf returns the share of cases that only one of the two variants got right, as measured
// in a difference.
func discordanceOf(d eval.Difference) stats.Discordance {
	found := stats.Discordance{Cases: d.Cases, DifferingCases: d.Fixed + d.Broken}
	found.SumSquaredDifferences = float64(found.DifferingCases)
	if d.MeanSquaredDifference != nil {
		found.SumSquaredDifferences = *d.MeanSquaredDifference * float64(d.Cases)
	}
	if v := d.Accuracy.Value; v != nil {
		found.SumDifferences = *v * float64(d.Cases)
	}
	return found
}

func leaderOf(s eval.SuiteSummary) (name string) {
	most := -1.0
	for _, c := range s.Conditions {
		if v := c.Metrics["route.accuracy"].Value; c.Fault == eval.NoFault && v != nil && *v > most {
			name, most = c.Variant, *v
		}
	}
	return name
}

// casesOf returns the number of scored cases of a suite, in the condition that has the most.
func casesOf(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Conditions {
		e := c.Metrics["route.accuracy"]
		n = max(n, cmp.Or(e.Cases, e.N))
	}
	return n
}

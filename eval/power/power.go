// Package power computes how large a difference between two variants must be so that a number of
// cases detects it, and how many cases a given difference requires.
//
// Power is the probability that eval/compare reports a true difference in accuracy as significant.
// It depends on the discordance of the two variants: the share of cases in which exactly one of
// them is right. Discordant cases are those that differ anyway, plus those that the difference
// itself flips. In simulation the power at the stated difference is 78 to 81 % if the flips are
// additional, and higher if they fall on cases that differ anyway. A difference that consists of
// few cases that lose all of their epochs must be larger. It is reported separately, with normal
// power.
//
// Simulated models use the same random numbers in all variants, so their variants differ in fewer
// cases than those of real models. The discordance of simulated runs is therefore computed as if
// the errors of the variants were independent.
package power

import (
	"cmp"
	"encoding/json"

	"evalctl/eval/stats"
)

// Params are the parameters of a power analysis.
type Params struct {
	Power float64 `json:"power"` // required probability that a true difference is significant
	Alpha float64 `json:"alpha"` // two-sided significance level for all comparisons of a family together
	// FamilySize is the number of comparisons whose significance is tested together; alpha is
	// divided by it. 0: as in the run, or 1 if there is no run.
	FamilySize  int64     `json:"family_size,omitempty"`
	Differences []float64 `json:"differences"`      // differences in accuracy to detect, as fractions
	Margin      float64   `json:"margin,omitempty"` // drop in accuracy that a gate permits, as a fraction; 0: none
}

// Analysis is the power analysis of one comparison of two variants.
type Analysis struct {
	Variant      string `json:"variant,omitempty"` // the variant that is compared with the variant ComparedWith
	ComparedWith string `json:"compared_with,omitempty"`
	Fault        string `json:"fault,omitempty"`

	// Cases is the number of cases that are scored for both variants, or that are planned; 0: not
	// given.
	Cases int64 `json:"cases,omitempty"`
	// DiscordantCases is the number of cases in which the variants differ. For simulated models it
	// is computed as if their errors were independent.
	DiscordantCases int64 `json:"discordant_cases,omitempty"`
	// ObservedDiscordantCases is the number of cases that actually differ in a run of simulated
	// models; nil: it equals DiscordantCases.
	ObservedDiscordantCases *int64 `json:"discordant_cases_seen,omitempty"`
	// IsAssumedDiscordance means that the discordance is an assumption, not measured in a run.
	IsAssumedDiscordance bool  `json:"assumed,omitempty"`
	FamilySize           int64 `json:"family_size"` // number of comparisons tested together
	// Discordance is the share of cases that differ even if the accuracy is equal.
	Discordance ShareInterval `json:"discordance"`
	// MinDetectableDifference is the smallest detectable difference in accuracy; nil: none is
	// detectable.
	MinDetectableDifference *float64 `json:"min_detectable_difference,omitempty"`
	// MinDetectableDifferenceAllEpochs is the smallest detectable difference if it consists of few
	// cases that lose all of their epochs; nil: the run has one epoch.
	MinDetectableDifferenceAllEpochs *float64 `json:"min_detectable_difference_all_epochs,omitempty"`
	// for each difference in Params.Differences
	RequiredCases []RequiredCases `json:"required_cases"`
	// MarginCases is the number of cases with which the gate passes if nothing has changed, at a
	// one-sided alpha; nil: no gate.
	MarginCases *RequiredCases `json:"margin,omitempty"`
}

// ShareInterval is a share with its 95 % interval. For an assumed share the three values are equal.
type ShareInterval struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// RequiredCases is the number of cases that detect a difference: at the measured discordance
// (Cases), and at the ends of its interval. 0: no number suffices (null in JSON).
type RequiredCases struct {
	Difference float64 `json:"difference"` // difference in accuracy, as a fraction
	Cases      int64   `json:"cases"`      // at the measured discordance
	CasesLo    int64   `json:"cases_lo"`   // at the lower end of the discordance's interval
	CasesHi    int64   `json:"cases_hi"`   // at the upper end of the discordance's interval
	// CasesAllEpochs is the number of cases if the difference consists of few cases that lose all
	// of their epochs; 0: the run has one epoch, or no number suffices.
	CasesAllEpochs int64     `json:"cases_all_epochs,omitempty"`
	PowerAt        []PowerAt `json:"power_at,omitempty"`
}

// MarshalJSON encodes n with null for each number of cases that is 0.
func (n RequiredCases) MarshalJSON() ([]byte, error) {
	type plain RequiredCases
	some := func(cases int64) *int64 {
		if cases == 0 {
			return nil
		}
		return &cases
	}
	return json.Marshal(struct {
		plain
		Cases *int64 `json:"cases"`
		Least *int64 `json:"cases_lo"`
		Most  *int64 `json:"cases_hi"`
	}{plain(n), some(n.Cases), some(n.CasesLo), some(n.CasesHi)})
}

// PowerAt is the probability that a number of cases detects the difference.
type PowerAt struct {
	Cases int64   `json:"cases"`
	Power float64 `json:"power"`
}

// level is the confidence level of the interval of a discordance.
const level = stats.ConfidenceLevel

// resultFor returns the analysis a with the minimum detectable difference and the required cases
// filled in. discordance is that of the cases. repeats means that the cases run in several epochs.
func (q Params) resultFor(a Analysis, discordance stats.Discordance, repeats bool) Analysis {
	alpha, size := q.Alpha/float64(a.FamilySize), discordance.TypicalDifference()
	if v, ok := stats.MinDetectableDifference(a.Cases, a.Discordance.Value, alpha, q.Power); ok {
		a.MinDetectableDifference = new(v * size)
	}
	square := a.Discordance.Value * size * size
	if v, ok := stats.MinDetectableDifferenceAllEpochs(a.Cases, square, alpha, q.Power); ok && repeats {
		a.MinDetectableDifferenceAllEpochs = new(max(v, *cmp.Or(a.MinDetectableDifference, &v)))
	}
	needed := func(share, difference float64) int64 {
		flips := difference / size
		return stats.NeededCases(min(share+flips, 1), flips, alpha, q.Power)
	}
	for _, w := range q.Differences {
		n := RequiredCases{
			Difference: w,
			Cases:      needed(a.Discordance.Value, w),
			CasesLo:    needed(a.Discordance.Lo, w),
			CasesHi:    needed(a.Discordance.Hi, w),
		}
		if repeats {
			n.CasesAllEpochs = max(stats.NeededCasesAllEpochs(square, w, alpha, q.Power), n.Cases)
		}
		a.RequiredCases = append(a.RequiredCases, n)
	}
	if q.Margin > 0 {
		within := func(share float64) int64 {
			if !a.IsAssumedDiscordance {
				share = discordance.Variance(share)
			}
			return stats.NeededCasesForDropGate(share, q.Margin, q.Alpha, q.Power)
		}
		a.MarginCases = &RequiredCases{
			Difference: q.Margin,
			Cases:      within(a.Discordance.Value),
			CasesLo:    within(a.Discordance.Lo),
			CasesHi:    within(a.Discordance.Hi),
		}
	}
	return a
}

// setPower fills in the power of several numbers of cases for each difference, for a table.
func (q Params) setPower(a *Analysis, like stats.Discordance) {
	sizes := []int64{100, 300, 1000, 3000, 10_000}
	if n := a.Cases; n > 0 {
		sizes = []int64{n, 2 * n, 4 * n, 8 * n}
	}
	for i := range a.RequiredCases {
		flips := a.RequiredCases[i].Difference / like.TypicalDifference()
		for _, n := range sizes {
			p := 0.0
			if flips <= 1 {
				p = stats.Power(n, min(a.Discordance.Value+flips, 1), flips, q.Alpha/float64(a.FamilySize))
			}
			a.RequiredCases[i].PowerAt = append(a.RequiredCases[i].PowerAt, PowerAt{Cases: n, Power: p})
		}
	}
}

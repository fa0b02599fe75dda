// Package power computes the minimum detectable difference for a number of cases, and the required
// cases for a difference, from the discordance of two variants.
//
// Power is the probability that eval/compare reports a true difference in accuracy as significant.
// It depends on the number of cases in which two variants differ (their discordance): those that
// differ anyway, plus the flips of the difference. In simulation the power at the stated difference
// is 78 to 81 % if the flips are additional, and higher if losses fall on cases that differ anyway.
// A difference made by few cases that lose all of their epochs must be larger. It is reported
// separately, with normal power.
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

// Params has the parameters of a power analysis.
type Params struct {
	Power float64 `json:"power"` // probability that a difference is significant
	Alpha float64 `json:"alpha"` // two-sided, for all comparisons of a family
	// number of comparisons tested together (Holm's first step); 0: as in the run, or one without a
	// run
	FamilySize  int64     `json:"family_size,omitempty"`
	Differences []float64 `json:"differences"`      // differences in accuracy, as fractions
	Margin      float64   `json:"margin,omitempty"` // permitted drop of accuracy in a gate; 0: none
}

// Result has the results for one comparison.
type Result struct {
	Variant      string `json:"variant,omitempty"` // variant B, compared with A
	ComparedWith string `json:"compared_with,omitempty"`
	Fault        string `json:"fault,omitempty"`

	// scored by both, or planned; 0: any number
	Cases int64 `json:"cases,omitempty"`
	// cases that differ; for simulated models, if their errors were independent
	DiscordantCases int64 `json:"discordant_cases,omitempty"`
	// cases that differ in a run of simulated models; nil: equals DiscordantCases
	DiscordantCasesSeen *int64 `json:"discordant_cases_seen,omitempty"`
	// the discordance is assumed, not measured
	Assumed    bool  `json:"assumed,omitempty"`
	FamilySize int64 `json:"family_size"`
	// share of cases that differ without a difference in accuracy
	Discordance Range `json:"discordance"`
	// nil: no difference is detectable
	MinDetectableDifference *float64 `json:"min_detectable_difference,omitempty"`
	// if few cases lose all of their epochs; nil: with one epoch
	MinDetectableDifferenceAllEpochs *float64        `json:"min_detectable_difference_all_epochs,omitempty"`
	RequiredCases                    []RequiredCases `json:"required_cases"`
	// cases with which the gate passes if nothing changed, at a one-sided alpha
	Margin *RequiredCases `json:"margin,omitempty"`
}

// Range is a share with its 95 % interval. The three are equal for an assumed share.
type Range struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// RequiredCases has the number of cases that detect a difference, at the measured discordance and
// at the ends of its interval. 0: no number suffices (null in JSON).
type RequiredCases struct {
	Difference float64 `json:"difference"`
	Cases      int64   `json:"cases"`
	CasesLo    int64   `json:"cases_lo"`
	CasesHi    int64   `json:"cases_hi"`
	// if few cases lose all of their epochs; 0: with one epoch, or no number suffices
	CasesAllEpochs int64     `json:"cases_all_epochs,omitempty"`
	PowerAt        []PowerAt `json:"power_at,omitempty"`
}

// MarshalJSON writes 0 as null.
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

// PowerAt is the power of a number of cases to detect the difference.
type PowerAt struct {
	Cases int64   `json:"cases"`
	Power float64 `json:"power"`
}

// level is the confidence level of a discordance's interval.
const level = stats.Level

// resultFor computes the results. discordance has the discordance of the cases. repeats: they run
// in several epochs.
func (q Params) resultFor(a Result, discordance stats.Discordance, repeats bool) Result {
	alpha, size := q.Alpha/float64(a.FamilySize), discordance.Size()
	if v, ok := stats.Detectable(a.Cases, a.Discordance.Value, alpha, q.Power); ok {
		a.MinDetectableDifference = new(v * size)
	}
	square := a.Discordance.Value * size * size
	if v, ok := stats.DetectableInAllEpochs(a.Cases, square, alpha, q.Power); ok && repeats {
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
			n.CasesAllEpochs = max(stats.NeededInAllEpochs(square, w, alpha, q.Power), n.Cases)
		}
		a.RequiredCases = append(a.RequiredCases, n)
	}
	if q.Margin > 0 {
		within := func(share float64) int64 {
			if !a.Assumed {
				share = discordance.Variance(share)
			}
			return stats.NeededForDrop(share, q.Margin, q.Alpha, q.Power)
		}
		a.Margin = &RequiredCases{
			Difference: q.Margin,
			Cases:      within(a.Discordance.Value),
			CasesLo:    within(a.Discordance.Lo),
			CasesHi:    within(a.Discordance.Hi),
		}
	}
	return a
}

// setPower sets the power of several numbers of cases for each difference.
func (q Params) setPower(a *Result, like stats.Discordance) {
	sizes := []int64{100, 300, 1000, 3000, 10_000}
	if n := a.Cases; n > 0 {
		sizes = []int64{n, 2 * n, 4 * n, 8 * n}
	}
	for i := range a.RequiredCases {
		flips := a.RequiredCases[i].Difference / like.Size()
		for _, n := range sizes {
			p := 0.0
			if flips <= 1 {
				p = stats.Power(n, min(a.Discordance.Value+flips, 1), flips, q.Alpha/float64(a.FamilySize))
			}
			a.RequiredCases[i].PowerAt = append(a.RequiredCases[i].PowerAt, PowerAt{Cases: n, Power: p})
		}
	}
}

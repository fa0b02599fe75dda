// Package power tells how small a difference cases can show, and how many a wanted one
// needs, from how often two variants differ.
//
// Power is the chance that a difference of accuracy that is there is proven, as
// eval/compare proves it. It depends on the cases in which two variants differ (their
// discordance): those that differ whichever is better, and the flips of the difference,
// which come on top of them. Simulated, the power at the stated difference is 78 to
// 81 % where that is so, and above where losses fall on cases that differ anyway. A
// difference made by few cases that lose all of their epochs must be larger; it is
// stated apart, with normal power.
//
// Simulated models answer from the same random numbers in all variants. Their variants
// differ in fewer cases than those of real models, so that the discordance of simulated
// runs is computed as if the errors of the variants were independent.
package power

import (
	"cmp"
	"encoding/json"

	"evalctl/eval/stats"
)

// Question is what is asked of comparisons.
type Question struct {
	Power       float64   `json:"power"`                 // chance that a difference is proven
	Alpha       float64   `json:"alpha"`                 // two-sided, of all comparisons that are tested together
	FamilySize  int64     `json:"family_size,omitempty"` // how many those are, by Holm's first step; 0: as many as the run has, one without a run
	Differences []float64 `json:"differences"`           // differences of accuracy, fractions
	Margin      float64   `json:"margin,omitempty"`      // that a gate allows a drop of accuracy; 0: none
}

// Answer is what one comparison can show.
type Answer struct {
	Variant      string `json:"variant,omitempty"` // B, held against A
	ComparedWith string `json:"compared_with,omitempty"`
	Fault        string `json:"fault,omitempty"`

	Cases                            int64           `json:"cases,omitempty"`                 // that both judged, or are planned; 0: any number
	DiscordantCases                  int64           `json:"discordant_cases,omitempty"`      // of them; of simulated models, if their errors were independent
	DiscordantCasesSeen              *int64          `json:"discordant_cases_seen,omitempty"` // that differ in a run of simulated models; nil: Differing are those
	Assumed                          bool            `json:"assumed,omitempty"`               // the discordance was not seen
	FamilySize                       int64           `json:"family_size"`
	Discordance                      Range           `json:"discordance"`                                    // of the cases that differ without a difference
	MinDetectableDifference          *float64        `json:"min_detectable_difference,omitempty"`            // the least difference that the cases show; nil: they show none
	MinDetectableDifferenceAllEpochs *float64        `json:"min_detectable_difference_all_epochs,omitempty"` // the least if few cases lose all of their epochs; nil: with one epoch, Detectable is
	RequiredCases                    []RequiredCases `json:"required_cases"`
	Margin                           *RequiredCases  `json:"margin,omitempty"` // cases with which the gate passes where nothing has changed, at a one-sided alpha
}

// Range is a share with its 95 % interval; of one that is assumed all are the same.
type Range struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// RequiredCases is how many cases show a difference: at the discordance that was seen, and at
// the ends of its interval. 0: no number does, null in JSON.
type RequiredCases struct {
	Difference     float64   `json:"difference"`
	Cases          int64     `json:"cases"`
	CasesLo        int64     `json:"cases_lo"`
	CasesHi        int64     `json:"cases_hi"`
	CasesAllEpochs int64     `json:"cases_all_epochs,omitempty"` // cases, if few of them lose all of their epochs; 0: with one epoch, or no number does
	PowerAt        []PowerAt `json:"power_at,omitempty"`
}

// MarshalJSON writes null for a number that there is not.
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

// PowerAt is that of so many cases to show the difference.
type PowerAt struct {
	Cases int64   `json:"cases"`
	Power float64 `json:"power"`
}

// level is that of the interval of a discordance.
const level = stats.Level

// answer asks the question of cases that differ like those, of which a share does
// without the difference; repeats: they are run in several epochs.
func (q Question) answer(a Answer, like stats.Discordance, repeats bool) Answer {
	alpha, size := q.Alpha/float64(a.FamilySize), like.Size()
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
		n := RequiredCases{Difference: w, Cases: needed(a.Discordance.Value, w), CasesLo: needed(a.Discordance.Lo, w), CasesHi: needed(a.Discordance.Hi, w)}
		if repeats {
			n.CasesAllEpochs = max(stats.NeededInAllEpochs(square, w, alpha, q.Power), n.Cases)
		}
		a.RequiredCases = append(a.RequiredCases, n)
	}
	if q.Margin > 0 {
		within := func(share float64) int64 {
			if !a.Assumed {
				share = like.Variance(share)
			}
			return stats.NeededForDrop(share, q.Margin, q.Alpha, q.Power)
		}
		a.Margin = &RequiredCases{Difference: q.Margin, Cases: within(a.Discordance.Value), CasesLo: within(a.Discordance.Lo), CasesHi: within(a.Discordance.Hi)}
	}
	return a
}

// chances fills in how often each wanted difference is shown by how many cases.
func (q Question) chances(a *Answer, like stats.Discordance) {
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

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
	Power  float64   `json:"power"`                 // chance that a difference is proven
	Alpha  float64   `json:"alpha"`                 // two-sided, of all comparisons that are tested together
	Family int64     `json:"family_size,omitempty"` // how many those are, by Holm's first step; 0: as many as the run has, one without a run
	Wanted []float64 `json:"differences"`           // differences of accuracy, fractions
	Margin float64   `json:"margin,omitempty"`      // that a gate allows a drop of accuracy; 0: none
}

// Answer is what one comparison can show.
type Answer struct {
	Variant string `json:"variant,omitempty"` // B, held against A
	Against string `json:"compared_with,omitempty"`
	Fault   string `json:"fault,omitempty"`

	Cases      int64    `json:"cases,omitempty"`                 // that both judged, or are planned; 0: any number
	Differing  int64    `json:"discordant_cases,omitempty"`      // of them; of simulated models, if their errors were independent
	Seen       *int64   `json:"discordant_cases_seen,omitempty"` // that differ in a run of simulated models; nil: Differing are those
	Assumed    bool     `json:"assumed,omitempty"`               // the discordance was not seen
	Family     int64    `json:"family_size"`
	Share      Range    `json:"discordance"`                                    // of the cases that differ without a difference
	Detectable *float64 `json:"min_detectable_difference,omitempty"`            // the least difference that the cases show; nil: they show none
	AllEpochs  *float64 `json:"min_detectable_difference_all_epochs,omitempty"` // the least if few cases lose all of their epochs; nil: with one epoch, Detectable is
	Needed     []Need   `json:"required_cases"`
	Margin     *Need    `json:"margin,omitempty"` // cases with which the gate passes where nothing has changed, at a one-sided alpha
}

// Range is a share with its 95 % interval; of one that is assumed all are the same.
type Range struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// Need is how many cases show a difference: at the discordance that was seen, and at
// the ends of its interval. 0: no number does, null in JSON.
type Need struct {
	Difference float64  `json:"difference"`
	Cases      int64    `json:"cases"`
	Least      int64    `json:"cases_lo"`
	Most       int64    `json:"cases_hi"`
	AllEpochs  int64    `json:"cases_all_epochs,omitempty"` // cases, if few of them lose all of their epochs; 0: with one epoch, or no number does
	Chances    []Chance `json:"power_at,omitempty"`
}

// MarshalJSON writes null for a number that there is not.
func (n Need) MarshalJSON() ([]byte, error) {
	type plain Need
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
	}{plain(n), some(n.Cases), some(n.Least), some(n.Most)})
}

// Chance is that of so many cases to show the difference.
type Chance struct {
	Cases int64   `json:"cases"`
	Power float64 `json:"power"`
}

// level is that of the interval of a discordance.
const level = stats.Level

// answer asks the question of cases that differ like those, of which a share does
// without the difference; repeats: they are run in several epochs.
func (q Question) answer(a Answer, like stats.Discordance, repeats bool) Answer {
	alpha, size := q.Alpha/float64(a.Family), like.Size()
	if v, ok := stats.Detectable(a.Cases, a.Share.Value, alpha, q.Power); ok {
		a.Detectable = new(v * size)
	}
	square := a.Share.Value * size * size
	if v, ok := stats.DetectableInAllEpochs(a.Cases, square, alpha, q.Power); ok && repeats {
		a.AllEpochs = new(max(v, *cmp.Or(a.Detectable, &v)))
	}
	needed := func(share, difference float64) int64 {
		flips := difference / size
		return stats.NeededCases(min(share+flips, 1), flips, alpha, q.Power)
	}
	for _, w := range q.Wanted {
		n := Need{Difference: w, Cases: needed(a.Share.Value, w), Least: needed(a.Share.Lo, w), Most: needed(a.Share.Hi, w)}
		if repeats {
			n.AllEpochs = max(stats.NeededInAllEpochs(square, w, alpha, q.Power), n.Cases)
		}
		a.Needed = append(a.Needed, n)
	}
	if q.Margin > 0 {
		within := func(share float64) int64 {
			if !a.Assumed {
				share = like.Variance(share)
			}
			return stats.NeededForDrop(share, q.Margin, q.Alpha, q.Power)
		}
		a.Margin = &Need{Difference: q.Margin, Cases: within(a.Share.Value), Least: within(a.Share.Lo), Most: within(a.Share.Hi)}
	}
	return a
}

// chances fills in how often each wanted difference is shown by how many cases.
func (q Question) chances(a *Answer, like stats.Discordance) {
	sizes := []int64{100, 300, 1000, 3000, 10_000}
	if n := a.Cases; n > 0 {
		sizes = []int64{n, 2 * n, 4 * n, 8 * n}
	}
	for i := range a.Needed {
		flips := a.Needed[i].Difference / like.Size()
		for _, n := range sizes {
			p := 0.0
			if flips <= 1 {
				p = stats.Power(n, min(a.Share.Value+flips, 1), flips, q.Alpha/float64(a.Family))
			}
			a.Needed[i].Chances = append(a.Needed[i].Chances, Chance{Cases: n, Power: p})
		}
	}
}

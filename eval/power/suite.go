package power

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// Suite is what the comparisons of a suite can show.
type Suite struct {
	Name             string   `json:"name,omitempty"` // "": there was no run
	Epochs           int      `json:"epochs,omitempty"`
	Partial          bool     `json:"partial,omitempty"`           // not all of it was played
	InsufficientData int64    `json:"insufficient_data,omitempty"` // comparisons of which too little was judged
	Leader           string   `json:"leader,omitempty"`            // the variant with the highest accuracy without a fault; of several the first
	LabelBased       bool     `json:"label_based,omitempty"`       // variants differ in prompts that no model reads: see [eval.LabelBasedText]
	Simulated        bool     `json:"simulated,omitempty"`         // some discordances are computed as if the errors of simulated models were independent
	Comparisons      []Answer `json:"comparisons"`
}

// ForSuite answers for the comparisons that a suite has made. Where it has made none, the
// discordance is assumed.
func (q Question) ForSuite(s eval.SuiteSummary) Suite {
	found := Suite{Name: s.Name, Epochs: s.Epochs, Leader: leaderOf(s)}
	var likes []stats.Discordance
	for _, d := range s.Differences {
		if d.State == eval.InsufficientData {
			found.InsufficientData++
			continue
		}
		found.LabelBased = found.LabelBased || s.HasUnreadPrompts(d.Variant, d.ComparedWith)
		like := discordanceOf(d)
		a := Answer{Variant: d.Variant, ComparedWith: d.ComparedWith, Cases: d.Cases, FamilySize: cmp.Or(q.FamilySize, d.FamilySize, 1)}
		if d.Independent != nil && (s.DecidesByLabels(d.Variant) || s.DecidesByLabels(d.ComparedWith)) {
			found.Simulated, a.DiscordantCasesSeen = true, new(like.Differing)
			like.Differing, like.Squares = d.Independent.Differing, d.Independent.Square*float64(d.Cases)
		}
		a.DiscordantCases = like.Differing
		if d.Fault != eval.NoFault {
			a.Fault = d.Fault
		}
		alpha := q.Alpha / float64(a.FamilySize)
		a.Discordance.Value = like.Share(alpha)
		a.Discordance.Lo, a.Discordance.Hi = like.Interval(alpha, level)
		found.Comparisons, likes = append(found.Comparisons, q.answer(a, like, s.Epochs > 1)), append(likes, like)
	}
	switch len(found.Comparisons) {
	case 0:
		found.Comparisons = q.ForDiscordance(casesOf(s), TypicalDiscordances()...).Comparisons
	case 1:
		q.chances(&found.Comparisons[0], likes[0])
	}
	return found
}

// ForPlannedCases answers for the cases of a suite, whatever its comparisons came to.
func (q Question) ForPlannedCases(s eval.SuiteSummary, discordance float64) Suite {
	found := q.ForDiscordance(casesOf(s), discordance)
	found.Name, found.Epochs = s.Name, s.Epochs
	return found
}

// ForDiscordance answers for so many cases, 0 for any number, of which such shares differ.
func (q Question) ForDiscordance(cases int64, discordances ...float64) Suite {
	var found Suite
	for _, share := range discordances {
		a := Answer{Cases: cases, Assumed: true, FamilySize: max(q.FamilySize, 1), Discordance: Range{Value: share, Lo: share, Hi: share}}
		found.Comparisons = append(found.Comparisons, q.answer(a, stats.Discordance{}, false))
	}
	if len(found.Comparisons) == 1 {
		q.chances(&found.Comparisons[0], stats.Discordance{})
	}
	return found
}

// TypicalDiscordances are discordances to assume where none is known: of a build and the next, of
// two prompts, and of systems that have little in common.
func TypicalDiscordances() []float64 { return []float64{0.02, 0.05, 0.1, 0.2, 0.3} }

// discordanceOf reads how much differs from a comparison.
func discordanceOf(d eval.Difference) stats.Discordance {
	found := stats.Discordance{Cases: d.Cases, Differing: d.Fixed + d.Broken}
	found.Squares = float64(found.Differing)
	if d.MeanSquaredDifference != nil {
		found.Squares = *d.MeanSquaredDifference * float64(d.Cases)
	}
	if v := d.Accuracy.Value; v != nil {
		found.Sum = *v * float64(d.Cases)
	}
	return found
}

func leaderOf(s eval.SuiteSummary) (name string) {
	most := -1.0
	for _, c := range s.Conditions {
		if v := c.Metrics["route.accuracy"].Value; c.Fault == eval.NoFault && v != nil && *v > most {
			name, most = c.Name, *v
		}
	}
	return name
}

// casesOf is how many cases of a suite were judged, in the variant that has most.
func casesOf(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Conditions {
		e := c.Metrics["route.accuracy"]
		n = max(n, cmp.Or(e.Cases, e.N))
	}
	return n
}

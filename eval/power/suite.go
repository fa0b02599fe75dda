package power

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// Suite is what the comparisons of a suite can show.
type Suite struct {
	Name      string   `json:"name,omitempty"` // "": there was no run
	Epochs    int      `json:"epochs,omitempty"`
	Partial   bool     `json:"partial,omitempty"`           // not all of it was played
	Unknown   int64    `json:"insufficient_data,omitempty"` // comparisons of which too little was judged
	Leader    string   `json:"leader,omitempty"`            // the variant with the highest accuracy without a fault; of several the first
	Unread    bool     `json:"label_based,omitempty"`       // variants differ in prompts that no model reads: see [eval.Unread]
	Simulated bool     `json:"simulated,omitempty"`         // some discordances are computed as if the errors of simulated models were independent
	Answers   []Answer `json:"comparisons"`
}

// Of answers for the comparisons that a suite has made. Where it has made none, the
// discordance is assumed.
func (q Question) Of(s eval.SuiteSummary) Suite {
	found := Suite{Name: s.Name, Epochs: s.Epochs, Leader: leaderOf(s)}
	var likes []stats.Discordance
	for _, d := range s.Differences {
		if d.State == eval.Unknown {
			found.Unknown++
			continue
		}
		found.Unread = found.Unread || s.HasUnreadPrompts(d.Variant, d.Against)
		like := discordanceOf(d)
		a := Answer{Variant: d.Variant, Against: d.Against, Cases: d.Cases, Family: cmp.Or(q.Family, d.Family, 1)}
		if d.Independent != nil && (s.DecidesByLabels(d.Variant) || s.DecidesByLabels(d.Against)) {
			found.Simulated, a.Seen = true, new(like.Differing)
			like.Differing, like.Squares = d.Independent.Differing, d.Independent.Square*float64(d.Cases)
		}
		a.Differing = like.Differing
		if d.Fault != eval.NoFault {
			a.Fault = d.Fault
		}
		alpha := q.Alpha / float64(a.Family)
		a.Share.Value = like.Share(alpha)
		a.Share.Lo, a.Share.Hi = like.Interval(alpha, level)
		found.Answers, likes = append(found.Answers, q.answer(a, like, s.Epochs > 1)), append(likes, like)
	}
	switch len(found.Answers) {
	case 0:
		found.Answers = q.Assume(casesOf(s), Usual()...).Answers
	case 1:
		q.chances(&found.Answers[0], likes[0])
	}
	return found
}

// OfAssumed answers for the cases of a suite, whatever its comparisons came to.
func (q Question) OfAssumed(s eval.SuiteSummary, discordance float64) Suite {
	found := q.Assume(casesOf(s), discordance)
	found.Name, found.Epochs = s.Name, s.Epochs
	return found
}

// Assume answers for so many cases, 0 for any number, of which such shares differ.
func (q Question) Assume(cases int64, discordances ...float64) Suite {
	var found Suite
	for _, share := range discordances {
		a := Answer{Cases: cases, Assumed: true, Family: max(q.Family, 1), Share: Range{Value: share, Lo: share, Hi: share}}
		found.Answers = append(found.Answers, q.answer(a, stats.Discordance{}, false))
	}
	if len(found.Answers) == 1 {
		q.chances(&found.Answers[0], stats.Discordance{})
	}
	return found
}

// Usual are discordances to assume where none is known: of a build and the next, of
// two prompts, and of systems that have little in common.
func Usual() []float64 { return []float64{0.02, 0.05, 0.1, 0.2, 0.3} }

// discordanceOf reads how much differs from a comparison.
func discordanceOf(d eval.Difference) stats.Discordance {
	found := stats.Discordance{Cases: d.Cases, Differing: d.Gained + d.Lost}
	found.Squares = float64(found.Differing)
	if d.Square != nil {
		found.Squares = *d.Square * float64(d.Cases)
	}
	if v := d.Accuracy.Value; v != nil {
		found.Sum = *v * float64(d.Cases)
	}
	return found
}

func leaderOf(s eval.SuiteSummary) (name string) {
	most := -1.0
	for _, c := range s.Variants {
		if v := c.Metrics["route.accuracy"].Value; c.Fault == eval.NoFault && v != nil && *v > most {
			name, most = c.Name, *v
		}
	}
	return name
}

// casesOf is how many cases of a suite were judged, in the variant that has most.
func casesOf(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Variants {
		e := c.Metrics["route.accuracy"]
		n = max(n, cmp.Or(e.Cases, e.N))
	}
	return n
}

package finding

import (
	"math"

	"evalctl/eval"
	"evalctl/eval/number"
)

// critics says which critics let bad pictures pass, where they are told apart.
func critics(s suite) *Sentence {
	var cells []eval.CellSummary
	for _, c := range Sound(s.SuiteSummary) {
		if e := c.Metrics[falseAccept]; number.Known(e.Value) && number.Known(e.Lo) && number.Known(e.Hi) {
			cells = append(cells, c)
		}
	}
	if len(cells) < 2 {
		return nil
	}
	worst, best := cells[0].Metrics[falseAccept], cells[0].Metrics[falseAccept]
	for _, c := range cells {
		e := c.Metrics[falseAccept]
		if *e.Value > *worst.Value {
			worst = e
		}
		if *e.Value < *best.Value {
			best = e
		}
	}
	if *worst.Lo <= *best.Hi {
		return nil
	}
	var bad, good []eval.CellSummary
	for _, c := range cells {
		e := c.Metrics[falseAccept]
		lax, strict := *e.Hi >= *worst.Lo, *e.Lo <= *best.Hi
		switch {
		case lax && !strict:
			bad = append(bad, c)
		case strict && !lax:
			good = append(good, c)
		}
	}
	out := &Sentence{Kind: Critic}
	out.say("Of bad pictures the " + critic(bad))
	out.passing(bad, " pass ", " passes ")
	out.say(", " + those(good))
	out.passing(good, " ", " ")
	return out
}

const falseAccept = "critic.false_accept"

func critic(cells []eval.CellSummary) string {
	if len(cells) == 1 {
		return "critic of "
	}
	return "critics of "
}

func those(cells []eval.CellSummary) string {
	if len(cells) == 1 {
		return "that of "
	}
	return "those of "
}

// passing says how much of what is bad they let pass.
func (out *Sentence) passing(cells []eval.CellSummary, many, one string) {
	var names []string
	for _, c := range cells {
		names = append(names, c.Name)
	}
	out.variants(names...)
	verb := many
	if len(cells) == 1 {
		verb = one
	}
	first := cells[0].Metrics[falseAccept]
	lo, hi, same := *first.Value, *first.Value, true
	for _, c := range cells {
		e := c.Metrics[falseAccept]
		lo, hi = min(lo, *e.Value), max(hi, *e.Value)
		same = same && Share(e) == Share(first) && e.N == first.N
	}
	if same {
		out.say(verb + Share(first))
		if !Few(first) {
			out.aside(" (" + Counts(first) + ")")
		}
		return
	}
	out.say(verb + between(lo, hi) + " %")
}

// between is a range of shares, in whole percent where that tells its ends apart.
func between(lo, hi float64) string {
	a, b := number.Whole(math.Round(100*lo)), number.Whole(math.Round(100*hi))
	if a == b {
		a, b = number.Percent(lo), number.Percent(hi)
	}
	if a == b {
		return a
	}
	return a + "–" + b
}

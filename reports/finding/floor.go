package finding

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// notAbove says which variants are not proven to decide better than the best
// floor: their price buys nothing. Of cases that were picked because they failed
// nothing follows.
func notAbove(s suite) *Sentence {
	ranked := Ranked(s.SuiteSummary)
	at := slices.IndexFunc(ranked, func(c eval.CellSummary) bool { return c.Floor })
	if at < 0 || s.FailedIn != "" {
		return nil
	}
	floor, below := ranked[at], []eval.Difference(nil) // the most accurate first
	for _, c := range ranked {
		d, ok := Difference(s.SuiteSummary, c.Name, floor.Name)
		if ok && !c.Floor && d.State != eval.Better && d.State != eval.Unknown && number.Known(d.Accuracy.Value) {
			below = append(below, d)
		}
	}
	if len(below) == 0 {
		return nil
	}
	out := &Sentence{Kind: Floor}
	out.some(below)
	if len(below) == 1 {
		out.say(" does")
	} else {
		out.say(" do")
	}
	out.say(" not beat the floor (")
	out.variants(floor.Name)
	out.say(": " + share(floor.Metrics[accuracy]) + " right)")
	if len(below) > 1 {
		out.say("; the best of them, ")
		out.variants(below[0].Variant)
	}
	out.say(": " + number.Points(*below[0].Accuracy.Value) + " points")
	if c := below[0].Accuracy; number.Known(c.Lo) && number.Known(c.Hi) {
		out.say(" (" + number.Points(*c.Lo) + " to " + number.Points(*c.Hi) + ")")
	}
	return out
}

// mostBelow are named one by one.
const mostBelow = 3

// some names variants: of many the first.
func (out *Sentence) some(list []eval.Difference) {
	var names []string
	for _, d := range list {
		names = append(names, d.Variant)
	}
	if len(names) <= mostBelow {
		out.variants(names...)
		return
	}
	out.variants(names[0])
	out.say(" and " + number.Grouped(int64(len(names)-1)) + " more")
}

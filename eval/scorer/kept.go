package scorer

import (
	"context"
	"fmt"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// RetainedFacts judges how many facts of earlier turns a session still holds once it was
// compressed: of those that the case lists for a turn, the share that stands, as Covering
// takes it, in what the last compression of the session in that turn or before it left,
// or in what was said from the turn of that compression on, before this one. Turns that
// list none, or before which nothing was compressed, do not count. Of several it is the
// mean.
type RetainedFacts struct {
	Field string // of the expectation that lists the facts
}

var _ eval.Scorer = RetainedFacts{}

// held is what a session holds as far as is known.
type held struct {
	text       string // what the last compression left, and what was said since
	compressed bool
	lost       bool // a turn of it failed or ended in an apology
}

// Score has the share as its value, and passes where it is all of them. A turn that was
// not played leaves the case unjudged, whether or not it would have counted; so does one
// before which nothing was compressed, but a turn of its session was lost: it might have
// been.
func (s RetainedFacts) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	sessions := map[string]held{}
	return meanOfTurns(eval.FactsKeptScore, c, func(i int) (eval.Score, bool, error) {
		facts, err := c.Turns[i].Facts(s.Field)
		if err != nil {
			return eval.Score{}, false, fmt.Errorf("expect.%s: %w", s.Field, err)
		}
		if i >= len(o.Turns) {
			return shareOf(eval.FactsKeptScore, i+1, facts, nil), len(facts) > 0, nil
		}
		name := c.Turns[i].Session
		h := sessions[name]
		if name == "" { // none but the turn's own
			h = held{}
		}
		if context, ok := lastContext(o.Turns[i].Events); ok {
			h.text, h.compressed = context, true
		}
		sessions[name] = h.after(c.Turns[i].Text, o.Turns[i].Reply.Content, isAnswered(i, o))
		switch {
		case len(facts) == 0 || !h.compressed && !h.lost:
			return eval.Score{}, false, nil
		case !h.compressed:
			return shareOf(eval.FactsKeptScore, i+1, facts, nil), true, nil
		}
		return shareOf(eval.FactsKeptScore, i+1, facts, covered(h.text, facts)), true, nil
	})
}

// after is what is held after a turn: of one that was not answered nothing is.
func (h held) after(asked, answer string, answered bool) held {
	if !answered {
		h.lost = true
		return h
	}
	h.text += "\n\n" + asked + "\n\n" + answer
	return h
}

// lastContext is what the last compression of a turn left.
func lastContext(events []trace.Event) (text string, ok bool) {
	for _, e := range events {
		if c, is := eval.ParseCompression(e); is {
			text, ok = c.Context, true
		}
	}
	return text, ok
}

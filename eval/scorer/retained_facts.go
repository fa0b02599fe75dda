package scorer

import (
	"context"
	"fmt"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// RetainedFacts scores how many facts of earlier turns a session retains after compression. The
// score is the share of a turn's listed facts that are still present, compared as in
// [EquivalentMatch]. A fact may be in the result of the last compression, in or before the turn. It
// may also be in the messages since that compression's turn, before this turn. Turns without facts,
// or without an earlier compression, do not count. For several turns it is the mean.
type RetainedFacts struct {
	Field string // field of the expectation with the facts
}

var _ eval.Scorer = RetainedFacts{}

// sessionContent is the known content of a session.
type sessionContent struct {
	text       string // result of the last compression, and the messages since
	compressed bool
	lost       bool // a turn of the session failed or ended in an error reply
}

// Score has the share as its value and passes if all facts are retained. The case is unscored if a
// turn with facts did not run. It is also unscored if no compression precedes a turn but a turn of
// its session was lost, which might have been compressed.
func (s RetainedFacts) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	sessions := map[string]sessionContent{}
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
		if name == "" { // the turn is its own session
			h = sessionContent{}
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
		return shareOf(eval.FactsKeptScore, i+1, facts, statedFacts(h.text, facts)), true, nil
	})
}

// after returns the content after a turn; an unanswered turn adds nothing.
func (h sessionContent) after(message, answer string, answered bool) sessionContent {
	if !answered {
		h.lost = true
		return h
	}
	h.text += "\n\n" + message + "\n\n" + answer
	return h
}

// lastContext returns the result of a turn's last compression.
func lastContext(events []trace.Event) (text string, ok bool) {
	for _, e := range events {
		if c, is := eval.ParseCompression(e); is {
			text, ok = c.Context, true
		}
	}
	return text, ok
}

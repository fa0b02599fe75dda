package scorer

import (
	"context"
	"fmt"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// RetainedFacts scores how many facts of earlier turns are still in a session after its history was
// compressed. The score is the share of a turn's listed facts that are found, compared as in
// [NormalizedMatch]. A fact may be in the result of the last compression, or in the messages since.
// Turns without facts, or without an earlier compression, do not count. For a conversation, it is
// the mean.
type RetainedFacts struct {
	Field string // field of the case's expect object that lists the facts
}

var _ eval.Scorer = RetainedFacts{}

// sessionContent is what a session contains after a turn, as far as the trace shows.
type sessionContent struct {
	text       string // result of the last compression and the messages since
	compressed bool
	// a turn of the session failed or ended in an error reply, so a compression may be missing in
	// the trace
	lost bool
}

// Score returns the share and passes if all facts are retained. The case is unscored if a turn with
// facts did not run. It is also unscored if no compression is known but a failed turn may have
// compressed the session.
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
		name := c.Turns[i].SessionKey()
		h := sessions[name]
		if name == "" { // a turn without a session has its own
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

// after returns the content of the session after a turn. An unanswered turn adds nothing.
func (h sessionContent) after(message, answer string, answered bool) sessionContent {
	if !answered {
		h.lost = true
		return h
	}
	h.text += "\n\n" + message + "\n\n" + answer
	return h
}

// lastContext returns the result of the last compression in a turn. ok is false if there was none.
func lastContext(events []trace.Event) (text string, ok bool) {
	for _, e := range events {
		if c, is := eval.ParseCompression(e); is {
			text, ok = c.Context, true
		}
	}
	return text, ok
}

package backend

import (
	"strings"

	"evalctl/eval"
	"evalctl/mocks/model"
)

// historyDecider is the simulated decider for cases that cannot be decided without the conversation
// history. If the request contains an earlier message of the user, it decides by the label, else by
// the system's heuristic (word rules).
type historyDecider struct {
	labeled, heuristic model.Model
	turns              *caseTurns
}

var _ model.Model = historyDecider{}

func (m historyDecider) Answer(r model.Request) model.Answer {
	if m.turns.showsHistory(r) {
		return m.labeled.Answer(r)
	}
	return m.heuristic.Answer(r)
}

// findNone is a finder that never finds a labeled turn.
func findNone(string) (eval.LabeledTurn, bool) { return eval.LabeledTurn{}, false }

// minShownBytes is how much of an earlier message, in bytes, must be in the request. The rest may
// be missing, because a system may truncate long messages.
const minShownBytes = 60

// showsHistory reports whether a request contains an earlier message of the user. It is also true
// if the user has sent no earlier message.
func (c *caseTurns) showsHistory(r model.Request) bool {
	step, before := c.nextTurn(r.Text)
	for _, earlier := range before {
		earlier = earlier[:min(len(earlier), minShownBytes)]
		times := -strings.Count(step.Text, earlier)
		for _, m := range r.Messages {
			times += strings.Count(m.Text, earlier)
		}
		if times > 0 {
			return true
		}
	}
	return len(before) == 0
}

// nextTurn returns the turn that the next request with this text belongs to, and the user's earlier
// messages.
func (c *caseTurns) nextTurn(text string) (step eval.LabeledTurn, before []string) {
	same := c.turnsOf(text)
	if same == nil {
		return step, nil
	}
	c.mu.Lock()
	at := same[min(c.decisions[text], len(same)-1)]
	c.mu.Unlock()
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			before = append(before, text)
		}
	}
	for i, turn := range c.turns[:at+1] {
		for _, m := range turn.History {
			if m.Role == "user" {
				add(m.Content)
			}
		}
		if i < at {
			add(turn.Text)
		}
	}
	return c.turns[at], before
}

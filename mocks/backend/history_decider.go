package backend

import (
	"strings"

	"evalctl/eval"
	"evalctl/mocks/model"
)

// historyDecider decides cases that need the history: by the label if the request contains an
// earlier message of the user, else heuristically.
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

// findNone is a finder without any labels.
func findNone(string) (eval.LabeledTurn, bool) { return eval.LabeledTurn{}, false }

// minShownBytes is the number of bytes of an earlier message that must be in the request. It is
// limited because a system may truncate long messages.
const minShownBytes = 60

// showsHistory reports whether a request contains an earlier message of the user, or there is none.
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

// nextTurn returns the turn of the next request with a text, and the earlier messages of the user.
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

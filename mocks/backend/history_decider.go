package backend

import (
	"strings"

	"evalctl/eval"
	"evalctl/mocks/model"
)

// reader decides cases that need the history: by the label if the request contains an earlier
// message of the user, else heuristically.
type reader struct {
	knowing, guessing model.Model
	turns             *caseTurns
}

var _ model.Model = reader{}

func (m reader) Answer(r model.Request) model.Answer {
	if m.turns.isShown(r) {
		return m.knowing.Answer(r)
	}
	return m.guessing.Answer(r)
}

// nothing is a finder without any labels.
func nothing(string) (eval.LabeledTurn, bool) { return eval.LabeledTurn{}, false }

// shownText is the number of bytes of an earlier message that must be in the request. It is limited
// because a system may truncate long messages.
const shownText = 60

// isShown reports whether a request contains an earlier message of the user, or there is none.
func (c *caseTurns) isShown(r model.Request) bool {
	step, before := c.next(r.Text)
	for _, said := range before {
		said = said[:min(len(said), shownText)]
		times := -strings.Count(step.Text, said)
		for _, m := range r.Messages {
			times += strings.Count(m.Text, said)
		}
		if times > 0 {
			return true
		}
	}
	return len(before) == 0
}

// next returns the turn of the next request with a text, and the earlier messages of the user.
func (c *caseTurns) next(text string) (step eval.LabeledTurn, before []string) {
	same := c.same(text)
	if same == nil {
		return step, nil
	}
	c.mu.Lock()
	at := same[min(c.asked[text], len(same)-1)]
	c.mu.Unlock()
	add := func(said string) {
		if said = strings.TrimSpace(said); said != "" {
			before = append(before, said)
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

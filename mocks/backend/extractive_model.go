package backend

import (
	"strings"

	"evalctl/eval"
	"evalctl/mocks/model"
)

// reader decides what cannot be told from a message alone: by the label where the
// request shows what the user said before, else it guesses.
type reader struct {
	knowing, guessing model.Model
	turns             *caseTurns
}

var _ model.Model = reader{}

// Answer knows no more than what the request shows.
func (m reader) Answer(r model.Request) model.Answer {
	if m.turns.isShown(r) {
		return m.knowing.Answer(r)
	}
	return m.guessing.Answer(r)
}

// nothing is found by who has not heard what was said before.
func nothing(string) (eval.LabeledTurn, bool) { return eval.LabeledTurn{}, false }

// shownText is how much of an earlier message must be seen, in bytes: of a long one
// a system may show the beginning.
const shownText = 60

// isShown tells whether a request for a decision shows something that the user said
// before, or whether there is nothing.
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

// next is the turn that a text is asked for next, with what the user said before.
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

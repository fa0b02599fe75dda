package backend

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/mocks/model"
)

// question identifies what is counted in a turn: the calls of a part, or a decider's calls with a
// text.
type question struct {
	turn       int
	part, text string
}

// countQuestion finds the turn of a request and counts the call. ok is false without a case.
func (c *caseTurns) countQuestion(r model.Request, q question) (step eval.LabeledTurn, nth int, ok bool) {
	if len(c.turns) == 0 { // a conversation has no end, so nothing is counted
		return step, 1, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	q.turn = c.turnOf(r)
	c.begun = max(c.begun, q.turn+1)
	c.questions[q]++
	return c.turns[q.turn], c.questions[q], true
}

// turnOf returns the turn of a request. A request without the user's text, such as one built from
// results, belongs to the turn that began last. Turns run in order.
func (c *caseTurns) turnOf(r model.Request) int {
	if list := withText(c.turns, r.Text); list != nil {
		return c.which(list, r)
	}
	var said, system strings.Builder
	for _, m := range r.Messages {
		if m.Role == "system" {
			system.WriteString(m.Text + "\n")
		} else {
			said.WriteString(m.Text + "\n")
		}
	}
	at := latestSaid(c.turns, said.String())
	if at < 0 { // system prompts may contain examples
		at = latestSaid(c.turns, system.String())
	}
	if at < 0 && c.begun == 0 {
		at = longestWithin(c.turns, said.String())
	}
	return max(at, c.begun-1, 0)
}

// which selects between turns with the same text: the one that began last, or the one whose number
// matches the occurrences in the history; else the next to begin.
func (c *caseTurns) which(list []int, r model.Request) int {
	at := list[len(list)-1]
	if i := slices.IndexFunc(list, func(at int) bool { return at >= c.begun-1 }); i >= 0 {
		at = list[i]
	}
	times := 0
	for _, m := range r.Messages {
		if m.Role == "user" && m.Text == r.Text {
			times++
		}
	}
	return max(at, list[min(max(times, 1), len(list))-1])
}

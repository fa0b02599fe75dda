package backend

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/mocks/model"
)

// question is what is counted in a turn: of a part, or, of the decider, a text.
type question struct {
	turn       int
	part, text string
}

// countQuestion finds the turn that a request belongs to, and counts the question that a part
// is asked in it. ok is false without a case.
func (c *caseTurns) countQuestion(r model.Request, q question) (step eval.LabeledTurn, nth int, ok bool) {
	if len(c.turns) == 0 { // a conversation has no end: nothing is counted
		return step, 1, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	q.turn = c.turnOf(r)
	c.begun = max(c.begun, q.turn+1)
	c.questions[q]++
	return c.turns[q.turn], c.questions[q], true
}

// turnOf is the turn that a request belongs to. One that does not show what the
// user said, as prompts that are made of what came of it, is of the turn that began
// last: turns are played in their order.
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
	if at < 0 { // where examples may stand, too
		at = latestSaid(c.turns, system.String())
	}
	if at < 0 && c.begun == 0 {
		at = longestWithin(c.turns, said.String())
	}
	return max(at, c.begun-1, 0)
}

// which of the turns that say the same is the one of a request: the one that began
// last, or so many as the user is seen to have said it; else the next to begin.
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

package backend

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/mocks/model"
)

// callKey is the key of a call counter: a turn, with either a component or a text.
type callKey struct {
	turn       int
	part, text string
}

// countCall returns the turn that a request belongs to, and the number of the call within it, from
// 1. ok is false if there is no case.
func (c *caseTurns) countCall(r model.Request, q callKey) (step eval.LabeledTurn, nth int, ok bool) {
	if len(c.turns) == 0 { // a conversation without a case may be endless, so nothing is counted
		return step, 1, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	q.turn = c.turnOf(r)
	c.turnsBegun = max(c.turnsBegun, q.turn+1)
	c.calls[q]++
	return c.turns[q.turn], c.calls[q], true
}

// turnOf returns the index of the turn that a request belongs to. A request without the user's
// text, such as one built from tool results, belongs to the turn that began last.
func (c *caseTurns) turnOf(r model.Request) int {
	if list := turnsWithText(c.turns, r.Text); list != nil {
		return c.selectTurn(list, r)
	}
	var conversation, system strings.Builder
	for _, m := range r.Messages {
		if m.Role == "system" {
			system.WriteString(m.Text + "\n")
		} else {
			conversation.WriteString(m.Text + "\n")
		}
	}
	turn := lastTurnIn(c.turns, conversation.String())
	if turn < 0 { // search the system prompt last, because it may contain examples
		turn = lastTurnIn(c.turns, system.String())
	}
	if turn < 0 && c.turnsBegun == 0 {
		turn = longestTurnIn(c.turns, conversation.String())
	}
	return max(turn, c.turnsBegun-1, 0)
}

// selectTurn selects one of several turns with the same text: the turn that began last, or the next
// one to begin. If the history contains the text several times, it selects a correspondingly later
// turn.
func (c *caseTurns) selectTurn(list []int, r model.Request) int {
	at := list[len(list)-1]
	if i := slices.IndexFunc(list, func(at int) bool { return at >= c.turnsBegun-1 }); i >= 0 {
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

package backend

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/mocks/model"
)

// callKey identifies what is counted in a turn: the calls of a part, or a decider's calls with a
// text.
type callKey struct {
	turn       int
	part, text string
}

// countCall finds the turn of a request and counts the call. ok is false without a case.
func (c *caseTurns) countCall(r model.Request, q callKey) (step eval.LabeledTurn, nth int, ok bool) {
	if len(c.turns) == 0 { // a conversation has no end, so nothing is counted
		return step, 1, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	q.turn = c.turnOf(r)
	c.turnsBegun = max(c.turnsBegun, q.turn+1)
	c.calls[q]++
	return c.turns[q.turn], c.calls[q], true
}

// turnOf returns the turn of a request. A request without the user's text, such as one built from
// results, belongs to the turn that began last. Turns run in order.
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
	if turn < 0 { // system prompts may contain examples
		turn = lastTurnIn(c.turns, system.String())
	}
	if turn < 0 && c.turnsBegun == 0 {
		turn = longestTurnIn(c.turns, conversation.String())
	}
	return max(turn, c.turnsBegun-1, 0)
}

// selectTurn selects between turns with the same text: the one that began last, or the one whose
// number matches the occurrences in the history; else the next to begin.
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

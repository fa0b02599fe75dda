package backend

import (
	"sync"

	"evalctl/eval"
)

// finder finds the labeled turn with a text.
type finder func(text string) (eval.LabeledTurn, bool)

// caseTurns finds the turns of a case by their texts. If several turns have the same text, each
// call of the decider belongs to the next of them.
type caseTurns struct {
	turns []eval.LabeledTurn

	mu           sync.Mutex // turns may overlap
	decisions    map[string]int
	firstAnswers map[string]map[int]int // by text and turn: the number of the critic's first answer
	turnsBegun   int                    // number of turns that have begun
	calls        map[callKey]int        // number of calls
}

func turnsOf(c eval.Case) *caseTurns {
	return &caseTurns{
		turns:        c.Turns,
		decisions:    map[string]int{},
		firstAnswers: map[string]map[int]int{},
		calls:        map[callKey]int{},
	}
}

// turnsOf returns the turns with a text, else the turns whose text is in it, because a prompt may
// contain the message.
func (c *caseTurns) turnsOf(text string) []int {
	if list := turnsWithText(c.turns, text); list != nil {
		return list
	}
	if at := lastTurnIn(c.turns, text); at >= 0 {
		return []int{at}
	}
	at := longestTurnIn(c.turns, text)
	if at < 0 {
		return nil
	}
	return turnsWithText(c.turns, c.turns[at].Text)
}

// countDecision counts a call of the decider. Unknown texts are not counted, because a conversation
// without a case has no end.
func (c *caseTurns) countDecision(text string) {
	same := c.turnsOf(text)
	if same == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.decisions[text]++
	c.turnsBegun = max(c.turnsBegun, same[min(c.decisions[text], len(same))-1]+1)
}

func (c *caseTurns) find(text string) (eval.LabeledTurn, bool) {
	same := c.turnsOf(text)
	if same == nil {
		return eval.LabeledTurn{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turns[same[min(max(c.decisions[text], 1), len(same))-1]], true
}

// attemptNumber converts the number of the critic's answer to a text into the number within its
// turn.
func (c *caseTurns) attemptNumber(text string, nth int) int {
	if c.turnsOf(text) == nil {
		return nth
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.firstAnswers[text] == nil {
		c.firstAnswers[text] = map[int]int{}
	}
	turn := c.decisions[text]
	if _, ok := c.firstAnswers[text][turn]; !ok {
		c.firstAnswers[text][turn] = nth
	}
	return nth - c.firstAnswers[text][turn] + 1
}

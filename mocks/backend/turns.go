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

	mu        sync.Mutex // turns may overlap
	asked     map[string]int
	first     map[string]map[int]int // by text and turn: the number of the critic's first answer
	begun     int                    // number of turns that have begun
	questions map[question]int       // number of calls
}

func turnsOf(c eval.Case) *caseTurns {
	return &caseTurns{turns: c.Turns, asked: map[string]int{}, first: map[string]map[int]int{}, questions: map[question]int{}}
}

// same returns the turns with a text, else the turns whose text is in it, because a prompt may
// contain the message.
func (c *caseTurns) same(text string) []int {
	if list := withText(c.turns, text); list != nil {
		return list
	}
	if at := latestSaid(c.turns, text); at >= 0 {
		return []int{at}
	}
	at := longestWithin(c.turns, text)
	if at < 0 {
		return nil
	}
	return withText(c.turns, c.turns[at].Text)
}

// ask counts a call of the decider. Unknown texts are not counted, because a conversation without a
// case has no end.
func (c *caseTurns) ask(text string) {
	same := c.same(text)
	if same == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[text]++
	c.begun = max(c.begun, same[min(c.asked[text], len(same))-1]+1)
}

func (c *caseTurns) find(text string) (eval.LabeledTurn, bool) {
	same := c.same(text)
	if same == nil {
		return eval.LabeledTurn{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turns[same[min(max(c.asked[text], 1), len(same))-1]], true
}

// try converts the number of the critic's answer to a text into the number within its turn.
func (c *caseTurns) try(text string, nth int) int {
	if c.same(text) == nil {
		return nth
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first[text] == nil {
		c.first[text] = map[int]int{}
	}
	turn := c.asked[text]
	if _, ok := c.first[text][turn]; !ok {
		c.first[text][turn] = nth
	}
	return nth - c.first[text][turn] + 1
}

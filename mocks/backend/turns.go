package backend

import (
	"sync"

	"evalctl/eval"
)

// finder finds the labelled turn that has a text.
type finder func(text string) (eval.LabeledTurn, bool)

// caseTurns finds the turns of a case by their texts. Of turns that have the
// same, each question to the decider is the next one's.
type caseTurns struct {
	turns []eval.LabeledTurn

	mu        sync.Mutex // turns may overlap
	asked     map[string]int
	first     map[string]map[int]int // of a text's turn, the answer of the critic that was its first
	begun     int                    // how many turns are known to have begun
	questions map[question]int       // how often each was asked
}

func turnsOf(c eval.Case) *caseTurns {
	return &caseTurns{turns: c.Turns, asked: map[string]int{}, first: map[string]map[int]int{}, questions: map[question]int{}}
}

// same are the places of the turns that have a text; where none has, those whose text
// is said in it, or the longest within it: a prompt may hold the message.
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

// ask counts a question to the decider. What no turn has is not counted: a
// conversation without a case has no end.
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

// try makes the nth answer of the critic to a text that of a turn.
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

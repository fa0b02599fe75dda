package backend

import (
	"strings"
	"sync"

	"evalctl/eval"
)

// finder finds the labelled turn that has a text.
type finder func(text string) (eval.Step, bool)

// caseTurns finds the turns of a case by their texts. Of turns that have the
// same, each question to the decider is the next one's.
type caseTurns struct {
	turns []eval.Step

	mu    sync.Mutex // turns may overlap
	asked map[string]int
	first map[string]map[int]int // of a text's turn, the answer of the critic that was its first
}

func turnsOf(c eval.Case) *caseTurns {
	return &caseTurns{turns: c.Turns, asked: map[string]int{}, first: map[string]map[int]int{}}
}

// same are the places of the turns that have a text; where none has, those of the
// longest text within it: a prompt may hold the message.
func (c *caseTurns) same(text string) (list []int) {
	longest := 0
	for i, step := range c.turns {
		if step.Text == text {
			list = append(list, i)
		}
		if strings.Contains(text, step.Text) {
			longest = max(longest, len(step.Text))
		}
	}
	if list != nil || longest == 0 {
		return list
	}
	for i, step := range c.turns {
		if len(step.Text) == longest && strings.Contains(text, step.Text) {
			list = append(list, i)
		}
	}
	return list
}

// ask counts a question to the decider. What no turn has is not counted: a
// conversation without a case has no end.
func (c *caseTurns) ask(text string) {
	if c.same(text) == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[text]++
}

func (c *caseTurns) find(text string) (eval.Step, bool) {
	same := c.same(text)
	if same == nil {
		return eval.Step{}, false
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

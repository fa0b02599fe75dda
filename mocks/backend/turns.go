package backend

import (
	"sync"

	"evalctl/eval"
)

// finder returns the labeled turn with the given text.
type finder func(text string) (eval.LabeledTurn, bool)

// caseTurns finds, by the text, the turn of a case that a simulated model's request belongs to. If
// several turns have the same text, each decision belongs to the next of them.
type caseTurns struct {
	turns []eval.LabeledTurn

	mu           sync.Mutex // protects the counters, because turns may overlap
	decisions    map[string]int
	firstAnswers map[string]map[int]int // by text and turn: the number of the critic's first answer
	turnsBegun   int                    // number of turns that have begun
	calls        map[callKey]int        // number of calls so far
}

func turnsOf(c eval.Case) *caseTurns {
	return &caseTurns{
		turns:        c.Turns,
		decisions:    map[string]int{},
		firstAnswers: map[string]map[int]int{},
		calls:        map[callKey]int{},
	}
}

// turnsOf returns the indexes of the turns with a text. If there are none, text may be a prompt
// that contains the user's message: then it returns the turns whose text is in it.
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

// countDecision counts a decision for a text. The next decision for the same text then belongs to
// the next turn. Texts of no turn are not counted.
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

// attemptNumber converts the number nth of the critic's answer to a text into the number of the
// attempt within its turn.
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

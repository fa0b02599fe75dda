package play

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/agent/llm"
	"evalctl/eval"
)

// realPart is a part behind which an endpoint stands.
type realPart struct {
	endpoint string
	decides  bool
	labels   []string // that it decides among; nil: the dataset's
}

// replaced tells a trial whose label somebody else decided, where this part came
// to nothing: a model that is alone with it predicts a word that is none.
func (p realPart) replaced(r eval.Result) bool { return slices.Contains(p.labels, r.Predicted) }

// reached counts what came of a cell's real parts.
type reached struct {
	trials, lost  int64
	decided, none int64 // trials with a decision; of those: that were no label
	nodes         map[string]*calls
	why           string // of the first failure
	turnedDown    string // why the first decision was none
}

// decides counts whether a trial's decision is one of the labels.
func (c *reached) decides(r eval.Result) {
	if r.Predicted == "" {
		return
	}
	c.decided++
	if kind, none := r.NoLabel(); none {
		c.none++
		c.turnedDown = cmp.Or(c.turnedDown, kind)
	}
}

// judgeDecisions says that not one was a label, of as many as tell something.
func (c *reached) judgeDecisions() error {
	if c.decided == 0 || c.none < c.decided || c.decided < min(fewTrials, c.trials) {
		return nil
	}
	return fmt.Errorf("none of %d answers was one of the labels%s", c.none, because(c.turnedDown))
}

// calls counts the trials that asked a node, those that it gave no answer, and
// those in which somebody else had to decide: its work came to nothing, without an
// answer, or with one that was turned down.
type calls struct {
	asked, missed, vain int64
	turnedDown          llm.Kind // the first answer was
}

// count adds what a trial's calls of a node, turn by turn, came to.
func (c *reached) count(node string, part realPart, r eval.Result) {
	asked, missed, vain, turnedDown := false, true, true, llm.Kind("")
	for _, n := range r.Nodes {
		if n.Node != node {
			continue
		}
		asked, vain = true, vain && (isLost(n.Failed) || n.Failed != "" && part.replaced(r))
		missed = missed && isLost(n.Failed) && n.Failed != llm.KindBlocked // the filter of one that lives
		if !isLost(n.Failed) {
			turnedDown = cmp.Or(turnedDown, n.Failed)
		}
	}
	if !asked {
		return
	}
	if c.nodes[node] == nil {
		c.nodes[node] = &calls{}
	}
	n := c.nodes[node]
	n.asked++
	if missed {
		n.missed++
	}
	if vain {
		n.vain++
	}
	n.turnedDown = cmp.Or(n.turnedDown, turnedDown)
}

// fewTrials is in how many a model must have decided nothing to be no use, or
// in all of the cell where these are fewer.
const fewTrials = 20

// judge says what a real part did too little.
func (c *reached) judge(node string, part realPart) error {
	switch n := c.nodes[node]; {
	case n == nil && part.decides:
		return fmt.Errorf("the model was not called in any of %d trials: no call of the node %s", c.trials, node)
	case n == nil:
		return nil
	case n.missed == n.asked:
		return fmt.Errorf("%s answered none of %d trials%s", node, n.asked, because(c.why))
	case part.decides && n.vain == n.asked && n.asked >= min(fewTrials, c.trials):
		return fmt.Errorf("the model decided none of the %d trials that called %s%s", n.asked, node, because(cmp.Or(string(n.turnedDown), c.why)))
	}
	return nil
}

type cellKey struct{ suite, variant, fault string }

func (k cellKey) String() string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", k.suite, k.variant, k.fault)
}

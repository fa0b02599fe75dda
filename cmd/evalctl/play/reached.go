package play

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/foreign"
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

// endpointsUsed counts what came of a cell's real parts.
type endpointsUsed struct {
	trials, lost  int64
	decided, none int64 // trials with a decision; of those: that were no label
	nodes         map[string]*calls
	why           string // of the first failure
	turnedDown    string // why the first decision was none
	unknown       string // what the first answer named in place of a label, quoted; "": unknown
}

// decides counts whether a trial's decision is one of the labels.
func (c *endpointsUsed) decides(r eval.Result) {
	if r.Predicted == "" {
		return
	}
	c.decided++
	if kind, none := r.IsInvalidLabel(); none {
		c.none++
		c.turnedDown = cmp.Or(c.turnedDown, kind)
		c.unknown = cmp.Or(c.unknown, unknownLabel(r))
	}
}

// unknownLabel is what an agent answered in place of a label, quoted; "": nothing is known
// of it, as in a result that was read from a file.
func unknownLabel(r eval.Result) string {
	for _, t := range r.Outcome.Turns {
		for _, e := range t.Events {
			if e.Reason != string(llm.KindLabel) {
				continue
			}
			if text, ok := strings.CutSuffix(e.Text, foreign.NoLabel); ok {
				return text
			}
		}
	}
	return ""
}

// listedLabels are named in a message; of more, the first.
const listedLabels = 8

func labelList(labels []string) string {
	var list []string
	for _, l := range labels[:min(len(labels), listedLabels)] {
		list = append(list, fmt.Sprintf("%.40s", l))
	}
	text := strings.Join(list, ", ")
	if more := len(labels) - listedLabels; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// judgeDecisions says that not one was a label, of as many as tell something.
func (c *endpointsUsed) judgeDecisions(labels []string) error {
	if c.decided == 0 || c.none < c.decided || c.decided < min(fewTrials, c.trials) {
		return nil
	}
	if c.unknown != "" && len(labels) > 0 {
		return fmt.Errorf("none of %d answers was one of the labels: the agent answered %s; the labels are %s", c.none, c.unknown, labelList(labels))
	}
	return fmt.Errorf("none of %d answers was one of the labels%s", c.none, because(c.turnedDown))
}

// calls counts the trials that asked a node, those that it gave no answer, and
// those in which somebody else had to decide: its work came to nothing, without an
// answer, or with one that was turned down.
type calls struct {
	asked, missed, vain int64
	turnedDown          llm.ErrorKind // the first answer was
}

// count adds what a trial's calls of a node, turn by turn, came to.
func (c *endpointsUsed) count(node string, part realPart, r eval.Result) {
	asked, missed, vain, turnedDown := false, true, true, llm.ErrorKind("")
	for _, n := range r.Nodes {
		if n.Node != node {
			continue
		}
		asked, vain = true, vain && (isLost(n.CallError) || n.CallError != "" && part.replaced(r))
		missed = missed && isLost(n.CallError) && n.CallError != llm.KindContentBlocked // the filter of one that lives
		if !isLost(n.CallError) {
			turnedDown = cmp.Or(turnedDown, n.CallError)
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
func (c *endpointsUsed) judge(node string, part realPart) error {
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

type conditionKey struct{ suite, variant, fault string }

func (k conditionKey) String() string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", k.suite, k.variant, k.fault)
}

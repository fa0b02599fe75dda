package play

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/eval"
)

// realComponent is a component of an agent, such as a router, that calls a real endpoint.
type realComponent struct {
	endpoint string
	decides  bool
	labels   []string // permitted labels; nil: the labels of the dataset
}

// wasReplaced reports whether a fallback decided the trial in place of this component.
func (p realComponent) wasReplaced(r eval.Result) bool { return slices.Contains(p.labels, r.Predicted) }

// endpointOutcomes counts how the trials of a condition ended: answered, lost, or invalid.
type endpointOutcomes struct {
	trials, lost     int64
	decided, invalid int64 // trials with a decision, and trials whose decision was not a valid label
	nodes            map[string]*nodeCalls
	why              string // message of the first failure
	rejectedBecause  string // why the first invalid decision was rejected
	unknown          unknownLabels
}

// countDecision counts a trial with a decision, and whether the decision is a valid label.
func (c *endpointOutcomes) countDecision(r eval.Result) {
	if r.Predicted == "" {
		return
	}
	c.decided++
	if kind, none := r.InvalidLabelKind(); none {
		c.invalid++
		c.rejectedBecause = cmp.Or(c.rejectedBecause, kind)
	}
}

const maxListedLabels = 8

func labelList(labels []string) string {
	var list []string
	for _, l := range labels[:min(len(labels), maxListedLabels)] {
		list = append(list, fmt.Sprintf("%.40s", l))
	}
	text := strings.Join(list, ", ")
	if more := len(labels) - maxListedLabels; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// judgeDecisions returns an error if every decision of the condition had an invalid label. It
// returns nil if there are too few decisions to conclude that.
func (c *endpointOutcomes) judgeDecisions(labels []string) error {
	if c.decided == 0 || c.invalid < c.decided || c.decided < min(fewTrials, c.trials) {
		return nil
	}
	if c.unknown.first != "" && len(labels) > 0 {
		return fmt.Errorf("none of %d answers was one of the labels: the agent answered %.80q; the labels are %s",
			c.invalid, c.unknown.first, labelList(labels))
	}
	return fmt.Errorf("none of %d answers was one of the labels%s", c.invalid, because(c.rejectedBecause))
}

// nodeCalls counts the trials of a condition that called one component. unusable counts those in
// which its answer was missing, or was rejected so that a fallback decided.
type nodeCalls struct {
	called, unanswered, unusable int64
	rejectedBecause              llm.ErrorKind // why the first rejected answer was rejected
}

// count adds a trial to the counts of one component, over all turns.
func (c *endpointOutcomes) count(node string, part realComponent, r eval.Result) {
	called, unanswered, unusable, rejectedBecause := false, true, true, llm.ErrorKind("")
	for _, n := range r.Nodes {
		if n.Node != node {
			continue
		}
		called, unusable = true, unusable && (isUnanswered(n.CallError) || n.CallError != "" && part.wasReplaced(r))
		// a content filter answered the call, so the endpoint works
		unanswered = unanswered && isUnanswered(n.CallError) && n.CallError != llm.KindContentBlocked
		if !isUnanswered(n.CallError) {
			rejectedBecause = cmp.Or(rejectedBecause, n.CallError)
		}
	}
	if !called {
		return
	}
	if c.nodes[node] == nil {
		c.nodes[node] = &nodeCalls{}
	}
	n := c.nodes[node]
	n.called++
	if unanswered {
		n.unanswered++
	}
	if unusable {
		n.unusable++
	}
	n.rejectedBecause = cmp.Or(n.rejectedBecause, rejectedBecause)
}

// fewTrials is the number of trials without a model decision at which a condition fails. A
// condition with fewer trials fails if none of them has a model decision.
const fewTrials = 20

// judge returns an error if a real component never answered. For a component that decides, it also
// returns an error if the component was never called or never decided.
func (c *endpointOutcomes) judge(node string, part realComponent) error {
	switch n := c.nodes[node]; {
	case n == nil && part.decides:
		return fmt.Errorf("the model was not called in any of %d trials: no call of the node %s", c.trials, node)
	case n == nil:
		return nil
	case n.unanswered == n.called:
		return fmt.Errorf("%s answered none of %d trials%s", node, n.called, because(c.why))
	case part.decides && n.unusable == n.called && n.called >= min(fewTrials, c.trials):
		return fmt.Errorf("the model decided none of the %d trials that called %s%s", n.called, node,
			because(cmp.Or(string(n.rejectedBecause), c.why)))
	}
	return nil
}

type conditionKey struct{ suite, variant, fault string }

func (k conditionKey) String() string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", k.suite, k.variant, k.fault)
}

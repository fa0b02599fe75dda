package scorer_test

import (
	"encoding/json"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
)

func TestScorer(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "scorer")
}

// expecting returns a case with a turn for each expect object; "": a turn without one.
func expecting(labels ...string) eval.Case {
	c := eval.Case{ID: "c", Pos: "cases.jsonl:7"}
	for _, w := range labels {
		c.Turns = append(c.Turns, eval.LabeledTurn{Expected: json.RawMessage(w)})
	}
	return c
}

// outcomeOf returns an outcome with a turn for each reply.
func outcomeOf(replies ...agent.Reply) (o eval.Outcome) {
	for _, r := range replies {
		o.Turns = append(o.Turns, eval.TurnResult{Reply: r})
	}
	return o
}

// predicted returns an outcome with a turn for each decision.
func predicted(routes ...string) (o eval.Outcome) {
	for _, r := range routes {
		o.Turns = append(o.Turns, eval.TurnResult{Reply: agent.Reply{Predicted: r, AnsweredBy: "chat"}})
	}
	return o
}

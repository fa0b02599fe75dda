package journal_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
)

func TestJournal(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Journal")
}

// full returns a result with all fields set.
func full(key string) eval.Result {
	right, ttft := true, eval.Millis(1500001)
	return eval.Result{
		Key: key, Suite: "toolrouter", Case: "tr-" + key, Variant: "base", Fault: "chat:timeout", Epoch: 2,
		Predicted: "image_gen", Expected: eval.OneOf{"image_gen", "image_edit"}, Correct: &right,
		AnsweredBy: "chat", DecidedBy: "llm", Rule: "image.3", Confidence: new(0.1 + 0.2),
		Fallbacks: []eval.Fallback{{From: "image_gen", To: "chat", Reason: "timeout"}},
		Duration:  eval.Millis(3*time.Second + 1), TTFT: &ttft,
		Turns: []eval.TurnSummary{{Answered: true}, {Answered: true}, {}},
		Nodes: []eval.NodeVisit{{Node: "router", Duration: 7}}, Calls: 3, Tokens: eval.Tokens{In: 10, Out: 20},
		Error: &eval.Error{Kind: eval.ProviderError, Message: "line\nbreak \u2028 <html> 中文"},
		Scores: []eval.Score{{Name: "route", Verdict: eval.Pass, Turn: 3, Actual: "image_gen",
			Expected: eval.OneOf{"image_gen", "image_edit"}, Turns: []eval.TurnScore{
				{Turn: 1, Expected: eval.OneOf{"a"}, Actual: "a", Verdict: eval.Pass, Answered: true},
				{Turn: 3, Expected: eval.OneOf{"image_gen", "image_edit"}, Actual: "image_gen", Verdict: eval.Pass}}}},
		Outcome: eval.Outcome{Duration: 5, Turns: []eval.TurnResult{{
			Input: agent.Turn{Text: "画一只猫"}, Reply: agent.Reply{Content: "好"}, Duration: 4,
			Events: []trace.Event{{Offset: 1, Kind: trace.KindSpan, Node: "router",
				Span: &trace.Span{Provider: "mock", Attempt: 1}}},
		}}},
	}
}

// keysOf returns the keys of the trials that have a result in dir.
func keysOf(dir string) (map[string]struct{}, error) {
	keys := map[string]struct{}{}
	for r, err := range journal.ReadRunResults(dir) {
		if err != nil {
			return nil, err
		}
		keys[r.Key] = struct{}{}
	}
	return keys, nil
}

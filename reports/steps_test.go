package reports_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// episode returns a trial with two turns. The first message is answered together with the second
// one, after several decisions.
func episode() eval.Result {
	steps := []agent.Step{
		{Proposed: "brief_compiler_agent", Executed: "brief_compiler_agent", DecidedBy: "llm"},
		{Proposed: "writer_agent", Executed: "layout_planner_agent", DecidedBy: "precondition",
			Reason: "needs_content"},
		{Proposed: "END", DecidedBy: "precondition", Reason: "end_rejected"},
		{DecidedBy: "llm", Reason: "no_decision"},
		{Proposed: "image_agent_that_nobody_has_ever_heard_of_before", DecidedBy: "llm", Reason: "unknown_agent"},
		{Proposed: "review_agent", Executed: "review_agent", DecidedBy: "llm"},
		{Executed: "END", DecidedBy: agent.DecidedByReview},
	}
	messages := []agent.ReplyMessage{{Content: "在呢"}, {Content: "昨天我们聊了火锅。", DelaySeconds: 2.5}}
	data := func(v any) json.RawMessage {
		raw, err := json.Marshal(v)
		Expect(err).NotTo(HaveOccurred())
		return raw
	}
	answered := eval.TurnResult{
		Input: agent.Turn{Text: "在吗 昨天聊了啥", Batch: []string{"在吗", "昨天聊了啥"}, Session: "s"},
		Reply: agent.Reply{Content: "在呢\n昨天我们聊了火锅。", Predicted: "brief_compiler_agent", AnsweredBy: "supervisor",
			DecidedBy: "llm", Replies: messages, Steps: steps},
		Events: []trace.Event{
			{Offset: 1 * ms, Kind: trace.KindRoute, Node: "supervisor", To: "writer_agent",
				Data: trace.RawAnswerData(`{"next_agent":"writer_agent","guidance":"` +
					strings.Repeat("写得生动一些。", 30) + `"}`)},
			{Offset: 1 * ms, Kind: trace.KindCorrection, Node: "supervisor", From: "writer_agent",
				To: "layout_planner_agent", Reason: "needs_content"},
			{Offset: 2 * ms, Kind: trace.KindFormCheck, Node: "writer"},
			{Offset: 3 * ms, Kind: trace.KindFormCheck, Node: "writer", Reason: "wrong_schema",
				Text: "title: is missing"},
			{Offset: 4 * ms, Kind: trace.KindMessage, Node: "chat", Data: data(messages[0])},
			{Offset: 5 * ms, Kind: trace.KindMessage, Node: "chat", Data: data(messages[1])},
			{Offset: 6 * ms, Kind: trace.KindMessage, Data: json.RawMessage(`"\u001b[31m"`)},
			{Offset: 7 * ms, Kind: trace.KindQuestion,
				Data: json.RawMessage(`{"thread_id":"t","questions":[{"key":"audience","question":"写给谁看？"},{"key":"tone","question":"什么语气？"}]}`)},
			{Offset: 8 * ms, Kind: trace.KindQuestion, Data: json.RawMessage(`[]`)},
		},
		Duration: 9 * ms,
	}
	gathered := eval.TurnResult{Input: agent.Turn{Text: "喂", Session: "s"}, Reply: agent.Reply{IsDeferred: true}}
	return eval.Result{Suite: "desk", Case: "d1", Variant: "few-shot", Epoch: 1,
		Scores: []eval.Score{
			{Name: "route", Turn: 2, Actual: "brief_compiler_agent", Expected: eval.OneOf{"brief_compiler_agent"},
				Verdict: eval.Pass, Value: 1},
			{Name: "path.exact", Turn: 2, Actual: "brief_compiler_agent → layout_planner_agent → review_agent → END",
				Expected: eval.OneOf{"brief_compiler_agent → writer_agent | layout_planner_agent → END"},
				Verdict:  eval.Fail},
			{Name: "retrieval.recall_at_5", Turn: 2, Actual: "2026-11-19",
				Expected: eval.OneOf{"2026-11-18, 2026-11-19"}, Verdict: eval.Fail, Value: 0.5, Reason: "1 of 2"},
		},
		Outcome: eval.Outcome{Turns: []eval.TurnResult{gathered, answered}, Duration: 9 * ms}}
}

var _ = Describe("the timeline of a turn with several decisions", func() {
	It("has one line for each step at every width", func() {
		for _, width := range []int{40, 60, 80} {
			text := renderText(episode(), width)
			for _, begins := range []string{"\n  1 ", "\n  2 ", "\n  3 ", "\n  4 ", "\n  5 ", "\n  6 ", "\n  7 "} {
				Expect(strings.Count(text, begins)).To(Equal(1), "%d columns: %q", width, begins)
			}
			Expect(text).To(MatchRegexp(`\n  2 .*needs_content\n  3 `))
			Expect(text).To(MatchRegexp(`\n  3 \(called again\) ← END · .*end_rejected\n  4 `))
		}
	})
})

// steps returns the summary of a suite whose agent has a supervisor.
func steps() eval.Summary {
	condition := func(name string, hasFewerPrimary bool) eval.ConditionSummary {
		m := map[string]eval.Estimate{
			"route.accuracy": share(80, 100, 0), "route.primary": share(70, 100, 0),
			"supervisor.correction_rate": share(12, 300, 2), "supervisor.correction_rate.needs_brief": share(9, 300, 2),
			"supervisor.correction_rate.needs_content":  share(3, 300, 2),
			"supervisor.called_again_rate":              share(6, 300, 2),
			"supervisor.called_again_rate.end_rejected": share(6, 300, 2),
			"supervisor.exhausted_rate":                 share(1, 40, 1),
			"supervisor.steps_mean": {Value: new(6.25), Lo: new(6.0), Hi: new(6.5),
				N: 40, Missing: 1},
			"path.exact": share(30, 40, 1), "backtrack.accuracy": share(25, 30, 0),
			"form.conformity":       share(95, 100, 0),
			"retrieval.recall_at_5": {Value: new(0.875), Lo: new(0.8), Hi: new(0.95), N: 60, Missing: 2},
		}
		if !hasFewerPrimary {
			m["route.primary"] = m["route.accuracy"]
		}
		return eval.ConditionSummary{Variant: name, Fault: eval.NoFault, Trials: 101, Metrics: m}
	}
	return eval.Summary{Suites: []eval.SuiteSummary{{Name: "desk", Target: "desk", Dataset: "desk",
		Cases: 100, Epochs: 1,
		Conditions: []eval.ConditionSummary{condition("few-shot", true), condition("minimal", false)}}}}
}

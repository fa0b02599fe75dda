package reports_test

import (
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

func component(at time.Duration, data string) trace.Event {
	return trace.Event{Offset: at, Kind: trace.KindGenUIComponent, Node: "genui", Data: json.RawMessage(data)}
}

func failure(data json.RawMessage) trace.Event {
	return trace.Event{Kind: trace.KindError, Node: "executor", Data: data}
}

// repaintedTurn returns a turn whose first image was rejected by a critic and whose second one was
// delivered after the last round. The turn after it fails.
func repaintedTurn() eval.Result {
	thought := func(at time.Duration, node, text string) trace.Event {
		return trace.Event{Offset: at, Kind: trace.KindThoughtLog, Node: node, Text: text}
	}
	review := func(at time.Duration, loop int, score float64) trace.Event {
		return trace.Event{Offset: at, Kind: trace.KindReview, Node: "critic",
			Review: &trace.Review{Loop: loop, Score: score, Reviewer: "llm"}}
	}
	first := eval.TurnResult{
		Input: agent.Turn{Text: "画一只会骑独轮车的小刺猬，蜡笔的那种", Session: "kid-7"},
		Reply: agent.Reply{Content: "图片已生成，但仍未通过质量审查。", Predicted: "generate_image", AnsweredBy: "generate_image",
			DecidedBy: "llm", Confidence: 0.9,
			GeneratedImageURL: "https://example.org/made/2.png",
			Slots:             map[string]string{"subject": "刺猬", "style": "蜡笔", "mood": ""},
			Retrieved:         []agent.Hit{{ID: "crayon", Similarity: 1}, {ID: "chalkboard", Similarity: 0.714}}},
		Events: []trace.Event{
			span("planner", trace.Span{Provider: "deepseek", Model: "deepseek-chat", Duration: 700 * ms, Attempt: 1,
				Tokens: trace.Tokens{In: 358, Out: 30}}),
			thought(700*ms, "planner", "已识别意图：generate_image，置信度：0.9"),
			span("executor", trace.Span{Provider: "placeholder", Model: "text_to_image", Start: 700 * ms,
				Duration: 2100 * ms, Attempt: 1}),
			review(3900*ms, 1, 0.6949),
			{Offset: 3900 * ms, Kind: trace.KindCriticLoop, Node: "critic", From: "critic", To: "rag",
				Reason: "rejected"},
			{Offset: 3900 * ms, Kind: trace.KindCacheHit, Node: "rag", Reason: "same_query"},
			span("executor", trace.Span{Provider: "placeholder", Model: "text_to_image", Start: 3900 * ms,
				Duration: 2400 * ms, Attempt: 1}),
			review(7200*ms, 2, 0.7),
			{Offset: 7200 * ms, Kind: trace.KindCriticLoop, Node: "critic", From: "critic", To: "genui",
				Reason: trace.ReasonMaxRounds},
			component(7200*ms, `{"widgetType":"SmartCanvas","props":{"imageUrl":"https://example.org/made/2.png","mode":"view"}}`),
			component(7200*ms, `{"widgetType":"ActionPanel","props":{"actions":[{"id":"a","label":"重新生成","type":"button"},{"id":"b","label":"修改 Prompt","type":"button"}]}}`),
			component(7200*ms, `{"widgetType":"AgentMessage","props":{"state":"success","text":"图片已生成，但仍未通过质量审查。","isThinking":false}}`),
			{Offset: 7200 * ms, Kind: trace.KindDone, Text: "图片已生成，但仍未通过质量审查。"},
		},
		Duration: 7200 * ms,
	}
	second := eval.TurnResult{
		Input: agent.Turn{Text: "修改这里", Session: "kid-7", Delay: agent.Delay(31 * time.Minute)},
		Reply: agent.Reply{Content: "要修改图片的局部，请先圈出区域。", Predicted: "inpainting", AnsweredBy: "failed", DecidedBy: "llm",
			Confidence: 0.8,
			ErrorReply: &agent.ErrorReply{Code: "EXECUTOR_FAILED", Node: "executor", Message: "图片没有画成",
				Cause: "timeout"}},
		Events: []trace.Event{
			{Offset: ms, Kind: trace.KindError, Node: "error_handler",
				Data: json.RawMessage(`{"code":"EXECUTOR_FAILED","message":"图片没有画成","node":"executor"}`)},
			component(ms, `{"widgetType":"AgentMessage","props":{"state":"failed","text":"图片没有画成"}}`),
			{Offset: ms, Kind: trace.KindDone},
		},
		Duration: ms,
	}
	return eval.Result{Suite: "studio", Case: "st-zh-001", Variant: "v2-llm", Epoch: 1,
		Outcome: eval.Outcome{Turns: []eval.TurnResult{first, second}, Duration: 7201 * ms}}
}

var _ = Describe("the timeline of an agent with a Critic loop", func() {
	DescribeTable("describes an event in words", func(e trace.Event, want string) {
		t := eval.Result{Outcome: eval.Outcome{Turns: []eval.TurnResult{{Events: []trace.Event{e}}}}}
		lines := strings.Split(strings.TrimSpace(renderText(t, 0)), "\n")
		Expect(strings.Join(strings.Fields(lines[len(lines)-1]), " ")).To(Equal("0 s · " + want))
	},
		Entry("a review that rejects an attempt", trace.Event{Kind: trace.KindReview,
			Review: &trace.Review{Loop: 2, Score: 0.61, Reviewer: "llm"}}, "loop 2: score 0.61, not passed (llm)"),
		Entry("a review that passes",
			trace.Event{Kind: trace.KindReview,
				Review: &trace.Review{Loop: 1, Score: 1, Passed: true, Reviewer: "vision"}},
			"loop 1: score 1, passed (vision)"),
		Entry("a review whose score needs more decimals to differ from the threshold",
			trace.Event{Kind: trace.KindReview, Review: &trace.Review{Loop: 1, Score: 0.6949, Reviewer: "llm"}},
			"loop 1: score 0.695, not passed (llm)"),
		Entry("a review for which the critic failed",
			trace.Event{Kind: trace.KindReview, Review: &trace.Review{Loop: 1, Passed: true, Reviewer: "none"}},
			"loop 1: not scored, passes"),
		Entry("a review event without the data of the review", trace.Event{Kind: trace.KindReview}, "review"),
		Entry("a loop that starts the next round",
			trace.Event{Kind: trace.KindCriticLoop, From: "critic", To: "rag", Reason: "rejected"},
			"loop critic → rag (rejected)"),
		Entry("a loop that is exhausted",
			trace.Event{Kind: trace.KindCriticLoop, From: "critic", To: "genui", Reason: trace.ReasonMaxRounds},
			"exhausted, critic → genui"),
		Entry("a thought", trace.Event{Kind: trace.KindThoughtLog, Text: "任务执行\n完成"}, "thought: 任务执行 完成"),
		Entry("a cache hit", trace.Event{Kind: trace.KindCacheHit, Reason: "same_query"}, "cache hit (same_query)"),
		Entry("a decision with its reason",
			trace.Event{Kind: trace.KindRoute, Node: "planner", To: "inpainting", Reason: "inputs",
				Data: trace.RawAnswerData("{}")}, "planner route → inpainting (inputs)"),
		Entry("an input that the agent ignores",
			trace.Event{Kind: trace.KindIgnoredInput, From: "800*600", To: "1472*1104", Reason: "nearest_size",
				Text: "resolution"},
			"ignored input 800*600 → 1472*1104 (nearest_size): resolution"),
		Entry("a component with an image",
			component(0, `{"widgetType":"SmartCanvas","props":{"imageUrl":"https://x/1.png"}}`),
			"genui SmartCanvas https://x/1.png"),
		Entry("a component with an image as a data URL",
			component(0, `{"widgetType":"SmartCanvas","props":{"imageUrl":"data:image/png;base64,AAAA"}}`),
			"genui SmartCanvas data:image/png;base64, 4 bytes"),
		Entry("a component with a message",
			component(0, `{"widgetType":"AgentMessage","props":{"state":"failed","text":"抱歉"}}`),
			"genui AgentMessage failed: 抱歉"),
		Entry("a component with buttons", component(0,
			`{"widgetType":"ActionPanel","props":{"actions":[{"label":"再来"},{"label":"改"}]}}`),
			"genui ActionPanel: 再来 · 改"),
		Entry("an unknown component", component(0, `{"kind":"x"}`), `genui component {"kind":"x"}`),
		Entry("a component that is not JSON", component(0, `{"widget`), `genui component {"widget`),
		Entry("a component without data", component(0, ``), "genui component"),
		Entry("an error with a code and a message", failure(json.RawMessage(`{"code":"BUSY","message":"稍等"}`)),
			"executor ✗ BUSY: 稍等"),
		Entry("an error without a message", failure(json.RawMessage(`{"code":"BUSY"}`)), "executor ✗ BUSY"),
		Entry("an error of an unknown form", failure(json.RawMessage(`"x"`)), `executor ✗ error "x"`),
	)
})

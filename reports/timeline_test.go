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
	"evalctl/reports"
	"evalctl/reports/document"
)

const ms = time.Millisecond

// retried returns a turn in which the router failed, rules decided instead, a call was retried, and
// the answer was streamed.
func retried() eval.TurnResult {
	events := []trace.Event{
		span("router", trace.Span{Provider: "zhipu", Model: "glm-4-flash", Start: 0, Duration: 800 * ms, Attempt: 1,
			Error: "timeout", Message: "no answer within 800 ms"}),
		{Offset: 800 * ms, Kind: trace.KindTimeout, Node: "router", Reason: "timeout"},
		{Offset: 800 * ms, Kind: trace.KindFallback, Node: "router", From: "llm", To: "rules", Reason: "timeout"},
		{Offset: 801 * ms, Kind: trace.KindRoute, Node: "router", To: "image_gen", Reason: "image.3"},
		{Offset: 801 * ms, Kind: trace.KindBanner, Text: "正在为您画图……"},
		span("image", trace.Span{Provider: "wanx", Model: "wanx-v1", Start: 801 * ms, Duration: 60 * ms, Attempt: 1,
			Error: "rate_limited", Message: "HTTP 429: \x1b[31mslow down\x07"}),
		{Offset: 861 * ms, Kind: trace.KindRetry, Node: "image", Reason: "rate_limited"},
		span("image", trace.Span{Provider: "wanx", Model: "wanx-v1", Start: 1061 * ms, Duration: 3200 * ms,
			Attempt: 2}),
	}
	for i := range 23 {
		events = append(events, trace.Event{Offset: 4600*ms + time.Duration(i)*30*ms, Kind: trace.KindChunk,
			Node: "chat", Text: "画好了,请看。"})
	}
	return eval.TurnResult{
		Input: agent.Turn{
			Text:      "画一只在雨里撑伞的猫,要水墨风格,画面留白多一些。\n\n另外:背景不要有人。",
			History:   []agent.Message{{Role: "user", Content: "你好"}, {Role: "assistant", Content: "您好!\n请问要做什么?"}},
			Images:    []string{"data:image/png;base64," + strings.Repeat("iVBOR", 900), "https://example.org/cat.png"},
			Documents: []agent.Document{{Name: "brief.txt", Content: strings.Repeat("要求很多。", 90)}},
			Options:   map[string]json.RawMessage{"images": json.RawMessage("true")},
		},
		Reply: agent.Reply{
			Content: strings.Repeat("画好了,请看。", 60), Predicted: "image_gen", AnsweredBy: "chat", DecidedBy: "rules",
			Rule: "image.3", Confidence: 0.9,
			GeneratedImageURL: "https://example.org/made/1.png",
			ToolCalls: []agent.ToolCall{{Name: "draw", Input: "a cat under an umbrella",
				Output: "https://example.org/made/1.png"}},
		},
		Events: append(events,
			span("chat", trace.Span{Provider: "zhipu", Model: "glm-4-flash", Start: 4300 * ms, Duration: 960 * ms,
				TTFT: 300 * ms, Attempt: 1, Tokens: trace.Tokens{In: 1204, Out: 161}}),
			trace.Event{Offset: 5260 * ms, Kind: trace.KindDone, Text: "画好了"}),
		Duration: 5260 * ms,
	}
}

func span(node string, s trace.Span) trace.Event {
	return trace.Event{Offset: s.Start + s.Duration, Kind: trace.KindSpan, Node: node, Span: &s}
}

func trial() eval.Result {
	failed := eval.TurnResult{Input: agent.Turn{Text: "再画一只"}, Events: []trace.Event{
		span("router", trace.Span{Model: "glm-4-flash", Duration: 210 * time.Microsecond, Attempt: 1, Error: "auth",
			Message: "\x9b2Jkey\u202e is wrong"}),
	}, Duration: 210 * time.Microsecond}
	return eval.Result{
		Suite: "toolrouter", Case: "tr-img-003", Variant: "glm-4-flash", Fault: "router:timeout", Epoch: 1,
		Outcome: eval.Outcome{Turns: []eval.TurnResult{retried(), failed}, Duration: 5260*ms + 210*time.Microsecond},
		Error:   &eval.Error{Kind: eval.ProviderError, Message: "auth: the key is wrong\nreally"},
	}
}

func renderText(t eval.Result, width int) string {
	GinkgoHelper()
	var out strings.Builder
	Expect(reports.TrialReport{Trial: t, Options: document.Options{Width: width}}.Write(&out)).To(Succeed())
	return out.String()
}

var _ = Describe("the timeline of a trial", func() {

	It("states that no turn ran", func() {
		Expect(renderText(eval.Result{Case: "c"}, 80)).To(ContainSubstring("No turn ran."))
	})
})

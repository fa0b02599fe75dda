package page_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports/page"
)

// hostile returns a trial in which every name and every message is the given text.
func hostileRun(text string) eval.Result {
	raw, _ := json.Marshal(text)
	other := text + "2"
	turn := eval.TurnResult{
		Input: agent.Turn{Text: text, Images: []string{text}, Mask: text, Session: text,
			Documents: []agent.Document{{Name: text, Content: text}},
			History:   []agent.Message{{Role: text, Content: text}}, State: map[string]json.RawMessage{text: raw}},
		Reply: agent.Reply{Content: text, Predicted: text, AnsweredBy: other, DecidedBy: text, Rule: text,
			GeneratedImageURL: text, Slots: map[string]string{text: text},
			Retrieved: []agent.Hit{{ID: text}}, ErrorReply: &agent.ErrorReply{Code: text, Node: text, Cause: text},
			Replies:   []agent.ReplyMessage{{Content: text}, {Content: text, DelaySeconds: 2}},
			Steps:     []agent.Step{{Proposed: text, Executed: other, DecidedBy: text, Reason: text}},
			ToolCalls: []agent.ToolCall{{Name: text, Input: text, Output: text}}},
		Events: []trace.Event{{Kind: trace.Kind(text), Node: text, From: text, To: text, Reason: text,
			Text: text, Data: raw},
			{Kind: trace.KindSpan, Node: text,
				Span: &trace.Span{Provider: text, Model: text, Error: text, Message: text}}},
	}
	return eval.Result{Key: text, Suite: text, Case: text, Variant: text, Fault: text, Epoch: 1, Text: text,
		Tags: []string{text}, Predicted: text, AnsweredBy: other,
		DecidedBy: text, ErrorReply: text, Turns: []eval.TurnSummary{{}},
		Error: &eval.Error{Kind: eval.ErrorKind(text), Message: text},
		Scores: []eval.Score{{Name: text, Actual: text, Expected: eval.OneOf{text}, Reason: text},
			{Name: eval.RouteScore, Actual: text, Expected: eval.OneOf{text, other}, Verdict: eval.Fail}},
		Outcome: eval.Outcome{Turns: []eval.TurnResult{turn}}}
}

// readBack encodes a text as JSON and returns the decoded result.
func readBack(text string) (back string) {
	GinkgoHelper()
	b, err := json.Marshal(text)
	Expect(err).NotTo(HaveOccurred())
	Expect(json.Unmarshal(b, &back)).To(Succeed())
	return back
}

var _ = Describe("A hostile text in a page's data", func() {
	DescribeTable("stays inside of the encoded data and is read back unchanged", func(text string) {
		r := hostileRun(text)
		sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: text, Target: text, BaselineVariant: text,
			Conditions: []eval.ConditionSummary{{Variant: text, Fault: text}}}}}
		p := page.NewPacker(sum, page.EncodeOptions{Dir: text, BaselinePath: text, TraceURL: text})
		Expect(p.Add(r)).To(Succeed())
		p.AddBaseline(r)
		out, err := p.Pack(0, sourceOf([]eval.Result{r}))
		Expect(err).NotTo(HaveOccurred())
		Expect(out.Traced).To(BeEquivalentTo(1))
		Expect(out.Size()).To(BeNumerically("<", 100_000))
		parts := unpacked(out) // the page contains only base64 in elements that the package writes
		Expect(parts).To(HaveLen(4))
		for _, part := range parts {
			Expect(utf8.Valid(part)).To(BeTrue())
		}
		meta := decoded[page.Meta](parts, "meta")
		Expect(meta.Suites[0].Cases).To(Equal([]string{readBack(text)}))
		trial := decoded[page.Block](parts, "b0").Cases[0].Trials[0]
		Expect(trial.Turns[0].Messages).To(HaveLen(2))
		Expect(trial.Turns[0].Images).To(HaveLen(1))
		for _, e := range trial.Turns[0].Events {
			Expect(utf8.RuneCountInString(e.Text)).To(BeNumerically("<", 4_000))
		}
	},
		Entry("markup that ends a script element", "</script><script>alert(1)</script>"),
		Entry("markup that ends a CDATA section or a comment", "]]>--><!--"),
		Entry("control characters", "\x00\x07\x1b[2J\x7f\r\n\u0085"),
		Entry("marks that change the text direction", "\u202egpj.exe\u2066"),
		Entry("invalid UTF-8", "\xff\xfe\xed\xa0\x80"),
		Entry("a URL with a script", "javascript:alert(1)"),
		Entry("an SVG image", "data:image/svg+xml;base64,PHN2Zz4="),
	)

	It("is cut if it has 1 MB, with the number of omitted characters", func() {
		text := strings.Repeat("画", 1<<20)
		r := hostileRun(text)
		r.Suite, r.Case, r.Variant, r.Fault, r.Key = "s", "c", "v", "f", "k"
		r.Error.Kind, r.Predicted, r.AnsweredBy, r.DecidedBy, r.ErrorReply, r.Tags, r.Text = eval.ProviderError, "p",
			"p", "q", "F", nil, text[:600]
		r.Scores[1].Actual, r.Scores[1].Expected = "p", eval.OneOf{"p"}
		sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: "f"}}}}}
		out := packed(sum, []eval.Result{r}, page.EncodeOptions{}, 0)
		parts := unpacked(out)
		c := decoded[page.Block](parts, "b0").Cases[0]
		Expect(utf8.RuneCountInString(c.Inputs[0].Text)).To(Equal(2_000))
		Expect(c.Inputs[0].OmittedChars).To(Equal(2 * (1<<20 - 2_000)))
		Expect(c.Trials[0].Turns[0].OmittedChars).To(Equal(2 * (1<<20 - 2_000)))
		Expect(c.Trials[0].Scores[0].Reason).To(HaveSuffix(" … (1,048,276 characters more)"))
		Expect(len(parts["b0"])).To(BeNumerically("<", 60_000))
	})
})

var _ = DescribeTable("An image in a trace", func(url string, itself bool) {
	r := small().results()[0]
	r.Outcome.Turns[0].Reply.GeneratedImageURL, r.Outcome.Turns[0].Input.Images = url, []string{url}
	sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: r.Suite,
		Conditions: []eval.ConditionSummary{{Variant: r.Variant}}}}}
	c := decoded[page.Block](unpacked(packed(sum, []eval.Result{r}, page.EncodeOptions{}, 0)), "b0").Cases[0]
	Expect(c.Trials[0].Turns[0].Images).To(Equal(c.Inputs[0].Images))
	if itself {
		Expect(c.Inputs[0].Images).To(Equal([]string{url}))
	} else {
		Expect(c.Inputs[0].Images[0]).To(HavePrefix("data:"))
		Expect(c.Inputs[0].Images[0]).NotTo(Equal(url))
	}
},
	Entry("is included if it is a PNG data URL", data("image/png", "\x89PNG\r\n\x1a\n rest"), true),
	Entry("is included if it is a JPEG data URL", data("image/jpeg", "\xff\xd8\xff\xe0 rest"), true),
	Entry("is shown as its URL if it is not a data URL", "https://example.org/a.png", true),
	Entry("is only described if it has another type, such as SVG", data("image/svg+xml", "<svg onload='x'/>"), false),
	Entry("is only described if its content does not match its type", data("image/png", "<html>"), false),
	Entry("is only described if its base64 is invalid", "data:image/png;base64,iVBOR\"><script>", false),
	Entry("is only described if it is too large", data("image/png", "\x89PNG\r\n\x1a\n"+strings.Repeat("x", 70_000)),
		false),
)

func data(kind, raw string) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString([]byte(raw))
}

var _ = Describe("The data of a trial", func() {
	It("contain the path of its decisions, with their times", func() {
		r := small().results()[0]
		p := &r.Outcome.Turns[0]
		p.Reply.Steps = []agent.Step{{Proposed: "a", Executed: "a", DecidedBy: "llm"},
			{Proposed: "b", Executed: "c", DecidedBy: "rules", Reason: "closed"}, {DecidedBy: "precondition"},
			{Executed: "d", DecidedBy: "rules"}, {Executed: "END", DecidedBy: agent.DecidedByReview}}
		for i := range 4 {
			p.Events = append(p.Events,
				trace.Event{Offset: time.Duration(i+1) * 100 * time.Millisecond, Kind: trace.KindRoute,
					Node: "supervisor", To: "a"})
		}
		sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: r.Suite,
			Conditions: []eval.ConditionSummary{{Variant: r.Variant}}}}}
		steps := func() []page.Step {
			return decoded[page.Block](unpacked(packed(sum, []eval.Result{r}, page.EncodeOptions{}, 0)), "b0").
				Cases[0].Trials[0].Turns[0].Steps
		}
		Expect(steps()).To(Equal([]page.Step{{Executed: "a", DecidedBy: "llm", At: 100},
			{Proposed: "b", Executed: "c", DecidedBy: "rules", Reason: "closed", At: 200},
			{DecidedBy: "precondition", At: 300}, {Proposed: "(nothing)", Executed: "d", DecidedBy: "rules", At: 400},
			{Executed: "END", DecidedBy: "review"}}))
		p.Events = p.Events[:len(p.Events)-1]
		for _, s := range steps() {
			Expect(s.At).To(BeZero(), fmt.Sprint(s))
		}
	})

	It("contain the texts of all turns, for the search", func() {
		r := small().results()[0]
		r.Turns = append(r.Turns, eval.TurnSummary{Answered: true})
		r.Outcome.Turns = append(r.Outcome.Turns,
			eval.TurnResult{Input: agent.Turn{Text: strings.Repeat("later ", 100)}})
		sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: r.Suite,
			Conditions: []eval.ConditionSummary{{Variant: r.Variant}}}}}
		texts := decoded[page.Texts](unpacked(packed(sum, []eval.Result{r}, page.EncodeOptions{}, 0)), "s0")
		Expect(texts.TurnCounts).To(Equal([]int{2}))
		Expect(texts.CaseTexts[0]).To(And(HavePrefix("question 0 of a user\nlater later"), HaveLen(300)))
	})
})

package reports_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/clipperhouse/displaywidth"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports"
)

var _ = Describe("the list of failed trials", func() {
	row := func(id, text, expected, got string) eval.Result {
		return eval.Result{Case: id, Variant: "llm-first", Fault: eval.NoFault, Text: text,
			Expected: eval.OneOf{expected}, Predicted: got,
			DecidedBy: "llm", Confidence: new(0.693), Correct: new(got == expected), Scores: []eval.Score{
				{Name: eval.RouteScore, Verdict: eval.PassIf(got == expected), Actual: got,
					Expected: eval.OneOf{expected}, Turn: 1}}}
	}
	wrong := row("tr-en-026", "画一只在雨里撑伞的猫\nand a dog, and then many more words than there is room for",
		"image_gen", "chat")
	absent := row("tr-zh-001", "讲个笑话", "chat", "")
	absent.Correct, absent.DecidedBy, absent.Error = nil, "", &eval.Error{Kind: eval.ProviderError, Message: "x"}
	absent.Scores = []eval.Score{{Name: eval.RouteScore, Expected: absent.Expected, Turn: 1}}
	errorReply := absent
	errorReply.Case, errorReply.Error, errorReply.ErrorReply = "st-1", nil, "PLANNER_FAILED"
	served := row("tr-zh-002", "画猫", "image_gen", "image_gen")
	served.Correct, served.AnsweredBy = new(false), "web_search"

	list := func(f reports.FailedTrials, width int) string {
		GinkgoHelper()
		var out strings.Builder
		f.WrongCount, f.UnscoredCount = max(f.WrongCount, int64(len(f.Wrong))), int64(len(f.Unscored))
		f.Width = width
		Expect(f.Write(&out)).To(Succeed())
		for l := range strings.Lines(out.String()) {
			Expect(displaywidth.String(strings.TrimSuffix(l, "\n"))).To(BeNumerically("<=", width), l)
		}
		return out.String()
	}

	It("separates wrong trials from those without an answer, and contains the command that shows a trial", func() {
		short := wrong
		short.Text = "画一只猫\nand a dog"
		Expect(list(reports.FailedTrials{Dir: "runs/my first", Wrong: []eval.Result{short, served},
			Unscored: []eval.Result{absent, errorReply}, Trials: 466}, 90)).To(Equal(`wrong: 2 of 466 trials

case       expected   got                     conf  by   text
tr-en-026  image_gen  chat                    0.69  llm  画一只猫 and a dog
tr-zh-002  image_gen  answered by web_search  0.69  llm  画猫

no answer: 2 of 466 trials

case       expected  got             text
tr-zh-001  chat      provider error  讲个笑话
st-1       chat      PLANNER_FAILED  讲个笑话

show a case:
  evalctl show 'runs/my first' tr-en-026 --variant llm-first
`))
	})

	It("has lines in place of a table if that is too wide, and counts the omitted trials", func() {
		text := list(reports.FailedTrials{Dir: "runs/1", Wrong: []eval.Result{wrong}, WrongCount: 1200, Trials: 4660},
			40)
		Expect(text).To(HavePrefix(`wrong: 1,200 of 4,660 trials; first 1
shown

tr-en-026
  expected image_gen, got chat, conf
  0.69, by llm
  画一只在雨里撑伞的猫 and a dog, and t…
`))
	})

	It("has a column for the variant only if there are several, and states the fault", func() {
		other := wrong
		other.Variant, other.Fault = "rules", "router:timeout"
		text := list(reports.FailedTrials{Dir: "d", Wrong: []eval.Result{other, wrong}, Trials: 2}, 120)
		Expect(text).To(MatchRegexp(`tr-en-026 +rules +image_gen`))
		Expect(text).To(ContainSubstring("show --fault=router:timeout d tr-en-026 --variant rules"))
	})

	Describe("with long case ids and labels", func() {
		long := row("tickets-2026-11-22-0000017", "画一只在雨里撑伞的猫, and then many more words than there is room for",
			"refund_not_showing_up", "reverted_card_payment")

		It("never shortens a case id, because evalctl show requires it", func() {
			for width := 40; width < 200; width += 16 {
				Expect(list(reports.FailedTrials{Wrong: []eval.Result{wrong, long}, Trials: 2}, width)).
					To(MatchRegexp(`(?m)^tickets-2026-11-22-0000017( |$)`), "%d", width)
			}
			beyond := row(strings.Repeat("case-", 12)+"1", "画猫", "image_gen", "chat")
			Expect(list(reports.FailedTrials{Wrong: []eval.Result{beyond}, Trials: 1}, 61)).
				To(ContainSubstring("\n" + beyond.Case + "\n  expected image_gen, got chat"))
		})

		It("shortens the text before the labels", func() {
			Expect(list(reports.FailedTrials{Wrong: []eval.Result{long}, Trials: 1}, 92)).
				To(MatchRegexp(`0017  refund_not_showing_up  reverted_card_payment  画一只`))
			Expect(list(reports.FailedTrials{Wrong: []eval.Result{long}, Trials: 1}, 88)).
				To(MatchRegexp(`0017  refund\w*…\w+  reverted\w*…\w+  画一只`))
		})

		It("shortens nothing if the width is unlimited", func() {
			long.Text = strings.Repeat("猫", 200)
			var out strings.Builder
			Expect(reports.FailedTrials{Wrong: []eval.Result{long}, WrongCount: 1, Trials: 1}.Write(&out)).
				To(Succeed())
			Expect(out.String()).To(ContainSubstring("reverted_card_payment  0.69  llm  " + long.Text + "\n"))
		})
	})

	It("has a column for the epoch only if a case ran several times", func() {
		again := wrong
		wrong.Epoch, again.Epoch = 1, 3
		text := list(reports.FailedTrials{Wrong: []eval.Result{wrong, again}, Trials: 9}, 120)
		Expect(text).To(MatchRegexp(`case +epoch +expected .*\ntr-en-026 +1 +image_gen .*\ntr-en-026 +3 +image_gen `))
	})

	It("shows why a label is invalid in place of the label", func() {
		none := wrong
		none.Predicted, none.Nodes = "invalid", []eval.NodeVisit{{Node: "router", CallError: llm.KindUnknownLabel}}
		Expect(list(reports.FailedTrials{Wrong: []eval.Result{none}, Trials: 1}, 120)).
			To(MatchRegexp(`image_gen +no label: unknown_label +0.69`))
		none.Nodes[0].CallError = ""
		Expect(list(reports.FailedTrials{Wrong: []eval.Result{none}, Trials: 1}, 120)).
			To(MatchRegexp(`image_gen +invalid +0.69`), "a label of that name")
	})

	It("states that the run is partial", func() {
		Expect(list(reports.FailedTrials{Partial: true, Wrong: []eval.Result{wrong}, Trials: 2}, 100)).
			To(HavePrefix("✗ PARTIAL: the run did not end; "))
	})

	It("states that no case fails", func() {
		Expect(list(reports.FailedTrials{Trials: 466}, 80)).To(Equal("No failing case in 466 trials.\n"))
	})

	It("escapes control characters", func() {
		bad := row("c\x1b[2J", "\x1b]0;x\x07\u202eabc", "\x1b[31m", "\u009b1m")
		Expect(list(reports.FailedTrials{Dir: "\x1b", Wrong: []eval.Result{bad}, Trials: 1}, 80)).
			NotTo(MatchRegexp("[\x00-\x09\x0b-\x1f\x7f\u0080-\u009f\u202e]"))
	})
})

var _ = Describe("the timeline of a failed trial", func() {
	r := eval.Result{Case: "c", Suite: "s", Variant: "v", Epoch: 1, Text: "画一只猫", Correct: new(false),
		Predicted: "chat", Expected: eval.OneOf{"image_gen"},
		Scores: []eval.Score{
			{Name: eval.RouteScore, Verdict: eval.Fail, Actual: "chat", Expected: eval.OneOf{"image_gen", "web_search"},
				Turn: 2},
			{Name: "slots.subject", Verdict: eval.Fail, Actual: "dog", Expected: eval.OneOf{"cat"}, IsAttribute: true},
			{Name: "events.in_order", Verdict: eval.Fail, Reason: "done came twice", IsAttribute: true},
			{Name: "genui.conform", Verdict: eval.Pass, IsAttribute: true},
		},
		Outcome: eval.Outcome{Turns: []eval.TurnResult{
			{Events: []trace.Event{decidedBy("first answer")}},
			{Events: []trace.Event{
				{Kind: trace.KindRoute, Node: "planner", To: "chat",
					Data: trace.RawAnswerData(`{"route":` + "\n" + `"chat"}`)},
				{Kind: trace.KindReview, Node: "critic", Review: &trace.Review{Loop: 1, Reviewer: "llm"},
					Data: trace.RawAnswerData(`{"score":0.9}`)},
			}},
		}}}

	It("shows first why it failed: the expected and the actual label, each failed check, and the model's answers",
		func() {
			Expect(renderText(r, 80)).To(HavePrefix(`c · suite s · variant v · fault none · epoch 1 · 0 s
✗ expected image_gen or web_search, got chat
✗ slots.subject: expected cat, got dog
✗ events.in_order: done came twice
  input    画一只猫
  planner  {"route":
           "chat"}
  critic   {"score":0.9}

turn 1 of 2`))
			Expect(renderText(r, 80)).NotTo(ContainSubstring("genui"))
		})

	It("shows the model's answers in other turns next to those turns", func() {
		text := renderText(r, 80)
		Expect(strings.Index(text, "first answer")).To(BeNumerically(">", strings.Index(text, "turn 1 of 2")))
		Expect(strings.Count(text, `{"score":0.9}`)).To(Equal(1))
	})

	It("states that no decision was made", func() {
		r := r
		r.Correct, r.Scores = nil,
			[]eval.Score{{Name: eval.RouteScore, Reason: "no decision was made", Expected: eval.OneOf{"chat"}, Turn: 1}}
		Expect(renderText(r, 80)).To(ContainSubstring("\nexpected chat, not scored: no decision was made\n"))
	})

	It("also shows why it failed if a crash left only the trace", func() {
		r := r
		r.Scores = nil
		Expect(renderText(r, 80)).To(ContainSubstring("\n✗ expected image_gen, got chat\n"))
	})
})

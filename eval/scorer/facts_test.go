package scorer_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// states reports whether the answer states the fact, according to NormalizedMatch.
func states(answer, fact string) bool {
	p := eval.TurnResult{Reply: agent.Reply{Content: answer}}
	return scorer.NormalizedMatch{}.Stated(p, []eval.OneOf{{fact}})[0]
}

const (
	is    = true
	isNot = false
)

var _ = DescribeTable("EquivalentMatch recognizes whether an answer states a fact", Label("definition"),
	func(answer, fact string, want bool) {
		Expect(states(answer, fact)).To(Equal(want))
	},
	// A number must not be part of another number.
	Entry(nil, "准确率达到 91.3%。", "91.3%", is),
	Entry(nil, "a loss of 191.35", "91.3", isNot),
	Entry(nil, "a loss of 191.3", "91.3", isNot),
	Entry(nil, "a loss of 91.35", "91.3", isNot),
	Entry(nil, "共 120 幅图像", "12", isNot),
	Entry(nil, "共 312 幅图像", "12", isNot),
	Entry(nil, "共 12 幅图像", "12", is),
	Entry(nil, "共12幅图像", "12 幅", is),
	Entry(nil, "12", "12", is),
	Entry(nil, "it is 12.", "12", is),
	Entry(nil, "12.5 ms", "12", isNot),
	Entry(nil, "12, 13 and 14", "13", is),
	Entry(nil, "12mm", "12 mm", is),
	Entry(nil, "version 1.2.3", "1.2", isNot),
	Entry(nil, "version 1.2.3", "1.2.3", is),
	Entry(nil, "3-5 层", "35", isNot),
	Entry(nil, "3-5 层", "3–5 层", is),
	Entry(nil, "3/5", "35", isNot),

	// Numbers with thousands separators.
	Entry(nil, "1204 幅", "1,204 幅", is),
	Entry(nil, "1,204 images", "1204 images", is),
	Entry(nil, "１，２０４ 幅", "1204幅", is),
	Entry(nil, "11,204 images", "1,204 images", isNot),
	Entry(nil, "1,204,500 images", "1,204", isNot),
	Entry(nil, "1,2045", "1,204", isNot),
	Entry(nil, "12\u202f040 images", "12,040", is),
	Entry(nil, "分别为3，204，5", "204", is),
	Entry(nil, "1,204", "204", isNot),

	// Other notations of the same number.
	Entry(nil, "1.2 万条", "12,000 条", is),
	Entry(nil, "12万条", "12", isNot),
	Entry(nil, "3.5亿", "350,000,000", is),
	Entry(nil, "12k steps", "12,000 steps", is),
	Entry(nil, "12k steps", "12", isNot),
	Entry(nil, "1.2 million", "1,200,000", is),
	Entry(nil, "12 millions of", "12,000,000", isNot),
	Entry(nil, "0.50", "0.5", is),
	Entry(nil, "p < .05", "p < 0.05", is),
	Entry(nil, "1e-3", "0.001", is),
	Entry(nil, "3×10⁻⁴", "0.0003", is),
	Entry(nil, "3 x 10^5", "3×10⁵", is),
	Entry(nil, "10² 次", "102 次", isNot),
	Entry(nil, "3½ 小时", "31", isNot),

	// Percentages.
	Entry(nil, "91.3 %", "91.3%", is),
	Entry(nil, "９１．３％", "91.3%", is),
	Entry(nil, "91.3 percent", "91.3%", is),
	Entry(nil, "91.3 per cent", "91.3%", is),
	Entry(nil, "百分之91.3", "91.3%", is),
	Entry(nil, "91.3", "91.3%", isNot),
	Entry(nil, "91.3%", "91.3", is),
	Entry(nil, "准确率**91.3**%", "91.3%", is),

	// Numbers with a sign.
	Entry(nil, "变化为 −0.42", "-0.42", is),
	Entry(nil, "变化为-0.42", "0.42", isNot),
	Entry(nil, "变化为 0.42", "-0.42", isNot),
	Entry(nil, "在 10%-15% 之间", "15%", is),
	Entry(nil, "p=0.03", "p<0.03", isNot),
	Entry(nil, "p ＜ 0.05", "p<0.05", is),
	Entry(nil, "p <= 0.05", "p ≤ 0.05", is),

	// Numbers in names.
	Entry(nil, "我们用 ResNet50 训练", "ResNet-50", is),
	Entry(nil, "我们用 resnet‑50 训练", "ResNet-50", is),
	Entry(nil, "ResNet-500", "ResNet-50", isNot),
	Entry(nil, "ResNet-50", "50", isNot),
	Entry(nil, "GPT-4o", "GPT-4", isNot),
	Entry(nil, "GPT-4的结果", "GPT-4", is),
	Entry(nil, "CIFAR-100", "CIFAR-10", isNot),
	Entry(nil, "a U-Net", "UNet", is),
	Entry(nil, "the UNet", "U-Net", is),
	Entry(nil, "ResNet", "Net", isNot),
	Entry("not with another unit (ms, not m)", "2.6 ms", "2.6 m", isNot),
	Entry("not with another unit without a space (ms, not m)", "2.6ms", "2.6 m", isNot),
	Entry("in the plural of a long unit", "2.6 metres", "2.6 metre", is),
	Entry("in the plural of a word", "the valves", "valve", is),
	Entry("not if a Chinese word is negated", "差异不显著", "显著", isNot),
	Entry("not if an English word is negated", "the gain was not  significant", "significant", isNot),
	Entry("if a word is negated once and stated once", "not significant at 150 m, significant at 500 m",
		"significant", is),
	Entry("if the negation belongs to the previous sentence", "It did not. Significant is the gain", "significant", is),
	Entry("not if a number is denied", "not 12 but 13", "12", isNot),
	Entry(nil, "state of the art", "state-of-the-art", is),
	Entry(nil, "two transformers", "transformer", is),
	Entry(nil, "inks", "in", isNot),
	Entry("k directly after a number multiplies it", "5k images", "5000", is),
	Entry("k after a space is a unit, not a multiplier: not stated", "5 k images", "5000", isNot),
	Entry("a multiplier in words, after a space", "5 thousand images", "5000", is),
	Entry(nil, "CO₂ 排放", "CO2", is),
	Entry(nil, "ＢＥＲＴ模型", "BERT", is),
	Entry(nil, "《城市 热岛 数据集》", "城市热岛数据集", is),
	Entry(nil, "深度残差网络", "残差网络", is),
	Entry(nil, "残差图网络", "残差网络", isNot),
	Entry(nil, "", "12", isNot),
	Entry(nil, "what?!", "?!", is),
	Entry(nil, "what", "?!", isNot),
)

var _ = It("31.8: finds a fact in another spelling, but not where the answer denies it", Label("definition"), func() {
	table, err := os.ReadFile("testdata/facts.tsv")
	Expect(err).NotTo(HaveOccurred())
	rows := 0
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		Expect(row).To(HaveLen(3), line)
		Expect(states(row[1], row[0])).To(Equal(row[2] == "yes"), line)
		rows++
	}
	Expect(rows).To(BeNumerically(">", 200))
})

// judgeFacts returns the score of an outcome with this FactJudge.
func judgeFacts(judge scorer.FactJudge, c eval.Case, o eval.Outcome) eval.Score {
	GinkgoHelper()
	s, err := scorer.Facts{Name: "facts.x", Field: "facts", Judge: judge}.Score(context.Background(), c, o)
	Expect(err).NotTo(HaveOccurred())
	return s
}

func says(answers ...string) (o eval.Outcome) {
	for _, a := range answers {
		o.Turns = append(o.Turns, eval.TurnResult{Reply: agent.Reply{Content: a}})
	}
	return o
}

var _ = Describe("Facts", func() {
	four := expecting(`{"facts":["91.3%",["1,204 幅","1,204 images"],"ResNet-50","城市热岛"]}`)

	It("scores three of four facts as 3/4", Label("definition"), func() {
		Expect(judgeFacts(scorer.NormalizedMatch{}, four, says("1204 images, 91.3 percent, ResNet50"))).
			To(Equal(eval.Score{Name: "facts.x", Verdict: eval.Fail,
				Value: 0.75, Turn: 1, Actual: "3 of 4", Expected: eval.OneOf{"91.3%, 1,204 幅, ResNet-50, 城市热岛"},
				Reason: "without 城市热岛", IsAttribute: true,
				FactsInAnswers: []eval.TurnFacts{{Turn: 1, Stated: []bool{true, true, true, false}}}}))
	})

	It("with ExactMatch counts only facts that the answer states word for word", Label("definition"), func() {
		s := judgeFacts(scorer.ExactMatch{}, four, says("1204 images, 91.3 percent, ResNet-50"))
		Expect(s.Value).To(Equal(0.25))
		Expect(s.Reason).To(Equal("without 91.3%, 1,204 幅, 城市热岛"))
	})

	It("with ExactMatch does not count a fact that is part of another number", func() {
		Expect(judgeFacts(scorer.ExactMatch{}, expecting(`{"facts":["12"]}`), says("120")).Value).To(BeZero())
	})

	It("passes if all facts are stated", func() {
		s := judgeFacts(scorer.NormalizedMatch{}, four, says("城市热岛：1204 幅，91.3％，ResNet50"))
		Expect([]any{s.Verdict, s.Value, s.Reason}).To(Equal([]any{eval.Pass, 1.0, ""}))
	})

	It("scores a conversation by the mean over the turns with facts: 1/2 and 1 give 3/4, not 2/3",
		Label("definition"), func() {
			s := judgeFacts(scorer.NormalizedMatch{},
				expecting(`{"facts":["a","b"]}`, `{"intent":"x"}`, `{"facts":["c"]}`),
				says("a", "", "c"))
			Expect([]any{s.Verdict, s.Value, s.Turn, s.Reason}).To(Equal([]any{eval.Fail, 0.75, 1, "without b"}))
		})

	It("returns which facts each answered turn states, even if another turn has no answer", func() {
		o := says("a", "b")
		o.Turns[0].HasError = true
		s := judgeFacts(scorer.NormalizedMatch{}, expecting(`{"facts":["a"]}`, `{"facts":["b","c"]}`), o)
		Expect([]any{s.Verdict, s.Turn, s.FactsInAnswers}).
			To(Equal([]any{eval.Unscored, 1, []eval.TurnFacts{{Turn: 2, Stated: []bool{true, false}}}}))
	})

	It("is unscored if a turn did not run, failed or ended in an error reply", func() {
		c := expecting(`{"facts":["a"]}`)
		failed, errorReply := says("a"), says("a")
		failed.Turns[0].HasError = true
		errorReply.Turns[0].Reply.ErrorReply = &agent.ErrorReply{Code: "FAILED"}
		for _, o := range []eval.Outcome{{}, failed, errorReply} {
			s := judgeFacts(scorer.NormalizedMatch{}, c, o)
			Expect([]any{s.Name, s.Verdict, s.Value}).To(Equal([]any{"facts.x", eval.Unscored, 0.0}))
		}
	})

	It("returns a score without a name if the case lists no facts", func() {
		Expect(judgeFacts(scorer.NormalizedMatch{}, expecting(`{"intent":"x"}`, ``), says("a", "b"))).
			To(Equal(eval.Score{}))
	})

	It("returns an error with the position of an invalid list of facts", func() {
		_, err := scorer.Facts{Name: "facts.x", Field: "facts",
			Judge: scorer.NormalizedMatch{}}.Score(context.Background(), expecting(`{"facts":7}`), says("7"))
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.facts: ")))
	})

	It("with ModelGraded uses the grader's judgment, and is unscored if the grader failed", func() {
		o := says("a")
		c := expecting(`{"facts":["a","b"]}`)
		Expect(judgeFacts(scorer.ModelGraded{}, c, o).Verdict).To(Equal(eval.Unscored))
		o.Turns[0].FactGrading = &eval.FactGrading{Error: "refused"}
		Expect(judgeFacts(scorer.ModelGraded{}, c, o).Verdict).To(Equal(eval.Unscored))
		o.Turns[0].FactGrading = &eval.FactGrading{Stated: []bool{false, true}}
		s := judgeFacts(scorer.ModelGraded{}, c, o)
		Expect([]any{s.Value, s.Reason}).To(Equal([]any{0.5, "without a"}))
	})
})

// FuzzFacts checks that every text states itself, and that no number states another one.
func FuzzFacts(f *testing.F) {
	for _, s := range []string{"91.3%", "1,204 幅", "ResNet-50", "-.5e3", "百分之12万", "3½×10⁻⁴", "GPT-4o", "1.2.3", "e",
		"１，２０４", "..-9,999,9", "\xff%"} {
		f.Add(s, uint16(12), uint16(120))
	}
	f.Fuzz(func(t *testing.T, text string, a, b uint16) {
		if len(text) > 1000 {
			return
		}
		for _, around := range []string{text, "。" + text + "。", "x\n" + text + "\ny"} {
			if !states(around, text) {
				t.Errorf("%q does not state %q", around, text)
			}
		}
		if got := states(fmt.Sprintf("共 %d 幅", a), fmt.Sprint(b)); got != (a == b) {
			t.Errorf("%d states %d: %v", a, b, got)
		}
	})
}

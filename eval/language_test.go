package eval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
)

var _ = DescribeTable("the language of a text follows from its script", func(text, want string) {
	Expect(eval.Language(text)).To(Equal(want))
},
	Entry(nil, "画一只在雨里撑伞的猫", "zh"), Entry(nil, "現在幾點了", "zh"), Entry(nil, "1+1=几", "zh"),
	Entry(nil, "What's the weather like?", "en"), Entry(nil, "dessine un château", "en"),
	Entry("a name does not change the language", "Kafka 的消费者重启以后怎么跳过积压，只从最新消息开始读", "zh"),
	Entry("nor does a letter", "A股今天怎么跌了", "zh"),
	Entry("nor does a character", "what does 福 on a door mean, and why is it upside down", "en"),
	Entry(nil, "画 Santorini 的蓝顶教堂，门口 a sleepy white cat", "mixed"),
	Entry(nil, "帮我polish一下这句：I am very interesting in your company", "mixed"),
	Entry("kana", "今日の天気はどうですか", "other"), Entry("hangul", "오늘 날씨 어때요", "other"),
	Entry("cyrillic", "Какая погода", "other"),
	Entry("no words", "😂😂 123", "other"), Entry("empty", "", "other"), Entry("invalid UTF-8", "\xff\xfe", "other"),
)

var _ = It("the fast paths agree with the Unicode script of every character", func() {
	want := func(r rune) string {
		switch {
		case unicode.Is(unicode.Han, r):
			return eval.Chinese
		case unicode.Is(unicode.Latin, r):
			return eval.English
		}
		return eval.Other
	}
	for r := range unicode.MaxRune + 1 {
		if got := eval.Language(string([]rune{r, r})); got != want(r) {
			Fail(fmt.Sprintf("%U: %s, want %s", r, got, want(r)))
		}
	}
})

var _ = Describe("The text of a row", func() {
	judged := func(turn int) []eval.Scorer {
		return []eval.Scorer{fixedScorer{score: eval.Score{Name: "route", Verdict: eval.Fail, Turn: turn,
			Expected: eval.OneOf{"a"}}}}
	}
	asked := func(scorers []eval.Scorer, texts ...string) eval.Result {
		c := eval.Case{ID: "c"}
		for _, t := range texts {
			c.Turns = append(c.Turns, eval.LabeledTurn{Turn: agent.Turn{Text: t}})
		}
		condition := &eval.Condition{Scorers: scorers,
			Target: func(eval.Trial) (eval.Target, error) { return nil, errors.New("no target") }}
		k, err := run(context.Background(),
			func(yield func(eval.Trial, error) bool) { yield(eval.Trial{Condition: condition, Case: c}, nil) })
		Expect(err).NotTo(HaveOccurred())
		return k.results[0]
	}

	It("is that of the scored turn, else of the last turn", func() {
		Expect(asked(judged(1), "画一只猫", "thank you").Text).To(Equal("画一只猫"))
		r := asked(nil, "画一只猫", "thank you")
		Expect(r.Text).To(Equal("thank you"))
		Expect(r.Language).To(Equal("en"))
	})

	It("has at most 200 characters and cuts none", func() {
		Expect(asked(nil, "a"+strings.Repeat("画", 300)).Text).To(Equal("a" + strings.Repeat("画", 199)))
		Expect(asked(nil, strings.Repeat("画", 200)).Text).To(HaveLen(600))
		Expect(asked(nil, "a\xffb").Text).To(Equal("a\ufffdb"))
	})

	It("is present if no turn was run", func() {
		r := asked(judged(2), "one", "two words")
		Expect(r.Outcome.Turns).To(BeEmpty())
		Expect(r.Text).To(Equal("two words"))
	})
})

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

var _ = DescribeTable("Language classifies a text by its script", func(text, want string) {
	Expect(eval.DetectLanguage(text)).To(Equal(want))
},
	Entry(nil, "画一只在雨里撑伞的猫", "zh"), Entry(nil, "現在幾點了", "zh"), Entry(nil, "1+1=几", "zh"),
	Entry(nil, "What's the weather like?", "en"), Entry(nil, "dessine un château", "en"),
	Entry("Chinese with a Latin name is Chinese", "Kafka 的消费者重启以后怎么跳过积压，只从最新消息开始读", "zh"),
	Entry("Chinese with a single Latin letter is Chinese", "A股今天怎么跌了", "zh"),
	Entry("English with a Chinese character is English", "what does 福 on a door mean, and why is it upside down", "en"),
	Entry(nil, "画 Santorini 的蓝顶教堂，门口 a sleepy white cat", "mixed"),
	Entry(nil, "帮我polish一下这句：I am very interesting in your company", "mixed"),
	Entry("Japanese is other", "今日の天気はどうですか", "other"), Entry("Korean is other", "오늘 날씨 어때요", "other"),
	Entry("Cyrillic is other", "Какая погода", "other"),
	Entry("a text without words is other", "😂😂 123", "other"), Entry("an empty text is other", "", "other"),
	Entry("invalid UTF-8 is other", "\xff\xfe", "other"),
)

var _ = It("Language gives every character the script that Unicode defines, also where it uses a shortcut", func() {
	want := func(r rune) string {
		switch {
		case unicode.Is(unicode.Han, r):
			return eval.Chinese
		case unicode.Is(unicode.Latin, r):
			return eval.English
		}
		return eval.OtherLanguage
	}
	for r := range unicode.MaxRune + 1 {
		if got := eval.DetectLanguage(string([]rune{r, r})); got != want(r) {
			Fail(fmt.Sprintf("%U: %s, want %s", r, got, want(r)))
		}
	}
})

var _ = Describe("The text of a result", func() {
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
			NewTarget: func(eval.Trial) (eval.Target, error) { return nil, errors.New("no target") }}
		k, err := run(context.Background(),
			func(yield func(eval.Trial, error) bool) { yield(eval.Trial{Condition: condition, Case: c}, nil) })
		Expect(err).NotTo(HaveOccurred())
		return k.results[0]
	}

	It("is the message of the scored turn, or else of the last turn", func() {
		Expect(asked(judged(1), "画一只猫", "thank you").Text).To(Equal("画一只猫"))
		r := asked(nil, "画一只猫", "thank you")
		Expect(r.Text).To(Equal("thank you"))
		Expect(r.Language).To(Equal("en"))
	})

	It("has at most 200 characters, and no character is split", func() {
		Expect(asked(nil, "a"+strings.Repeat("画", 300)).Text).To(Equal("a" + strings.Repeat("画", 199)))
		Expect(asked(nil, strings.Repeat("画", 200)).Text).To(HaveLen(600))
		Expect(asked(nil, "a\xffb").Text).To(Equal("a\ufffdb"))
	})

	It("is set even if no turn ran", func() {
		r := asked(judged(2), "one", "two words")
		Expect(r.Outcome.Turns).To(BeEmpty())
		Expect(r.Text).To(Equal("two words"))
	})
})

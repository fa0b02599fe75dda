package mocks_test

import (
	"context"
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/mocks"
)

// verdict is a critic's answer.
type verdict struct {
	Passed      *bool
	Score       *float64
	Feedback    *string
	Suggestions *[]string
}

// kept is the mean and standard deviation of a normal kept within 0..1, whose
// tails lie on the bounds.
func kept(mean, spread float64) (m, s float64) {
	if spread == 0 {
		return mean, 0
	}
	below := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	density := func(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
	a, b := -mean/spread, (1-mean)/spread
	inside, tail := below(b)-below(a), below(-b)
	m = mean*inside + spread*(density(a)-density(b)) + tail
	square := (mean*mean+spread*spread)*inside + 2*mean*spread*(density(a)-density(b)) +
		spread*spread*(a*density(a)-b*density(b)) + tail
	return m, math.Sqrt(square - m*m)
}

func review(text string) openai.ChatCompletionRequest {
	r := askJSON("qwen-plus", text)
	r.Messages[0].Content = `JSON: {"passed":true,"score":0.9}`
	return r
}

var _ = Describe("Judge", func() {
	constant := func(q float64) func(mocks.ChatRequest, int) float64 {
		return func(mocks.ChatRequest, int) float64 { return q }
	}
	answer := func(j *mocks.Judge, text string) (v verdict) {
		GinkgoHelper()
		decode(j.Answer(mocks.ChatRequest{Component: mocks.Critic, JSON: true, Text: text}).Content, &v)
		return v
	}

	DescribeTable("scores about the quality, spread as it says, and passes as often as arithmetic has it",
		func(quality, spread, threshold float64) {
			const n = 20000
			j := &mocks.Judge{Quality: constant(quality), Spread: spread, Threshold: threshold, Seed: 5}
			sum, squares, passed := 0.0, 0.0, 0.0
			for i := range n {
				v := answer(j, fmt.Sprintf("a door, number %d", i/4)) // four answers to each text
				Expect(*v.Score).To(And(BeNumerically(">=", 0), BeNumerically("<=", 1)))
				Expect(*v.Passed).To(Equal(*v.Score > threshold))
				sum += *v.Score
				squares += *v.Score * *v.Score
				if *v.Passed {
					passed++
				}
			}
			const rounding = 0.0005
			m, s := kept(quality, spread)
			mean := sum / n
			Expect(mean).To(BeNumerically("~", m, 4*s/math.Sqrt(n)+rounding))
			Expect(math.Sqrt(max(squares/n-mean*mean, 0))).To(BeNumerically("~", s, 4*spread/math.Sqrt(2*n)+rounding))
			rate := 0.0
			if spread > 0 {
				rate = math.Erfc((threshold+rounding-quality)/spread/math.Sqrt2) / 2
			} else if quality > threshold {
				rate = 1
			}
			Expect(passed / n).To(BeNumerically("~", rate, 4*math.Sqrt(rate*(1-rate)/n)+1e-9))
		},
		Entry("amid the range", 0.5, 0.1, 0.5),
		Entry("mostly good", 0.8, 0.05, 0.7),
		Entry("kept below 1", 0.9, 0.2, 0.7),
		Entry("kept above 0", 0.05, 0.3, 0.6),
		Entry("without noise", 0.7, 0.0, 0.7),
		Entry("without noise, good", 0.71, 0.0, 0.7),
	)

	It("can be predicted: by seed, text and the number of the answer", func() {
		j := &mocks.Judge{Quality: func(r mocks.ChatRequest, nth int) float64 { return 0.4 + 0.1*float64(nth) }, Spread: 0.1, Seed: 3}
		again := &mocks.Judge{Quality: j.Quality, Spread: 0.1, Seed: 3}
		other := &mocks.Judge{Quality: j.Quality, Spread: 0.1, Seed: 4}
		seen := map[float64]bool{}
		for nth := 1; nth <= 4; nth++ {
			got := *answer(j, "一扇门").Score
			Expect(got).To(Equal(j.Score("一扇门", nth, 0.4+0.1*float64(nth))))
			Expect(*answer(j, fmt.Sprint("another ", nth)).Score).To(Equal(again.Score(fmt.Sprint("another ", nth), 1, 0.5)))
			Expect(again.Score("一扇门", nth, 0.6)).NotTo(Equal(other.Score("一扇门", nth, 0.6)))
			seen[j.Score("一扇门", nth, 0.6)] = true
		}
		Expect(seen).To(HaveLen(4))
		Expect(j.Score("一扇门", 1, 0.6)).To(Equal(0.525), "frozen: another process agrees")
	})

	It("counts answers, not attempts", func() {
		var asked []int
		j := &mocks.Judge{Quality: func(_ mocks.ChatRequest, nth int) float64 { asked = append(asked, nth); return 0.5 }}
		faults, err := mocks.ParseFaults("critic:overloaded@1+critic:reset@3+critic:wrong_schema@4")
		Expect(err).NotTo(HaveOccurred())
		s := newServer(mocks.Config{Model: j, Faults: faults})
		c := dial(s, mocks.DashScope)
		for range 5 {
			_, _ = c.CreateChatCompletion(context.Background(), review("x")) // two of them fail
		}
		Expect(asked).To(Equal([]int{1, 2, 3}))
	})

	DescribeTable("speaks the user's language to a critic's client",
		func(text string, quality float64, passed bool, language string) {
			s := newServer(mocks.Config{Model: &mocks.Judge{Quality: constant(quality), Threshold: 0.5}})
			res, err := dial(s, mocks.DashScope).CreateChatCompletion(context.Background(), review(text))
			Expect(err).NotTo(HaveOccurred())
			var v verdict
			decode(res.Choices[0].Message.Content, &v)
			Expect(*v.Score).To(Equal(quality))
			Expect(*v.Passed).To(Equal(passed))
			Expect(*v.Feedback).To(MatchRegexp(language))
			Expect(v.Suggestions).NotTo(BeNil(), "a list, though it be empty")
			Expect(len(*v.Suggestions) == 0).To(Equal(passed))
			for _, suggestion := range *v.Suggestions {
				Expect(suggestion).To(MatchRegexp(language))
			}
			Expect(s.Log()[0].Component).To(Equal(mocks.Critic))
		},
		Entry(nil, "一只猫", 0.9, true, `^\p{Han}`),
		Entry(nil, "一只猫", 0.123, false, `^\p{Han}`),
		Entry(nil, "a cat", 0.9, true, `^[ -~]+$`),
		Entry(nil, "a cat", 0.5, false, `^[ -~]+$`),
	)

	It("speaks to other components too", func() {
		j := &mocks.Judge{Quality: constant(1)}
		Expect(j.Answer(mocks.ChatRequest{Component: mocks.Chat, Text: "你好"}).Content).To(MatchRegexp(`\p{Han}`))
		Expect(j.Answer(mocks.ChatRequest{Component: mocks.Router, JSON: true, Text: "x"}).Content).To(HavePrefix(`{"reply":`))
	})

	It("is safe for many callers at once", func() {
		j := &mocks.Judge{Quality: constant(0.5), Spread: 0.2}
		g, _ := clock.NewGroup(context.Background(), 8)
		for range 8 {
			g.Go("critic", func(context.Context) error {
				for range 100 {
					j.Answer(mocks.ChatRequest{Component: mocks.Critic, Text: "x"})
				}
				return nil
			})
		}
		Expect(g.Wait()).To(Succeed())
		Expect(*answer(j, "x").Score).To(Equal(j.Score("x", 801, 0.5)))
	})

	DescribeTable("refuses a bad configuration, naming the field",
		func(j *mocks.Judge, field string) {
			_, err := mocks.New(mocks.Config{Model: j})
			Expect(err).To(MatchError(And(ContainSubstring("Config.Model"), ContainSubstring(field))))
		},
		Entry(nil, &mocks.Judge{}, "Judge.Quality"),
		Entry(nil, &mocks.Judge{Quality: constant(1), Spread: -1}, "Judge.Spread"),
		Entry(nil, &mocks.Judge{Quality: constant(1), Spread: math.NaN()}, "Judge.Spread"),
		Entry(nil, &mocks.Judge{Quality: constant(1), Threshold: 1.1}, "Judge.Threshold"),
	)
})

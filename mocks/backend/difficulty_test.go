package backend_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// misleadingCases returns n cases with two labels. For 30 % of each label, the words of the text
// suggest the other label.
func misleadingCases(n int) iter.Seq2[eval.Case, error] {
	return func(yield func(eval.Case, error) bool) {
		for i := range n {
			text, label := fmt.Sprintf("画第%d只猫", i), "image_gen"
			if i%2 == 0 {
				text, label = fmt.Sprintf("第%d个愿望", i), "chat"
			}
			if i/2%10 < 3 {
				label = map[string]string{"image_gen": "chat", "chat": "image_gen"}[label]
			}
			c := eval.Case{ID: fmt.Sprint("drawing ", i), Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: text},
				Expected: json.RawMessage(fmt.Sprintf(`{"route":%q}`, label))}}}
			if !yield(c, nil) {
				return
			}
		}
	}
}

var _ = Describe("15.14: the errors of a simulated model", Label("figures"), func() {
	const n, accuracy = 1500, 0.9

	// rates returns the accuracy of the simulated model over all cases, over those that the rules
	// decide correctly, and over those that they decide wrongly.
	rates := func(router string, seed uint64) (all, easy, hard float64) {
		GinkgoHelper()
		s, err := suite.Parse("s.yaml", []byte(fmt.Sprintf(`
name: s
target: toolrouter
dataset: drawings
decision_only: true
variants: [{name: rules, router: rules}, {name: llm, router: llm}]
models: {router: {%s}}
`, router)))
		Expect(err).NotTo(HaveOccurred())
		rules, count, right := map[string]bool{}, map[bool]float64{}, map[bool]float64{}
		rows := rowsOf(s, misleadingCases(n), 1, seed, backend.Config{Cases: misleadingCases(n)})
		for _, r := range rows {
			if r.Variant == "rules" {
				rules[r.Case] = *r.Correct
			}
		}
		for _, r := range rows {
			if r.Variant == "llm" {
				count[rules[r.Case]]++
				if *r.Correct {
					right[rules[r.Case]]++
				}
			}
		}
		return (right[true] + right[false]) / n, right[true] / count[true], right[false] / count[false]
	}

	It("15.14: are more frequent in texts that word rules get wrong, unless the difficulty is 0; the total accuracy is as configured",
		func() {
			bound := 3 * math.Sqrt(accuracy*(1-accuracy)/n)
			for seed := range uint64(2) {
				all, easy, hard := rates("accuracy: 0.9", seed)
				Expect(all).To(BeNumerically("~", accuracy, bound))
				Expect(easy - hard).To(BeNumerically(">", 0.1))
				all, easy, hard = rates("accuracy: 0.9, difficulty: 0", seed)
				Expect(all).To(BeNumerically("~", accuracy, bound))
				Expect(easy - hard).To(BeNumerically("~", 0, 3*math.Sqrt(accuracy*(1-accuracy)/n/0.3/0.7)))
			}
		})

	It("15.14: are described in the report's note by accuracy and difficulty; a difficulty outside 0..1 is rejected",
		func() {
			Expect(backend.Describe(desk(), suite.Simulated{Behavior: "labeled", Accuracy: new(0.9)})).
				To(ContainSubstring("accuracy 0.9, difficulty 0.5"))
			for _, wrong := range []float64{-0.1, 1.1, math.NaN()} {
				Expect(backend.Simulate(desk(), "router",
					suite.Model{Simulated: suite.Simulated{Accuracy: new(0.9), Difficulty: &wrong}})).
					To(MatchError(MatchRegexp(`^difficulty: .* is not in 0\.\.1`)))
			}
		})
})

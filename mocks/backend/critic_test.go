package backend_test

import (
	"encoding/json"
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/mocks/backend"
	"evalctl/mocks/model"
)

var _ = Describe("S5: a simulated critic", func() {
	s := backend.TurnsOf(eval.Case{Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: "一扇门"},
		Expected: json.RawMessage(
			`{"images":[{"description":"a","quality":0.1,"acceptable":false},{"description":"b","quality":0.2,"acceptable":false}]}`)}}})
	asked := func(text string, images int) model.Request {
		return model.Request{Text: text, ImageCount: images, Messages: []model.Message{{Role: "user", Text: text}}}
	}

	It("scores an image by its label; without an image or a label it scores the text", func() {
		Expect(backend.Quality(s.Find, "一扇门", 1)).To(Equal(0.1))
		Expect(backend.Quality(s.Find, "一扇门", 2)).To(Equal(0.2))
		for nth := 1; nth <= 3; nth++ {
			Expect(backend.Worth(s.Find, asked("一扇门", 0), nth, 0)).To(Equal(backend.Promise(asked("一扇门", 0), 0)))
			Expect(backend.Worth(s.Find, asked("没有标签", 1), nth, 0)).To(Equal(backend.Promise(asked("没有标签", 1), 0)))
		}
	})

	It("scores the same text always equally, and different texts with mean 0.75 and standard deviation 0.1", func() {
		sum, squares := 0.0, 0.0
		const n = 20_000
		for i := range n {
			q := backend.Promise(asked(fmt.Sprint("画 ", i), 0), 0)
			Expect(q).To(And(BeNumerically(">=", 0), BeNumerically("<=", 1)))
			Expect(backend.Promise(asked(fmt.Sprint("画 ", i), 0), 0)).To(Equal(q))
			sum, squares = sum+q, squares+q*q
		}
		Expect(sum / n).To(BeNumerically("~", 0.75, 0.01))
		Expect(math.Sqrt(squares/n - sum*sum/n/n)).To(BeNumerically("~", 0.1, 0.01))
	})
})

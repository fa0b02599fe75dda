package backend_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/mocks/backend"
)

var _ = Describe("the labels of turns with the same text", func() {
	step := func(text, want string) eval.LabeledTurn {
		return eval.LabeledTurn{Turn: agent.Turn{Text: text}, Expected: json.RawMessage(want)}
	}
	s := backend.TurnsOf(eval.Case{Turns: []eval.LabeledTurn{
		step("再来", `{"action":"generate_image","images":[{"description":"a","quality":0.3,"acceptable":false},{"description":"b","quality":0.5,"acceptable":false}]}`),
		step("别的", `{"action":"unknown"}`),
		step("再来", `{"action":"adjust_parameters","images":[{"description":"c","quality":0.9,"acceptable":true}]}`),
	}})
	label := func(text string) string {
		found, _ := s.Find(text)
		l, err := found.Labels("action")
		Expect(err).NotTo(HaveOccurred())
		return l.Primary()
	}

	It("are used in the order of the turns, each with the attempts of its own images", func() {
		s.Ask("再来")
		Expect(label("再来")).To(Equal("generate_image"))
		Expect(backend.Quality(s.Find, "再来", s.Try("再来", 1))).To(Equal(0.3))
		Expect(backend.Quality(s.Find, "再来", s.Try("再来", 2))).To(Equal(0.5))
		Expect(backend.Quality(s.Find, "再来", s.Try("再来", 3))).To(Equal(0.5))
		s.Ask("别的")
		s.Ask("再来")
		Expect(label("再来")).To(Equal("adjust_parameters"))
		Expect(backend.Quality(s.Find, "再来", s.Try("再来", 4))).To(Equal(0.9))
		s.Ask("再来")
		Expect(label("再来")).To(Equal("adjust_parameters"))
		_, ok := s.Find("没说过")
		Expect(ok).To(BeFalse())
	})

	It("are not counted for texts that belong to no turn", func() {
		s := backend.TurnsOf(eval.Case{})
		s.Ask("没说过")
		Expect(s.Try("没说过", 7)).To(Equal(7))
		Expect(s.Counted()).To(BeZero())
	})
})

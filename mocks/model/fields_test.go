package model_test

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

var _ = Describe("A simulated router with slots and further fields", func() {
	const n = 20000
	slots := func(text string) map[string]string {
		return map[string]string{"subject": "subject of " + text, "style": "style of " + text}
	}
	filling := func(accuracy float64, seed uint64) *model.SimulatedRouter {
		return &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.8, Seed: seed, Slots: slots,
			SlotAccuracy: accuracy}
	}
	answer := func(l *model.SimulatedRouter, text string) string {
		return l.Answer(model.Request{Role: component.Router, RequiresJSON: true, Text: text}).Content
	}
	type filled struct{ Route, Subject, Style string }
	read := func(l *model.SimulatedRouter, i int) (v filled) {
		GinkgoHelper()
		decode(answer(l, fmt.Sprintf("chat %d", i)), &v)
		return v
	}

	for _, accuracy := range []float64{0, 0.3, 0.9, 1} {
		It(fmt.Sprintf("gives each slot independently with the configured slot accuracy %v", accuracy), func() {
			l := filling(accuracy, 7)
			subjects, both, rightBoth := 0.0, 0.0, 0.0
			for i := range n {
				v := read(l, i)
				Expect(v.Subject).To(BeElementOf("", fmt.Sprintf("subject of chat %d", i)))
				if v.Subject == "" {
					continue
				}
				subjects++
				if v.Style != "" {
					both++
				}
				if v.Route == "chat" {
					rightBoth++
				}
			}
			within := func(p float64) float64 { return 4*math.Sqrt(p*(1-p)/n) + 1e-9 }
			Expect(subjects / n).To(BeNumerically("~", accuracy, within(accuracy)))
			Expect(both/n).To(BeNumerically("~", accuracy*accuracy, within(accuracy*accuracy)),
				"slots are independent of each other")
			Expect(rightBoth/n).To(BeNumerically("~", 0.8*accuracy, within(0.8*accuracy)), "and of the label")
		})
	}

	It("fills every slot that it fills at a lower accuracy, and other slots with another seed", func() {
		low, high, other := filling(0.5, 7), filling(0.8, 7), filling(0.5, 8)
		differ := 0
		for i := range 200 {
			if read(low, i).Style != "" {
				Expect(read(high, i).Style).NotTo(BeEmpty())
			}
			if read(low, i).Style != read(other, i).Style {
				differ++
			}
		}
		Expect(differ).To(BeNumerically("~", 100, 30))
	})

	It("writes label, confidence and reason first, then the further fields sorted by name", func() {
		bare := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 1, Seed: 7}
		l := filling(1, 7)
		l.Accuracy = 1
		l.ExtraFields = func(text, label string, _ map[string]string) map[string]any {
			return map[string]any{
				"prompt": "<" + text + "> as " + label, "style": "a slot wins",
				"parameters": map[string]any{"width": 800, "guidance": 7.5, "names": []string{"a"}},
			}
		}
		want := answer(bare, "chat 1")
		want = want[:len(want)-1] +
			`,"parameters":{"guidance":7.5,"names":["a"],"width":800},"prompt":"<chat 1> as chat","style":"style of chat 1","subject":"subject of chat 1"}`
		for range 20 { // the order of maps is random, so try several times
			Expect(answer(l, "chat 1")).To(Equal(want))
		}
	})

	It("passes the given slots to Extra, and does not write them itself if SlotsInExtra is set", func() {
		l, flat := filling(0.5, 7), filling(0.5, 7)
		l.SlotsInExtra = true
		l.ExtraFields = func(_, _ string, slots map[string]string) map[string]any { return map[string]any{"in": slots} }
		for i := range 50 {
			text := fmt.Sprintf("chat %d", i)
			var got struct {
				In             filled
				Subject, Style *string
			}
			decode(answer(l, text), &got)
			want := read(flat, i)
			Expect([]string{got.In.Subject, got.In.Style}).To(Equal([]string{want.Subject, want.Style}), text)
			Expect([]*string{got.Subject, got.Style}).To(HaveEach(BeNil()))
		}
	})

	It("writes only label, confidence and reason if there are no further fields", func() {
		l := filling(1, 7)
		l.Slots = func(string) map[string]string { return nil }
		bare := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.8, Seed: 7}
		Expect(answer(l, "chat 1")).To(Equal(answer(bare, "chat 1")))
	})

	It("refuses to answer if a field cannot be represented in JSON", func() {
		l := filling(1, 7)
		l.ExtraFields = func(string, string,
			map[string]string) map[string]any {
			return map[string]any{"x": math.NaN()}
		}
		a := l.Answer(model.Request{Role: component.Router, Text: "chat 1"})
		Expect(a.ErrorResponse.Message).To(HavePrefix("SimulatedRouter.Extra"))
	})

	DescribeTable("rejects an invalid configuration, and the error names the field",
		func(change func(*model.SimulatedRouter), field string) {
			l := filling(0.5, 0)
			change(l)
			Expect(l.Validate()).To(MatchError(ContainSubstring(field)))
		},
		Entry(nil, func(l *model.SimulatedRouter) { l.SlotAccuracy = 1.1 }, "SimulatedRouter.SlotAccuracy"),
		Entry(nil, func(l *model.SimulatedRouter) { l.SlotAccuracy = math.NaN() }, "SimulatedRouter.SlotAccuracy"),
		Entry(nil, func(l *model.SimulatedRouter) { l.Slots = nil }, "SimulatedRouter.Slots"),
	)
})

package metric_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("route", func() {
	// Six pictures wanted: four got, two taken for chat. Three chats wanted:
	// two got, one taken for a search. One search wanted, and got.
	ten := []eval.Result{
		judged("a1", "image", "image"), judged("a2", "image", "image"), judged("a3", "image", "image"), judged("a4", "image", "image"),
		judged("a6", "chat", "image"), judged("a5", "chat", "image"),
		judged("b1", "chat", "chat"), judged("b2", "chat", "chat"), judged("b3", "search", "chat"),
		judged("c1", "search", "search"),
	}

	It("counts what is right, with Wilson's interval", func() {
		c := of(ten...)
		Expect(c.Trials).To(Equal(int64(10)))
		expectShare(c.Metrics["route.accuracy"], 7, 10, 0)
		Expect(c.Metrics["route.accuracy"].Worst).To(BeNil())
		Expect(c.Metrics["route.accuracy"].Best).To(BeNil())
	})

	It("gives each class its precision, recall and F1, and their mean", func() {
		m := of(ten...).Metrics
		expectShare(m["route.precision.image"], 4, 4, 0)
		expectShare(m["route.recall.image"], 4, 6, 0)
		expectShare(m["route.precision.chat"], 2, 4, 0)
		expectShare(m["route.recall.chat"], 2, 3, 0)
		expectShare(m["route.precision.search"], 1, 2, 0)
		expectShare(m["route.recall.search"], 1, 1, 0)
		Expect(*m["route.f1.image"].Value).To(BeNumerically("~", 0.8, 1e-12))     // 2·4/(4+6)
		Expect(*m["route.f1.chat"].Value).To(BeNumerically("~", 4.0/7, 1e-12))    // 2·2/(4+3)
		Expect(*m["route.f1.search"].Value).To(BeNumerically("~", 2.0/3, 1e-12))  // 2·1/(2+1)
		Expect(*m["route.macro_f1"].Value).To(BeNumerically("~", 0.679365, 1e-6)) // their mean
		Expect(m["route.f1.image"].N).To(Equal(int64(6)))
		macro := m["route.macro_f1"]
		Expect(*macro.Lo).To(BeNumerically("<", *macro.Value))
		Expect(*macro.Hi).To(BeNumerically(">", *macro.Value))
	})

	It("draws the matrix, and the confused pairs with their cases in the order of their ids", func() {
		c := of(ten...)
		Expect(c.Confusion).To(Equal(&eval.Confusion{
			Labels: []string{"chat", "image", "search"},
			Counts: [][]int64{{2, 0, 1}, {2, 4, 0}, {0, 0, 1}},
		}))
		Expect(c.Pairs).To(Equal([]eval.ConfusedPair{
			{Expected: "image", Predicted: "chat", N: 2, Cases: []string{"a5", "a6"}},
			{Expected: "chat", Predicted: "search", N: 1, Cases: []string{"b3"}},
		}))
	})

	It("shows five cases of a pair, each once however many epochs it had", func() {
		var all []eval.Result
		for _, id := range []string{"g", "f", "e", "d", "c", "b", "a"} {
			all = append(all, judged(id, "chat", "image"), judged(id, "chat", "image"))
		}
		Expect(of(all...).Pairs).To(Equal([]eval.ConfusedPair{
			{Expected: "image", Predicted: "chat", N: 14, Cases: []string{"a", "b", "c", "d", "e"}},
		}))
	})

	It("X11: takes any of several labels for right and counts it for the class that was got; wrong counts against the first", func() {
		c := of(judged("a", "chat", "search", "chat"), judged("b", "image", "search", "chat"))
		expectShare(c.Metrics["route.accuracy"], 1, 2, 0)
		expectShare(c.Metrics["route.recall.chat"], 1, 1, 0)
		expectShare(c.Metrics["route.recall.search"], 0, 1, 0)
		Expect(c.Pairs[0].Expected).To(Equal("search"))
	})

	It("keeps errors out of the accuracy, and gives the bounds if all of them were wrong or right", func() {
		all := append(slices.Clone(ten), lost("d1", eval.ProviderError, "chat"), lost("d2", eval.TimeoutError, "image"))
		a := of(all...).Metrics["route.accuracy"]
		expectShare(a, 7, 10, 2)
		Expect(*a.Worst).To(Equal(7.0 / 12))
		Expect(*a.Best).To(Equal(9.0 / 12))
	})

	It("has no value where nothing was judged, but bounds", func() {
		c := of(lost("a", eval.ProviderError, "chat"), lost("b", eval.ProviderError, "chat"))
		a := c.Metrics["route.accuracy"]
		Expect(a.Value).To(BeNil())
		Expect(a.N).To(BeZero())
		Expect(a.Missing).To(Equal(int64(2)))
		Expect(*a.Worst).To(Equal(0.0))
		Expect(*a.Best).To(Equal(1.0))
		Expect(c.Confusion).To(BeNil())
	})

	It("leaves cases without a label out", func() {
		unlabelled := row("x")
		unlabelled.Scores = []eval.Score{{Name: "route"}}
		expectShare(of(judged("a", "chat", "chat"), unlabelled, row("y")).Metrics["route.accuracy"], 1, 1, 0)
	})

	It("misses a case that its scorer could not judge", func() {
		broken := row("x")
		broken.Error = &eval.Error{Kind: eval.ScorerError, Message: "panic in scorer"}
		expectShare(of(judged("a", "chat", "chat"), broken).Metrics["route.accuracy"], 1, 1, 1)
	})

	It("has no precision for what was never predicted", func() {
		e := of(judged("a", "chat", "image")).Metrics["route.precision.image"]
		Expect(e.Value).To(BeNil())
		Expect(e.N).To(BeZero())
	})
})

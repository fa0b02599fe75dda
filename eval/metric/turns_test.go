package metric_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// exchange is a turn of a conversation, with its expected and predicted label; got "": the turn has
// no decision.
type exchange struct{ want, got string }

// conversation returns a trial of a conversation with several labeled turns.
func conversation(id string, turns ...exchange) eval.Result {
	r, s := row(id), eval.Score{Name: eval.RouteScore, Verdict: eval.Pass}
	for i, t := range turns {
		j := eval.TurnScore{Turn: i + 1, Expected: eval.OneOf{t.want}, Actual: t.got,
			Answered: t.got != "" && t.got != "invalid"}
		if t.got != "" {
			j.Verdict = eval.PassIf(t.want == t.got)
		}
		s.Turns = append(s.Turns, j)
		if s.Verdict == eval.Pass || s.Verdict == eval.Unscored && j.Verdict == eval.Fail {
			s.Turn, s.Expected, s.Actual, s.Verdict = j.Turn, j.Expected, j.Actual, j.Verdict
		}
	}
	r.Scores = []eval.Score{s}
	return r
}

var _ = Describe("A conversation in the metrics of decisions", Label("definition"), func() {
	// Turn 1 requests an image, turn 2 is about that image. The first few conversations are wrong
	// in one turn.
	talks := func(wrongFirst, wrongSecond int) (list []eval.Result) {
		n := 0
		return repeated(34, "talk", func(id string) eval.Result {
			n++
			first, second := exchange{"image", "image"}, exchange{"chat", "chat"}
			if n <= wrongFirst {
				first.got = "chat"
			}
			if n <= wrongSecond {
				second.got = "image"
			}
			return conversation(id, first, second)
		})
	}

	It("counts once in accuracy; in the metrics by label, each of its turns counts", func() {
		c := of(talks(3, 0)...)
		expectShare(c.Metrics["route.accuracy"], 31, 34, 0)
		expectShare(c.Metrics["route.recall.image"], 31, 34, 0)
		expectShare(c.Metrics["route.recall.chat"], 34, 34, 0)
		expectRatio(c.Metrics["route.precision.chat"], 34, 37, 0)
		Expect(*c.Metrics["route.macro_f1"].Value).To(BeNumerically("~", (62.0/65+68.0/71)/2, 1e-12))
		Expect([]int64{c.Metrics["route.macro_f1"].N, c.Metrics["route.macro_f1"].Cases}).To(Equal([]int64{68, 34}))
		Expect(c.Confusion.Counts).To(Equal([][]int64{{34, 0}, {3, 31}}))
		Expect(c.ConfusedPairs).To(HaveLen(1))
		Expect(c.ConfusedPairs[0]).To(And(HaveField("Expected", "image"), HaveField("N", int64(3))))
	})

	It("does not change the sizes of the classes, which do not depend on predictions", func() {
		for _, wrong := range [][2]int{{0, 0}, {3, 0}, {0, 3}, {34, 34}} {
			m := of(talks(wrong[0], wrong[1])...).Metrics
			for _, class := range []string{"image", "chat"} {
				Expect(m["route.recall."+class].N).To(Equal(int64(34)), class)
				Expect(m["route.f1."+class].N).To(Equal(int64(34)), class)
			}
		}
	})

	It("ranks variants by macro-F1 in the same order as by accuracy", func() {
		last := 2.0
		for wrong := range 5 {
			v := *of(talks(wrong, 0)...).Metrics["route.macro_f1"].Value
			Expect(v).To(BeNumerically("<", last))
			last = v
		}
		Expect(*of(talks(0, 0)...).Metrics["route.macro_f1"].Value).To(Equal(1.0))
	})

	It("with a lost turn counts this turn as missing in its class, and counts the other turn", func() {
		m := of(conversation("right", exchange{"image", "image"}, exchange{"chat", ""}),
			conversation("wrong", exchange{"image", "chat"}, exchange{"chat", ""}),
			conversation("whole", exchange{"image", "image"}, exchange{"chat", "chat"})).Metrics
		expectShare(m["route.accuracy"], 1, 2, 1)
		expectShare(m["unscored.rate"], 1, 3, 0)
		expectShare(m["route.recall.image"], 2, 3, 0)
		expectShare(m["route.recall.chat"], 1, 1, 2)
		Expect(m["route.macro_f1"].Missing).To(Equal(int64(2)))
		Expect(m["route.precision.image"].Missing).To(Equal(int64(2)))
	})

	It("counts each turn as in scope or out of scope by its own label", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", OOSLabel: "other",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}}}})
		for _, r := range []eval.Result{conversation("a", exchange{"other", "card"}, exchange{"card", "card"}),
			conversation("b", exchange{"other", "other"}, exchange{"card", "other"}),
			conversation("c", exchange{"other", "invalid"}, exchange{"card", ""})} {
			Expect(t.Add(r)).To(Succeed())
		}
		m := t.Close().Suites[0].Conditions[0].Metrics
		expectShare(m["oos.recall"], 1, 3, 0)
		expectShare(m["oos.false_acceptance"], 1, 3, 0)
		expectShare(m["oos.in_scope_accuracy"], 1, 2, 1)
		expectShare(m["oos.false_rejection"], 1, 2, 1)
		expectRatio(m["oos.precision"], 1, 2, 1)
	})
})

package metric_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("The metrics of replies to several messages", Label("definition"), func() {
	waits := func(seconds int, gathered bool) eval.TurnSummary {
		return eval.TurnSummary{Answered: true, Duration: eval.Millis(time.Duration(seconds) * time.Second),
			IsDeferred: gathered}
	}
	talk := func(id string, turns ...eval.TurnSummary) eval.Result {
		r := row(id)
		r.Turns = turns
		return r
	}

	It("count the messages, and time these replies separately from replies to one message", func() {
		failed := waits(9, false)
		failed.Answered = false
		c := of(
			talk("a", waits(8, true), waits(7, true), waits(6, false), waits(1, false)),
			talk("b", waits(8, true), failed),
			talk("c", waits(3, true)), // the messages were not answered
		)
		Expect(c.Metrics["batch.messages_mean"]).
			To(And(HaveField("Value", HaveValue(Equal(2.5))), HaveField("N", int64(2))))
		Expect(c.Metrics["latency.batch.p50"]).
			To(And(HaveField("Value", HaveValue(Equal(6000.0))), HaveField("N", int64(1)),
				HaveField("Missing", int64(1))))
		Expect(c.Metrics["latency.single.p50"]).
			To(And(HaveField("Value", HaveValue(Equal(1000.0))), HaveField("N", int64(1)),
				HaveField("Missing", int64(0))))
	})

	It("are absent if every reply answers one message", func() {
		c := of(talk("a", waits(1, false)))
		Expect(c.Metrics).NotTo(Or(HaveKey("batch.messages_mean"), HaveKey("latency.single.p50")))
	})
})

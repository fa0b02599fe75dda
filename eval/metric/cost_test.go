package metric_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("A sum", func() {
	It("of costs has no value if a cost exceeds the maximum for a trial", func() {
		rows := repeated(50, "c", row)
		for i := range rows {
			rows[i].Cost = new(1e10)
		}
		spent := of(rows...).Metrics["cost.total_usd"]
		Expect(spent.Value).To(BeNil())
		Expect(spent.Missing).To(BeEquivalentTo(50))
	})

	It("of costs can exceed 63 bits of billionths of a dollar", func() {
		t := table(1)
		for i := range 100_000 {
			r := row(fmt.Sprint(i))
			r.Cost = new(float64(eval.MaxCost))
			if err := t.Add(r); err != nil {
				Fail(err.Error())
			}
		}
		Expect(t.Summarize().Suites[0].Conditions[0].Metrics["cost.total_usd"].Value).To(HaveValue(Equal(1e10)))
	})

	It("of times of a Critic loop's round can exceed 63 bits of nanoseconds", func() {
		rows := repeated(20, "c", row)
		for i := range rows {
			rows[i].LoopRounds = []eval.LoopRound{{Turn: 1, Round: 1, Passed: true,
				AddedTime: eval.Millis(1e12 * time.Millisecond)}}
		}
		Expect(of(rows...).LoopRounds[0].AddedMillis.Value).To(HaveValue(Equal(1e12)))
	})
})

package target_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/eval"
	"evalctl/eval/target"
)

var _ = Describe("TimeoutTarget", func() {
	DescribeTable("limits the duration of a conversation on the trial's clock",
		func(limit time.Duration, turns int, failure error) {
			w := target.TimeoutTarget{Target: target.ConversationTarget{Agent: agent.Func(echo)}, Limit: limit}
			Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
				o, err := w.Run(ctx, make([]agent.Turn, 3))
				Expect(o.Turns).To(HaveLen(turns))
				if failure == nil {
					Expect(err).NotTo(HaveOccurred())
					return nil
				}
				Expect(err).To(MatchError(failure))
				Expect(eval.ClassifyError(err).Kind).To(Equal(eval.TimeoutError))
				Expect(o.Duration).To(Equal(limit))
				return nil
			})).To(Succeed())
		},
		Entry("a limit that is long enough", 4*time.Second, 3, nil),
		Entry("a limit that is too short: the conversation ends with a timeout", 1500*time.Millisecond, 2,
			context.DeadlineExceeded),
		Entry("no limit", time.Duration(0), 3, nil),
	)

	It("does not count the user's pauses between turns", func() {
		for limit, ok := range map[time.Duration]bool{1999 * time.Millisecond: false, 2001 * time.Millisecond: true} {
			w := target.TimeoutTarget{Target: target.ConversationTarget{Agent: agent.Func(echo)}, Limit: limit}
			Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
				_, err := w.Run(ctx, []agent.Turn{{Text: "a"}, {Text: "b", Delay: agent.Delay(31 * time.Minute)},
					{Text: "c"}})
				Expect(err == nil).To(Equal(ok), "limit %v: %v", limit, err)
				return nil
			})).To(Succeed())
		}
	})
})

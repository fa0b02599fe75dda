package companion_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

var _ = DescribeTable("31.1: A message whose sender disconnects before the answer is remembered in the diary",
	func(disconnect time.Duration) {
		s := newStage(routerReply(chat, 0.9, "null"))
		a := s.open()
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			limited, cancel := clock.WithTimeout(ctx, disconnect)
			defer cancel()
			_, err := a.Respond(limited, agent.Turn{Text: "我今天被领导骂了", Session: "a"}, func(trace.Event) {})
			Expect(err).To(HaveOccurred())
			Expect(clock.Sleep(ctx, time.Hour)).To(Succeed())
			_, err = a.Respond(ctx, agent.Turn{Text: "继续", Session: "a"}, func(trace.Event) {})
			return err
		})).To(Succeed())
		Expect(s.last()[0].Content).To(HaveSuffix("user: 我今天被领导骂了\nassistant: （这条消息还没有得到回答。）"))
	},
	Entry("while further messages are awaited", 2*time.Second),
	Entry("during the decision", 5500*time.Millisecond),
	Entry("during the answer", 6500*time.Millisecond),
)

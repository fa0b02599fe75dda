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

var _ = DescribeTable("31.1: An answer that the user has seen is stored once, if the turn is canceled",
	func(last string) {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.settings["debounce"] = "off"
		a := s.open()
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			limited, cancel := context.WithCancel(ctx)
			defer cancel()
			_, err := a.Respond(limited, agent.Turn{Text: "我今天被领导骂了", Session: "a"}, func(e trace.Event) {
				if describe(e) == last {
					cancel()
				}
			})
			Expect(err).NotTo(HaveOccurred())
			_, err = a.Respond(ctx, agent.Turn{Text: "继续", Session: "a"}, func(trace.Event) {})
			return err
		})).To(Succeed())
		Expect(s.last()).To(HaveLen(2))
		Expect(s.last()[0].Content).To(HaveSuffix("[当前对话上下文]\nuser: 我今天被领导骂了\nassistant: 你好呀"))
	},
	Entry("before it is stored", `{"content":"你好呀","send_delay_seconds":1}`),
	Entry("after it was stored", "span store messages ok"),
)

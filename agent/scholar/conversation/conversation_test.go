package conversation_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/scholar/conversation"
)

var _ = Describe("L7: what a model is shown of a conversation", func() {
	history := append([]agent.Message{{Role: "system", Content: "summary"}}, turns(4, 5)...)

	DescribeTable("is the summary and the newest turns", func(n int, want ...string) {
		Expect(names(conversation.Of(context.Background(), history).Window(n))).To(Equal(want))
	},
		Entry("to recognise the intent, and to plan", 2, "summary", "q2", "a2", "q3", "a3"),
		Entry("to answer", 3, "summary", "q1", "a1", "q2", "a2", "q3", "a3"),
		Entry("to talk", conversation.All, "summary", "q0", "a0", "q1", "a1", "q2", "a2", "q3", "a3"),
		Entry("of more turns than there are", 9, "summary", "q0", "a0", "q1", "a1", "q2", "a2", "q3", "a3"),
	)

	It("is nothing to recall", func() {
		Expect(conversation.Of(context.Background(), history).Window(0)).To(BeEmpty())
	})

	It("has messages of three kinds, and the roles that models know", func() {
		list := conversation.Of(context.Background(), history).Window(1)
		Expect(list).To(HaveLen(3))
		for i, want := range []struct {
			kind conversation.Kind
			role string
		}{{"COMPRESSION", "system"}, {"USER", "user"}, {"ASSISTANT", "assistant"}} {
			Expect(list[i].Kind).To(Equal(want.kind))
			Expect(list[i].Kind.Role()).To(Equal(want.role))
		}
	})

	It("is of whole turns, where one has several messages or no answer", func() {
		c := conversation.Of(context.Background(), []agent.Message{{Role: "assistant", Content: "hello"}, {Role: "user", Content: "q0"},
			{Role: "user", Content: "q1"}, {Role: "assistant", Content: "a1"}, {Role: "assistant", Content: "b1"}, {Role: "user", Content: " "}})
		Expect(names(c.Window(1))).To(Equal([]string{"q1", "a1", "b1"}))
		Expect(names(c.Window(2))).To(Equal([]string{"q0", "q1", "a1", "b1"}))
		Expect(names(c.Window(conversation.All))).To(Equal([]string{"hello", "q0", "q1", "a1", "b1"}))
	})
})

var _ = Describe("L7: the statistics of a conversation", func() {
	It("count messages and tokens, and tell when it began and changed", func() {
		play(func(ctx context.Context) {
			c := conversation.Of(ctx, turns(2, 10))
			Expect(c.Statistics()).To(Equal(conversation.Statistics{Tokens: 40, Messages: 4, Created: midnight, Updated: midnight}))
			Expect(clock.Sleep(ctx, time.Minute)).To(Succeed())
			c.Add(ctx, "hello world", "hello world")
			Expect(c.Statistics()).To(Equal(conversation.Statistics{Tokens: 44, Messages: 6, Created: midnight, Updated: midnight.Add(time.Minute)}))
			Expect(c.Tokens()).To(Equal(44))
		})
	})
})

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

var _ = Describe("L7: Conversation.ContextMessages", func() {
	history := append([]agent.Message{{Role: "system", Content: "summary"}}, turns(4, 5)...)

	DescribeTable("returns the summary and the newest turns", func(n int, want ...string) {
		Expect(names(conversation.FromHistory(context.Background(), history).ContextMessages(n))).To(Equal(want))
	},
		Entry("two turns", 2, "summary", "q2", "a2", "q3", "a3"),
		Entry("three turns", 3, "summary", "q1", "a1", "q2", "a2", "q3", "a3"),
		Entry("all turns", conversation.AllTurns, "summary", "q0", "a0", "q1", "a1", "q2", "a2", "q3", "a3"),
		Entry("more turns than there are", 9, "summary", "q0", "a0", "q1", "a1", "q2", "a2", "q3", "a3"),
	)

	It("returns no messages for 0 turns", func() {
		Expect(conversation.FromHistory(context.Background(), history).ContextMessages(0)).To(BeEmpty())
	})

	It("returns messages of three kinds, whose roles a model accepts", func() {
		list := conversation.FromHistory(context.Background(), history).ContextMessages(1)
		Expect(list).To(HaveLen(3))
		for i, want := range []struct {
			kind conversation.MessageKind
			role string
		}{{"COMPRESSION", "system"}, {"USER", "user"}, {"ASSISTANT", "assistant"}} {
			Expect(list[i].Kind).To(Equal(want.kind))
			Expect(list[i].Kind.Role()).To(Equal(want.role))
		}
	})

	It("returns complete turns, even if a turn has several messages or no answer", func() {
		c := conversation.FromHistory(context.Background(),
			[]agent.Message{{Role: "assistant", Content: "hello"}, {Role: "user", Content: "q0"},
				{Role: "user", Content: "q1"}, {Role: "assistant", Content: "a1"}, {Role: "assistant", Content: "b1"},
				{Role: "user", Content: " "}})
		Expect(names(c.ContextMessages(1))).To(Equal([]string{"q1", "a1", "b1"}))
		Expect(names(c.ContextMessages(2))).To(Equal([]string{"q0", "q1", "a1", "b1"}))
		Expect(names(c.ContextMessages(conversation.AllTurns))).To(Equal([]string{"hello", "q0", "q1", "a1", "b1"}))
	})
})

var _ = Describe("L7: Conversation.Statistics", func() {
	It("returns the number of messages and tokens, and the times of creation and of the last change", func() {
		play(func(ctx context.Context) {
			c := conversation.FromHistory(ctx, turns(2, 10))
			Expect(c.Statistics()).To(
				Equal(conversation.Statistics{TotalTokenCount: 40, MessageCount: 4, CreatedAt: midnight,
					UpdatedAt: midnight}))
			Expect(clock.Sleep(ctx, time.Minute)).To(Succeed())
			c.Add(ctx, "hello world", "hello world")
			Expect(c.Statistics()).To(
				Equal(conversation.Statistics{TotalTokenCount: 44, MessageCount: 6, CreatedAt: midnight,
					UpdatedAt: midnight.Add(time.Minute)}))
			Expect(c.Tokens()).To(Equal(44))
		})
	})
})

package conversation_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

var _ = Describe("L7: compression of a conversation", func() {
	ctx := context.Background()
	begin := func(n, each int) *conversation.Conversation { return conversation.FromHistory(ctx, turns(n, each)) }

	DescribeTable("starts if the conversation exceeds 80 % of the context window, or fills the unreserved part of the window",
		func(l conversation.ContextLimits, reason string) {
			c := begin(5, 80) // 800 tokens
			Expect(c.Tokens()).To(Equal(800))
			m := model{answer: "in short"}
			events := compressEvents(ctx, c, l, m.summarize)
			if reason == "" {
				Expect(events).To(BeEmpty())
				Expect(m.shown).To(BeEmpty())
				return
			}
			Expect(events).To(HaveLen(1))
			Expect(events[0].Reason).To(Equal(reason))
		},
		Entry("exactly 80 % of the window", conversation.ContextLimits{WindowTokens: 1000}, ""),
		Entry("one token more than 80 % of the window", conversation.ContextLimits{WindowTokens: 999}, "threshold"),
		Entry("the conversation leaves one token of the window free",
			conversation.ContextLimits{WindowTokens: 2000, ReservedTokens: 1199}, ""),
		Entry("the conversation leaves no token of the window free",
			conversation.ContextLimits{WindowTokens: 2000, ReservedTokens: 1200}, "context_full"),
		Entry("the reserved tokens alone fill the window",
			conversation.ContextLimits{WindowTokens: 2000, ReservedTokens: 2000}, ""),
	)

	It("replaces the older messages by a summary and retains the newest 30 %", func() {
		c := begin(10, 20) // 400 tokens
		m := model{answer: "in short\n"}
		events := compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 480}, m.summarize)

		Expect(m.shown).To(HaveLen(1))
		Expect(m.shown[0]).To(HavePrefix("【用户】q0" + word))
		Expect(m.shown[0]).To(And(ContainSubstring("【助手】a6"), Not(ContainSubstring("q7"))))
		Expect(names(c.ContextMessages(conversation.AllTurns))).
			To(Equal([]string{"in", "q7", "a7", "q8", "a8", "q9", "a9"}))
		Expect(c.Tokens()).To(Equal(122))

		Expect(events).To(HaveLen(1))
		said := compressed(events[0])
		Expect(said.Context).To(And(HavePrefix("【此前的摘要】in short\n【用户】q7"), HaveSuffix(word+"\n")))
		said.Context = ""
		Expect(said).To(Equal(trace.Compression{TokensBefore: 400, TokensAfter: 122, RetainedMessages: 6}))
	})

	It("marks the older messages as compressed and does not delete them", func() {
		c := begin(10, 20)
		compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 480}, (&model{answer: "in short"}).summarize)
		var marked []string
		for _, m := range c.Messages() {
			if m.IsCompressed {
				marked = append(marked, names([]conversation.Message{m})...)
			}
		}
		Expect(marked).To(HaveLen(14))
		Expect(marked[13]).To(Equal("a6"))
		Expect(c.Messages()).To(HaveLen(21))
		Expect(names(c.Messages()[14:15])).To(Equal([]string{"in"}), "the summary stands where they were")
	})

	DescribeTable("retains complete turns, and compresses at least one message", func(n int, want ...string) {
		c := begin(n, 100)
		compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: n*200*10/8 - 1},
			(&model{answer: "short"}).summarize)
		Expect(names(c.ContextMessages(conversation.AllTurns))).To(Equal(want))
	},
		Entry("one turn, which is compressed", 1, "short"),
		Entry("two turns, of which one is retained", 2, "short", "q1", "a1"),
		Entry("three turns, of which one is retained", 3, "short", "q2", "a2"),
		Entry("four turns, of which two are retained", 4, "short", "q2", "a2", "q3", "a3"),
		Entry("five turns, of which two are retained", 5, "short", "q3", "a3", "q4", "a4"),
	)

	It("includes the old summary in a new one", func() {
		c := begin(10, 20)
		limits := conversation.ContextLimits{WindowTokens: 480}
		compressEvents(ctx, c, limits, (&model{answer: "first"}).summarize)
		for range 7 {
			c.Add(ctx, "more"+strings.Repeat(word, 19), "more"+strings.Repeat(word, 19))
		}
		m := model{answer: "second"}
		compressEvents(ctx, c, limits, m.summarize)
		Expect(m.shown[0]).To(And(HavePrefix("【此前的摘要】first\n【用户】q7"), Not(ContainSubstring("q6"))))
		Expect(names(c.ContextMessages(1))).To(Equal([]string{"second", "more", "more"}))
	})

	It("is repeated if the remaining messages are still too long", func() {
		c := conversation.FromHistory(ctx, append(turns(5, 10), turns(2, 500)...))
		m := model{answer: "short"}
		events := compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 1000}, m.summarize)
		Expect(events).To(HaveLen(3))
		Expect(events[0].Kind).To(Equal(trace.KindCompression))
		Expect(names(c.ContextMessages(conversation.AllTurns))).To(Equal([]string{"short"}))
		Expect(strings.Join(m.shown, "")).To(ContainSubstring("【助手】a1"))
	})

	DescribeTable("changes nothing if it fails, and traces the failure",
		func(m model, kind trace.Kind, reason string) {
			c := begin(10, 20)
			before, stats := c.Messages(), c.Statistics()
			events := compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 480}, m.summarize)
			Expect(events).To(HaveLen(1))
			Expect(events[0].Kind).To(Equal(kind))
			Expect(events[0].Node).To(Equal("compression"))
			Expect(events[0].Reason).To(Equal(reason))
			Expect(c.Messages()).To(Equal(before))
			Expect(c.Statistics()).To(Equal(stats))
		},
		Entry("a failed call", model{err: errDown}, trace.KindNodeError, "error"),
		Entry("an empty summary", model{answer: " \n"}, trace.KindNodeError, "empty_content"),
		Entry("a summary that is longer than the messages", model{answer: strings.Repeat(word, 280)},
			trace.KindIgnoredInput, "not_shorter"),
	)

	It("changes nothing if the call panics", func() {
		c := begin(10, 20)
		events := compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 480},
			func(context.Context, string) (string, error) { panic("broken") })
		Expect(events).To(HaveLen(1))
		Expect(events[0].Reason).To(Equal("panic"))
		Expect(c.Tokens()).To(Equal(400))
	})

	It("changes nothing if it is canceled, and returns the context's error", func() {
		ctx, cancel := context.WithCancel(ctx)
		c := begin(10, 20)
		Expect(c.Compress(ctx, conversation.ContextLimits{WindowTokens: 480},
			func(ctx context.Context, _ string) (string, error) {
				cancel()
				return "half", ctx.Err()
			})).To(MatchError(context.Canceled))
		Expect(c.Tokens()).To(Equal(400))
	})

	It("is not attempted if there are no messages", func() {
		c := conversation.FromHistory(ctx, []agent.Message{{Role: "system", Content: strings.Repeat(word, 100)}})
		Expect(compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 101}, nil)).To(BeEmpty())
	})

	DescribeTable("hides the oldest turns until the end of the current turn if it fails and the window is full; nothing is deleted",
		func(history []agent.Message, room int, want ...string) {
			s, err := conversation.New(conversation.Config{})
			Expect(err).NotTo(HaveOccurred())
			c := s.Load(ctx, "s", history)
			events := compressEvents(ctx, c,
				conversation.ContextLimits{WindowTokens: 2000, ReservedTokens: 2000 - room},
				(&model{err: errDown}).summarize)
			last := events[len(events)-1]
			Expect([]string{string(last.Kind), last.Node, last.To, last.Reason}).
				To(Equal([]string{"fallback", "compression", "newest_turns", "context_full"}))
			Expect(strings.Join(names(c.ContextMessages(conversation.AllTurns)), " ")).
				To(Equal(strings.Join(want, " ")))
			Expect(c.Tokens()).To(BeNumerically("<=", room/2))
			Expect(c.Statistics().MessageCount).To(Equal(len(history)))

			c.Add(ctx, "new", "answer")
			Expect(names(c.ContextMessages(1))).To(ContainElements("new", "answer"))
			Expect(s.Save(c)).To(Succeed())
			Expect(names(s.Load(ctx, "s", nil).ContextMessages(conversation.AllTurns))).To(HaveLen(len(history) + 2))
		},
		Entry(nil, turns(10, 20), 400, "q5", "a5", "q6", "a6", "q7", "a7", "q8", "a8", "q9", "a9"),
		Entry(nil, turns(10, 20), 300, "q7", "a7", "q8", "a8", "q9", "a9"),
		Entry("an earlier summary that fits and remains visible",
			append([]agent.Message{{Role: "system", Content: "before"}}, turns(10, 20)...), 300, "before", "q7", "a7",
			"q8", "a8", "q9", "a9"),
		Entry("a newest turn that is too long and is hidden, too", turns(3, 200), 300),
		Entry("an earlier summary that is too long and is hidden, too",
			append([]agent.Message{{Role: "system", Content: strings.Repeat(word, 200)}}, turns(1, 10)...),
			150, "q0", "a0"),
	)

	It("makes several calls if the messages are too long for one; each call includes the previous summary", func() {
		c := begin(10, 100) // 2000 tokens
		m := model{answer: "short"}
		compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 1000}, m.summarize)
		Expect(len(m.shown)).To(BeNumerically(">", 3))
		for i, shown := range m.shown {
			Expect(tokens.Count(shown)).To(BeNumerically("<=", 800))
			if i > 0 {
				Expect(shown).To(HavePrefix("【此前的摘要】short\n"))
			}
		}
		all := strings.Join(m.shown, "")
		for _, said := range []string{"q0", "a3", "q6", "a6"} {
			Expect(all).To(ContainSubstring(said))
		}
	})

	It("splits a message that is too long for one call, and makes at most ten calls", func() {
		c := conversation.FromHistory(ctx, []agent.Message{{Role: "user", Content: strings.Repeat(word, 50_000)}})
		m := model{answer: "short"}
		events := compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 1000}, m.summarize)
		Expect(m.shown).To(HaveLen(10))
		Expect(events[0].Kind).To(Equal(trace.KindIgnoredInput))
		Expect(events[0].Reason).To(Equal("steps"))
		Expect(events[1].Kind).To(Equal(trace.KindCompression))
	})
})

package conversation_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/database"
	"evalctl/agent/scholar/conversation"
)

// say adds an answered turn to the conversation of a session.
func say(ctx context.Context, s *conversation.Store, id, text string) {
	c := s.Load(ctx, id, nil)
	c.Add(ctx, text, "yes")
	Expect(s.Save(c)).To(Succeed())
}

func remembered(ctx context.Context, s *conversation.Store, id string) []string {
	return names(s.Load(ctx, id, nil).ContextMessages(conversation.AllTurns))
}

var _ = Describe("L7: A conversation.Store", func() {
	ctx := context.Background()

	It("stores the conversation of each session, including its compression", func() {
		s := made(conversation.Config{})
		c := s.Load(ctx, "a", turns(10, 20))
		compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 480}, (&model{answer: "short"}).summarize)
		c.Add(ctx, "q", "a")
		Expect(s.Save(c)).To(Succeed())
		Expect(remembered(ctx, s, "a")).To(Equal([]string{"short", "q7", "a7", "q8", "a8", "q9", "a9", "q", "a"}))
		Expect(remembered(ctx, s, "b")).To(BeEmpty())
	})

	It("starts a session with the history of the first turn, and ignores the history of later turns", func() {
		s := made(conversation.Config{})
		c := s.Load(ctx, "a", turns(1, 5))
		c.Add(ctx, "q", "a")
		Expect(s.Save(c)).To(Succeed())
		Expect(names(s.Load(ctx, "a", turns(3, 5)).ContextMessages(conversation.AllTurns))).
			To(Equal([]string{"q0", "a0", "q", "a"}))
	})

	It("returns only the history that the turn contains if the turn has no session, and stores nothing", func() {
		for _, s := range []*conversation.Store{made(conversation.Config{}), nil} {
			c := s.Load(ctx, "", turns(1, 5))
			Expect(names(c.ContextMessages(conversation.AllTurns))).To(Equal([]string{"q0", "a0"}))
			c.Add(ctx, "q", "a")
			Expect(s.Save(c)).To(Succeed())
			Expect(s.Load(ctx, "", nil).ContextMessages(conversation.AllTurns)).To(BeEmpty())
		}
	})

	It("does not change until Save is called", func() {
		s := made(conversation.Config{})
		say(ctx, s, "a", "one")
		c := s.Load(ctx, "a", nil)
		compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 2}, (&model{answer: "."}).summarize)
		c.Add(ctx, "two", "yes")
		Expect(remembered(ctx, s, "a")).To(Equal([]string{"one", "yes"}))
	})

	It("deletes a conversation that is idle for too long, measured by the clock of the context", func() {
		s := made(conversation.Config{IdleTimeout: time.Minute})
		play(func(ctx context.Context) {
			say(ctx, s, "a", "one")
			Expect(clock.Sleep(ctx, time.Minute-1)).To(Succeed())
			say(ctx, s, "a", "two")
			Expect(clock.Sleep(ctx, time.Minute-1)).To(Succeed())
			Expect(remembered(ctx, s, "a")).To(HaveLen(4))
			Expect(clock.Sleep(ctx, 1)).To(Succeed())
			Expect(remembered(ctx, s, "a")).To(BeEmpty())
			Expect(s.Len()).To(BeZero())
		})
	})

	It("deletes the conversations that are idle longest if there are too many or they are too large", func() {
		for _, cfg := range []conversation.Config{{MaxConversations: 2}, {MaxTotalBytes: 2000}} {
			s := made(cfg)
			text := strings.Repeat("x", 900)
			for _, id := range []string{"a", "b", "a", "c"} {
				c := s.Load(ctx, id, []agent.Message{{Role: "user", Content: text}})
				Expect(s.Save(c)).To(Succeed())
			}
			Expect(s.Len()).To(Equal(2))
			Expect(remembered(ctx, s, "b")).To(BeEmpty())
			Expect(remembered(ctx, s, "c")).NotTo(BeEmpty())
		}
	})

	It("limits the size of a conversation: compressed messages are deleted first, the summary last", func() {
		s := made(conversation.Config{MaxMessages: 6})
		c := s.Load(ctx, "a", turns(10, 20))
		compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 480}, (&model{answer: "short"}).summarize)
		Expect(s.Save(c)).To(Succeed())
		Expect(remembered(ctx, s, "a")).To(Equal([]string{"short", "a7", "q8", "a8", "q9", "a9"}))
		bytes := made(conversation.Config{MaxBytes: 100})
		say(ctx, bytes, "a", strings.Repeat("x", 97))
		say(ctx, bytes, "a", "y")
		Expect(remembered(ctx, bytes, "a")).To(Equal([]string{"yes", "y", "yes"}))
		say(ctx, bytes, "a", strings.Repeat("x", 101))
		Expect(remembered(ctx, bytes, "a")).To(Equal([]string{"yes"}))
	})

	DescribeTable("is not created if a limit is negative; the error names the field",
		func(cfg conversation.Config, field string) {
			_, err := conversation.New(cfg)
			Expect(err).To(MatchError("conversation.Config." + field + " is negative"))
		},
		Entry(nil, conversation.Config{IdleTimeout: -1}, "IdleTimeout"),
		Entry(nil, conversation.Config{MaxConversations: -1}, "MaxConversations"),
		Entry(nil, conversation.Config{MaxMessages: -1}, "MaxMessages"),
		Entry(nil, conversation.Config{MaxBytes: -1}, "MaxBytes"),
		Entry(nil, conversation.Config{MaxTotalBytes: -1}, "MaxTotalBytes"),
		Entry("the first one of several", conversation.Config{MaxMessages: -1, MaxBytes: -1, MaxTotalBytes: -1},
			"MaxMessages"),
	)

	It("can be used by many sessions concurrently", func() {
		s := made(conversation.Config{MaxConversations: 50, MaxTotalBytes: 10_000})
		g, _ := clock.NewGroup(ctx, 0)
		for i := range 64 {
			g.Go("user", func(ctx context.Context) error {
				for n := range 20 {
					id := fmt.Sprint(i % 32)
					say(ctx, s, id, fmt.Sprint(n))
					if list := s.Load(ctx, id, nil).Messages(); len(list)%2 != 0 {
						return fmt.Errorf("half a turn: %v", names(list))
					}
				}
				return nil
			})
		}
		Expect(g.Wait()).To(Succeed())
		Expect(s.Len()).To(Equal(32))
	})
})

var _ = Describe("31.7: A conversation.Store with a file", func() {
	ctx := context.Background()
	var path string
	open := func() (*conversation.Store, *database.RecordStore) {
		GinkgoHelper()
		records, err := database.OpenRecordStore(path, 1, 2)
		Expect(err).NotTo(HaveOccurred())
		return made(conversation.Config{Records: records, IdleTimeout: time.Hour}), records
	}
	BeforeEach(func() { path = filepath.Join(GinkgoT().TempDir(), "s.db") })

	It("returns the conversations, with their compressions and times, to another process", func() {
		s, records := open()
		c := s.Load(ctx, "a", turns(10, 20))
		compressEvents(ctx, c, conversation.ContextLimits{WindowTokens: 480}, (&model{answer: "short"}).summarize)
		c.Add(ctx, "q", "a")
		Expect(s.Save(c)).To(Succeed())
		Expect(records.Close()).To(Succeed())
		s, records = open()
		again := s.Load(ctx, "a", turns(1, 5))
		Expect(names(again.ContextMessages(conversation.AllTurns))).
			To(Equal([]string{"short", "q7", "a7", "q8", "a8", "q9", "a9", "q", "a"}))
		Expect(again.Messages()).To(Equal(c.Messages()))
		Expect(again.Statistics().CreatedAt).To(BeTemporally("==", c.Statistics().CreatedAt))
		Expect(remembered(ctx, s, "b")).To(BeEmpty())
		Expect(records.Close()).To(Succeed())
	})

	It("deletes the oldest conversations if there are too many", func() {
		s, records := open()
		for _, id := range []string{"a", "b", "c", "b"} {
			say(ctx, s, id, id)
		}
		Expect(records.Close()).To(Succeed())
		s, records = open()
		Expect(remembered(ctx, s, "a")).To(BeEmpty())
		Expect(remembered(ctx, s, "c")).To(Equal([]string{"c", "yes"}))
		Expect(remembered(ctx, s, "b")).To(Equal([]string{"b", "yes", "b", "yes"}))
		Expect(records.Close()).To(Succeed())
	})

	It("returns an error if the file cannot be read or written, and does not replace a conversation", func() {
		s, records := open()
		Expect(records.Close()).To(Succeed())
		Expect(s.Load(ctx, "a", nil).Err()).To(MatchError(ContainSubstring(path)))
		c := conversation.FromHistory(ctx, nil)
		Expect(s.Save(c)).To(Succeed(), "it has no session ID")
	})
})

package conversation_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/trace"
)

func TestConversation(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Conversation")
}

var midnight = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func play(f func(ctx context.Context)) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), midnight, func(ctx context.Context) error { f(ctx); return nil })).
		To(Succeed())
}

func made(cfg conversation.Config) *conversation.Store {
	GinkgoHelper()
	s, err := conversation.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return s
}

// word is one token.
const word = " word"

// turns returns n turns, each with two numbered messages of each tokens.
func turns(n, each int) (list []agent.Message) {
	for i := range n {
		list = append(list, agent.Message{Role: "user", Content: fmt.Sprintf("q%d", i) + strings.Repeat(word, each-2)},
			agent.Message{Role: "assistant", Content: fmt.Sprintf("a%d", i) + strings.Repeat(word, each-2)})
	}
	return list
}

// names returns the first word of each message.
func names(list []conversation.Message) (names []string) {
	for _, m := range list {
		name, _, _ := strings.Cut(m.Content, " ")
		names = append(names, name)
	}
	return names
}

// model is a mock of the model that writes summaries. It records its input.
type model struct {
	shown  []string
	answer string
	err    error
}

func (m *model) summarize(_ context.Context, transcript string) (string, error) {
	m.shown = append(m.shown, transcript)
	return m.answer, m.err
}

var errDown = errors.New("down")

// compressEvents compresses a conversation and returns the emitted events.
func compressEvents(ctx context.Context, c *conversation.Conversation, l conversation.ContextLimits,
	f conversation.Summarize) (events []trace.Event) {
	GinkgoHelper()
	Expect(c.Compress(trace.WithRecorder(ctx, func(e trace.Event) { events = append(events, e) }), l, f)).To(Succeed())
	return events
}

func compressed(e trace.Event) (c trace.Compression) {
	GinkgoHelper()
	Expect(e.Kind).To(Equal(trace.KindCompression))
	Expect(json.Unmarshal(e.Data, &c)).To(Succeed())
	return c
}

package session_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
)

func TestSession(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "session")
}

var midnight = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func play(f func(ctx context.Context)) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), midnight, func(ctx context.Context) error { f(ctx); return nil })).
		To(Succeed())
}

func made(cfg session.Config) *session.Store {
	GinkgoHelper()
	s, err := session.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return s
}

func say(ctx context.Context, s *session.Store, id, what string) error {
	return s.WithSession(ctx, id, func(_ context.Context, s *session.Session) error {
		s.History = append(s.History, agent.Message{Role: "user", Content: what})
		return nil
	})
}

func remembered(ctx context.Context, s *session.Store, id string) (list []string) {
	GinkgoHelper()
	Expect(s.WithSession(ctx, id, func(_ context.Context, s *session.Session) error {
		list = contents(s.History)
		return nil
	})).To(Succeed())
	return list
}

func contents(history []agent.Message) (list []string) {
	for _, m := range history {
		list = append(list, m.Content)
	}
	return list
}

func numbered(from, to int) (list []agent.Message) {
	for i := from; i < to; i++ {
		list = append(list, agent.Message{Role: "user", Content: fmt.Sprint(i)})
	}
	return list
}

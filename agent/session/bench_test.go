package session_test

import (
	"context"
	"fmt"
	"testing"

	"evalctl/agent/session"
)

// BenchmarkDo measures turns in several sessions in rotation. If there is one session more than the
// store holds, each turn removes a session.
func BenchmarkDo(b *testing.B) {
	for _, sessions := range []int{1, 100, session.DefaultMaxSessions, session.DefaultMaxSessions + 1} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			s, err := session.New(session.Config{})
			if err != nil {
				b.Fatal(err)
			}
			ids := make([]string, sessions)
			talk := func(_ context.Context, s *session.Session) error {
				s.History = append(s.History[:0], numbered(0, 1)...)
				return nil
			}
			for i := range ids {
				ids[i] = fmt.Sprint(i)
				_ = s.WithSession(b.Context(), ids[i], talk)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				_ = s.WithSession(b.Context(), ids[i], talk)
				i = (i + 1) % sessions
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := session.New(session.Config{}); err != nil {
			b.Fatal(err)
		}
	}
}

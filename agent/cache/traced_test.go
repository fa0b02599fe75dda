package cache_test

import (
	"context"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

var _ = Describe("A traced store", func() {
	// traced calls f with a traced store and returns the recorded spans.
	traced := func(before func(context.Context) error, f func(context.Context, cache.Store)) (spans []trace.Span) {
		simulate(func(ctx context.Context) {
			ctx = trace.WithRecorder(ctx, func(e trace.Event) {
				if e.Span != nil {
					Expect(e.Node).To(Equal("summaries"))
					spans = append(spans, *e.Span)
				}
			})
			f(ctx, cache.NewTracedStore("summaries", before, memory(cache.StoreConfig{})))
		})
		return spans
	}

	It("L6: records a span for each call, whose duration includes that of the \"before\" function", func() {
		takes := func(ctx context.Context) error { return clock.Sleep(ctx, 20*time.Millisecond) }
		spans := traced(takes, func(ctx context.Context, s cache.Store) {
			Expect(s.Put(ctx, "a", "1")).To(Succeed())
			Expect(s.GetAll(ctx, []string{"a", "b"})).To(Equal(map[string]string{"a": "1"}))
		})
		Expect(spans).To(Equal([]trace.Span{
			{Provider: "cache", Duration: 20 * time.Millisecond, Attempt: 1},
			{Provider: "cache", Start: 20 * time.Millisecond, Duration: 20 * time.Millisecond, Attempt: 1},
		}))
	})

	DescribeTable("L6: returns the error of the \"before\" function, without a retry, and records it in one span",
		func(before func(context.Context) error, want llm.ErrorKind, duration time.Duration) {
			spans := traced(before, func(ctx context.Context, s cache.Store) {
				_, err := s.GetAll(ctx, []string{"a"})
				Expect(llm.TraceReason(err)).To(Equal(string(want)))
			})
			Expect(spans).To(HaveLen(1))
			Expect(spans[0].Duration).To(Equal(duration))
		},
		Entry("if that function returns an error",
			func(context.Context) error { return &llm.Error{Kind: llm.KindConnectionReset} }, llm.KindConnectionReset,
			time.Duration(0)),
		Entry("if that function takes too long", func(ctx context.Context) error { return clock.Sleep(ctx, time.Hour) },
			llm.KindTimeout, cache.CallTimeout),
		Entry("if that function panics", func(context.Context) error { panic(errors.New("broken")) },
			llm.ErrorKind("panic"),
			time.Duration(0)),
	)

	It("also works without a \"before\" function", func() {
		Expect(traced(nil, func(ctx context.Context, s cache.Store) {
			Expect(s.Put(ctx, "a", "1")).To(Succeed())
		})).To(HaveLen(1))
	})
})

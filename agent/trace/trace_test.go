package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

var _ = Describe("Recorder", func() {
	It("X4: sets the offset of each event since the start of the turn", func() {
		var got []trace.Event
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			Expect(clock.Sleep(ctx, time.Minute)).To(Succeed())
			ctx = trace.WithRecorder(ctx, func(e trace.Event) { got = append(got, e) })
			trace.Emit(ctx, trace.Event{Kind: trace.KindBanner, Offset: time.Hour})
			Expect(clock.Sleep(ctx, 1500*time.Millisecond)).To(Succeed())
			trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: "好"})
			Expect(trace.Elapsed(ctx)).To(Equal(1500 * time.Millisecond))
			return nil
		})).To(Succeed())
		Expect(got).To(Equal([]trace.Event{
			{Kind: trace.KindBanner},
			{Kind: trace.KindChunk, Offset: 1500 * time.Millisecond, Text: "好"},
		}))
	})

	It("drops events if the context has no recorder", func() {
		trace.Emit(context.Background(), trace.Event{Kind: trace.KindDone})
		Expect(trace.Elapsed(context.Background())).To(BeZero())
		trace.Emit(trace.WithRecorder(context.Background(), nil), trace.Event{Kind: trace.KindDone})
	})

	It("sends events of a nested recorder only to that one, with its own offsets", func() {
		var outer, inner []trace.Event
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			ctx = trace.WithRecorder(ctx, func(e trace.Event) { outer = append(outer, e) })
			Expect(clock.Sleep(ctx, time.Second)).To(Succeed())
			trace.Emit(trace.WithRecorder(ctx, func(e trace.Event) { inner = append(inner, e) }),
				trace.Event{Kind: trace.KindDone})
			return nil
		})).To(Succeed())
		Expect(outer).To(BeEmpty())
		Expect(inner).To(Equal([]trace.Event{{Kind: trace.KindDone}}))
	})

	It("measures offsets with the same clock after clock.WithoutCancel has removed the cancellation", func() {
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(trace.WithRecorder(ctx, nil))
			cancel()
			Expect(clock.Sleep(clock.WithoutCancel(ctx), time.Second)).To(Succeed())
			Expect(trace.Elapsed(ctx)).To(Equal(time.Second))
			return nil
		})).To(Succeed())
	})

	It("emits events that stay the same when they are encoded to JSON and decoded", func() {
		whole := trace.Event{Offset: 1, Kind: trace.KindSpan, Node: "chat", Reason: "r", From: "a", To: "b", Text: "t",
			Span: &trace.Span{
				Provider: "p", Model: "m", Start: 2, Duration: 3, TTFT: 4, Attempt: 5,
				Tokens: trace.Tokens{In: 6, Out: 7},
				Error:  "timeout", Message: "x",
			}, Review: &trace.Review{Loop: 8, Score: 0.5, Passed: true, Reviewer: "llm", Feedback: "f"}}
		b, err := json.Marshal(whole)
		Expect(err).NotTo(HaveOccurred())
		var back trace.Event
		strict := json.NewDecoder(bytes.NewReader(b))
		strict.DisallowUnknownFields()
		Expect(strict.Decode(&back)).To(Succeed())
		Expect(back).To(Equal(whole))
		Expect(string(b)).To(ContainSubstring(
			`"offset_ns":1,"kind":"span","node":"chat","reason":"r","from":"a","to":"b","text":"t","span":{"provider":"p"`))
	})
})

var _ = Describe("An event with only a kind", func() {
	It("is encoded to JSON without the empty fields", func() {
		b, err := json.Marshal(trace.Event{Kind: trace.KindDone})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(b)).To(Equal(`{"offset_ns":0,"kind":"done"}`))
	})
})

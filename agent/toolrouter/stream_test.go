package toolrouter_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
)

const joke = "从前有一只猫，它决定去学编程，后来就没有后来了。"

// talker returns a stage whose deciding model chooses chat.
func talker() *stage {
	return newStage(says{component.Router: route("chat", 0.9), component.Chat: joke})
}

var _ = Describe("The stream of an answer", func() {
	It("T9: contains the chunks in order as they arrive, and then the whole content once", func() {
		s := talker()
		reply, err := s.say("讲个笑话")
		Expect(err).NotTo(HaveOccurred())
		chunks, dones := s.shown()
		Expect(len(chunks)).To(BeNumerically(">", 4))
		Expect(strings.Join(chunks, "")).To(Equal(joke))
		Expect(dones).To(Equal([]string{joke}))
		Expect(reply.Content).To(Equal(joke))
		var at []time.Duration
		for _, e := range s.events {
			if e.Kind == trace.KindChunk {
				at = append(at, e.Offset)
			}
		}
		for i, d := range at {
			Expect(d).To(Equal(2*time.Second + time.Duration(i)*100*time.Millisecond))
		}
		Expect(s.events[len(s.events)-1].Kind).To(Equal(trace.KindDone))
	})

	DescribeTable("T9, X4, X10: ends with the text that has arrived so far and an error if the chat model fails",
		func(fault string, failure types.GomegaMatcher, streamed bool, after time.Duration) {
			s := talker()
			s.faults = fault
			reply, err := s.say("讲个笑话")
			Expect(err).To(failure)
			var at *graph.Error
			Expect(errors.As(err, &at)).To(BeTrue())
			Expect(at.Path).To(Equal([]string{"chat"}), "who serves tells the node")
			chunks, dones := s.shown()
			Expect(dones).To(Equal([]string{strings.Join(chunks, "")}))
			Expect(reply.Content).To(Equal(dones[0]))
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
			Expect(reply.Content != "").To(Equal(streamed))
			Expect(reply.AnsweredBy != "").To(Equal(streamed), "served by %q", reply.AnsweredBy)
			Expect(strings.HasPrefix(joke, reply.Content)).To(BeTrue())
			Expect(s.duration).To(BeNumerically(">=", after))
			Expect(s.server.Calls("chat")).To(Equal(1))
		},
		Entry("the connection breaks during the stream", "chat:truncated_stream", MatchError(llm.KindTruncated),
			true, time.Duration(0)),
		Entry("the provider sends an error during the stream", "chat:error_in_stream", HaveOccurred(),
			true, time.Duration(0)),
		Entry("the stream stalls until the timeout of the attempt", "chat:stalled_stream", MatchError(llm.KindTimeout),
			true, 61*time.Second),
		Entry("the answer is empty", "chat:empty_content", MatchError(llm.KindEmptyContent), false, time.Duration(0)),
		Entry("the API key is rejected", "chat:auth", MatchError(llm.KindAuth), false, time.Duration(0)),
		Entry("the provider does not answer", "chat:timeout", MatchError(llm.KindTimeout), false, 61*time.Second),
		Entry("the provider account has no balance", "chat:no_balance", MatchError(llm.KindNoBalance),
			false, time.Duration(0)),
	)

	It("X6: ends immediately if the caller cancels it; the model call also ends", func() {
		s := talker()
		gone := false
		s.wire = func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
			ctx := r.Context()
			clock.Go(ctx, "witness", func(context.Context) {
				for ctx.Err() == nil {
					_ = clock.Sleep(ctx, time.Hour) // ends when ctx is canceled
				}
				gone = true
			})
			return next.RoundTrip(r)
		}
		chunks := 0
		reply, err := s.playUntil(agent.Turn{Text: "讲个笑话"}, func(cancel context.CancelFunc, e trace.Event) {
			if e.Kind == trace.KindChunk {
				if chunks++; chunks == 3 {
					cancel()
				}
			}
		})
		Expect(err).To(MatchError(context.Canceled))
		Expect(s.duration).To(Equal(2200 * time.Millisecond))
		Expect(chunks).To(Equal(3))
		Expect(joke).To(HavePrefix(reply.Content))
		Expect(s.of(trace.KindDone)).To(Equal([]string{"done " + reply.Content}))
		Expect(gone).To(BeTrue())
	})

	DescribeTable("X6: contains only done and no fallback if the caller cancels the turn before the answer",
		func(heeded trace.Kind, predicted string) {
			s := talker()
			reply, err := s.playUntil(agent.Turn{Text: "讲个笑话"}, func(cancel context.CancelFunc, e trace.Event) {
				if e.Kind == heeded {
					cancel()
				}
			})
			Expect(err).To(MatchError(context.Canceled))
			Expect(reply.Predicted).To(Equal(predicted))
			Expect(reply.AnsweredBy).To(BeEmpty())
			Expect(s.of(trace.KindFallback)).To(BeEmpty())
			Expect(s.of(trace.KindDone)).To(Equal([]string{"done "}))
		},
		Entry("canceled after the answer of the deciding model", trace.KindSpan, "chat"),
		Entry("canceled after the routing decision", trace.KindRoute, "chat"),
	)

	It("X6: ends with a timeout error, without a fallback to the rules, if the caller's deadline expires", func() {
		s := talker()
		s.faults = "router:timeout"
		a, err := s.open()
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			ctx, cancel := clock.WithTimeout(ctx, 3*time.Second)
			defer cancel()
			_, err = a.Respond(ctx, agent.Turn{Text: drawing}, func(e trace.Event) { s.events = append(s.events, e) })
			return nil
		})).To(Succeed())
		Expect(err).To(MatchError(llm.KindTimeout))
		Expect(s.story()).To(Equal([]string{"3s span router#1 timeout", "3s timeout router (deadline)", "3s done "}))
	})

	DescribeTable("X6, X4: continues with the fallback after a panic in a node; the trace contains the reason \"panic\"",
		func(text, path string, want ...string) {
			s := imageGenerator()
			if text == news {
				s = finder()
			}
			first := true
			s.wire = func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
				if first && r.URL.Path == path {
					first = false
					panic("broken wire")
				}
				return next.RoundTrip(r)
			}
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Content).NotTo(BeEmpty())
			Expect(s.of(trace.KindFallback)).To(Equal(want))
			Expect(s.of(trace.KindDone)).To(HaveLen(1))
		},
		Entry("a panic in the router", "讲个笑话", deepSeek, "fallback router→rules (panic)"),
		Entry("a panic in image generation", drawing, syncImages, "fallback image_gen→chat (panic)"),
		Entry("a panic in the web search", news, dashScope, "fallback search→search_fallback (panic)"),
	)

	It("X6, T9: ends with an error instead of a fallback if a part of the answer was already sent", func() {
		s := imageGenerator()
		first := true
		reply, err := s.playUntil(agent.Turn{Text: drawing}, func(_ context.CancelFunc, e trace.Event) {
			if first && e.Kind == trace.KindChunk {
				first = false
				panic("the caller's own")
			}
		})
		Expect(err).To(MatchError("panic in image_gen: the caller's own"))
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteImageGen))
		Expect(s.of(trace.KindFallback)).To(BeEmpty())
		Expect(s.of(trace.KindDone)).To(Equal([]string{"done " + reply.Content}))
	})

	It("X6, T9: ends with done and an error after a panic that no fallback can handle", func() {
		s := talker()
		s.config.Mode = toolrouter.ModeRules
		s.wire = func(*http.Request, http.RoundTripper) (*http.Response, error) { panic("broken wire") }
		reply, err := s.say("讲个笑话")
		var panicked *clock.PanicError
		Expect(err).To(BeAssignableToTypeOf(panicked))
		Expect(err).To(MatchError("panic in chat: broken wire"))
		Expect(reply.AnsweredBy).To(BeEmpty())
		Expect(s.story()).To(Equal([]string{"0s route chat (rules)", "0s done "}))
	})
})

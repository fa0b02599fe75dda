package trace_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
)

var _ = Describe("The current attempt of a call", func() {
	It("can be marked as cached, and reports its end once, with whether a complete answer arrived", func() {
		s := &trace.Span{}
		ctx, over := trace.WithAttempt(context.Background(), s)
		var heard []bool
		Expect(trace.OnAttemptEnd(ctx, func(taken bool) { heard = append(heard, taken) })).To(BeTrue())
		trace.MarkCached(ctx)
		Expect(s.FromCache).To(BeTrue())
		Expect(heard).To(BeEmpty())
		over(true)
		over(false)
		Expect(heard).To(Equal([]bool{true}))
	})

	It("exists only in a context that WithAttempt returned", func() {
		trace.MarkCached(context.Background())
		Expect(trace.OnAttemptEnd(context.Background(), func(bool) { Fail("nothing is over") })).To(BeFalse())
	})
})

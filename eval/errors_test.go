package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing/quick"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gstruct"
	"github.com/onsi/gomega/types"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/eval"
)

// MatchFields matches an eval.Error by its kind and a substring of its message.
func MatchFields(kind eval.ErrorKind, message string) types.GomegaMatcher {
	return gstruct.MatchAllFields(gstruct.Fields{"Kind": Equal(kind), "Message": ContainSubstring(message)})
}

var _ = DescribeTable("X6: the error of a target gets a kind by its cause", func(err error, want eval.ErrorKind) {
	for _, err := range []error{err, fmt.Errorf("turn 2: %w", err), errors.Join(errors.New("also"), err)} {
		Expect(eval.ClassifyError(err)).To(HaveValue(MatchFields(want, err.Error())))
	}
},
	Entry("an unexpected error: agent", errors.New("x"), eval.AgentError),
	Entry("a panic: agent", &clock.PanicError{Value: "x"}, eval.AgentError),
	Entry("a panic with an error value: agent", &clock.PanicError{Value: context.DeadlineExceeded}, eval.AgentError),
	Entry("an error of a provider: provider", &llm.Error{Kind: llm.KindServerError, Err: errors.New("x")},
		eval.ProviderError),
	Entry("content that a provider blocks: provider", &llm.Error{Kind: llm.KindContentBlocked}, eval.ProviderError),
	Entry("a timeout of a provider: timeout", &llm.Error{Kind: llm.KindTimeout}, eval.TimeoutError),
	Entry("a deadline of the trial: timeout", context.DeadlineExceeded, eval.TimeoutError),
	Entry("a canceled trial: canceled", context.Canceled, eval.CanceledError),
	Entry("a call that is canceled: canceled", &llm.Error{Kind: llm.KindCanceled}, eval.CanceledError),
	Entry("a deadlock: agent", &clock.DeadlockError{}, eval.AgentError),
	Entry("a trial that exceeds the simulated time limit: agent", clock.ErrMaxSimulatedTime, eval.AgentError),
	Entry("a trial that exceeds the step limit of its simulated clock: agent", clock.ErrTooManySteps, eval.AgentError),
	Entry("an error that already has a kind: unchanged", &eval.Error{Kind: eval.HarnessError}, eval.HarnessError),
)

var _ = Describe("Milliseconds", func() {
	back := func(m eval.Millis) (got eval.Millis) {
		GinkgoHelper()
		b, err := json.Marshal(m)
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Unmarshal(b, &got)).To(Succeed())
		return got
	}

	It("preserve every nanosecond when they are written and read back", func() {
		random := rand.New(rand.NewPCG(1, 2))
		Expect(quick.Check(func(ns int64) bool {
			ns >>= random.IntN(63) // all magnitudes
			return back(eval.Millis(ns)) == eval.Millis(ns)
		}, &quick.Config{MaxCount: 20_000})).To(Succeed())
		for _, ns := range []int64{0, 1, 999_999, 1_000_000, 1_000_001, int64(clock.MaxSimulatedTime),
			math.MaxInt64, math.MinInt64} {
			Expect(back(eval.Millis(ns))).To(Equal(eval.Millis(ns)))
		}
	})

	DescribeTable("are written without an exponent", func(d time.Duration, want string) {
		Expect(json.Marshal(eval.Millis(d))).To(BeEquivalentTo(want))
	},
		Entry(nil, time.Second, "1000"), Entry(nil, 1500*time.Microsecond, "1.5"),
		Entry(nil, time.Nanosecond, "0.000001"),
		Entry(nil, time.Duration(0), "0"), Entry(nil, -1500*time.Microsecond, "-1.5"),
		Entry(nil, -time.Nanosecond, "-0.000001"),
	)

	DescribeTable("return an error for text that is not a number of milliseconds", func(text string) {
		var m eval.Millis
		Expect(json.Unmarshal([]byte(text), &m)).To(MatchError(ContainSubstring("milliseconds")))
	}, Entry(nil, `"1"`), Entry(nil, `true`), Entry(nil, `1e3`), Entry(nil, `0.0000014`), Entry(nil, `1e300`))
})

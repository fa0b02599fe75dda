package main

import (
	"net/http"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("a provider that fails during a run", Label("concurrent"), func() {
	var (
		asked atomic.Int64
		lives atomic.Pointer[func(nth int64) bool] // the server calls it from its own goroutines
		slow  atomic.Int64
		base  string
	)
	live := func(f func(nth int64) bool) { lives.Store(&f) }
	BeforeEach(func() {
		asked.Store(0)
		slow.Store(0)
		live(func(nth int64) bool { return nth <= 30 })
		base = serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if !(*lives.Load())(asked.Add(1)) {
				http.Error(w, `{"error":{"message":"gone for good","type":"authentication_error"}}`,
					http.StatusUnauthorized)
				return
			}
			<-time.After(time.Duration(slow.Load()))
			next.ServeHTTP(w, r)
		})
	})

	played := func(router string, more ...string) (dir string, got cliResult) {
		dir = newRunDir()
		return dir, evalctl(append([]string{"run", "--target", "toolrouter", "--router", router, "--decision-only",
			"--base-url", base, "--model", "m",
			"--limit", "100", "--out", dir}, more...)...)
	}

	DescribeTable("ends the run as incomplete and reports the first error; the run can be resumed once the provider works",
		func(router string) {
			dir, got := played(router, "-j", "4")
			Expect(got.code).To(Equal(exit.Incomplete))
			Expect(got.stderr).To(MatchRegexp(`evalctl: run stopped: gave up: generic at ` + base +
				` answered none of the last 20 trials that called it. First error: .*auth.*gone for good.*; continue with evalctl run --resume ` + dir + "\n$"))
			Expect(got.stdout).To(ContainSubstring("PARTIAL"))
			Expect(asked.Load()).To(BeNumerically("<", 90), "and asks no more")
			Expect(manifestIn(dir).Status).To(Equal(journal.StatusFailed))

			live(func(int64) bool { return true })
			got = evalctl("run", "--resume", dir)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			c := summaryOf(dir).Suites[0].Conditions[0]
			Expect(c.Trials).To(BeEquivalentTo(100))
			Expect(c.Metrics["route.accuracy"].N).To(BeEquivalentTo(100))
			Expect(c.Metrics["fallback.rate"].Value).To(SatisfyAny(BeNil(), HaveValue(BeZero())),
				"what rules answered in its place is played again")
		},
		Entry("for a model without a fallback", "llm"),
		Entry("for a model with rules as the fallback", "llm-first"),
	)

	It("opens the circuit after as many failures as --circuit-breaker sets, and never if it is 0", func() {
		_, got := played("llm", "-j", "1", "--circuit-breaker", "3")
		Expect(got.stderr).To(ContainSubstring("none of the last 3 trials"))
		Expect(asked.Load()).To(BeNumerically("~", 34, 2), "one more is under way")
		asked.Store(0)
		_, got = played("llm", "-j", "1", "--circuit-breaker", "0")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(MatchRegexp(
			`a real endpoint lost 7\d of 100 trials, more than --max-missing 5%. First error: provider: `),
			"a call of the run before may have come late")
		Expect(asked.Load()).To(BeNumerically(">=", 100))
	})

	It("does not open the circuit if failures only arrive earlier than the slower successful answers of parallel trials",
		func() {
			live(func(nth int64) bool { return nth > 40 })
			slow.Store(int64(50 * time.Millisecond))
			dir, got := played("llm", "-j", "60")
			Expect(got.code).To(Equal(exit.Incomplete))
			Expect(got.stderr).To(ContainSubstring("a real endpoint lost 40 of 100 trials, more than --max-missing 5%"))
			Expect(summaryOf(dir).Partial).To(BeFalse())
			Expect(evalctl("run", "--resume", dir).code).To(Equal(exit.Passed))
		})

	It("does not make the run incomplete if it loses no more than the share of trials in --max-missing", func() {
		live(func(nth int64) bool { return nth%20 != 0 })
		_, got := played("llm")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		for most, code := range map[string]int{"4.9%": exit.Incomplete, "0": exit.Incomplete, "0.05": exit.Passed} {
			asked.Store(0)
			_, got = played("llm", "--max-missing", most)
			Expect(got.code).To(Equal(code), most)
		}
	})
})

var _ = It("--max-missing does not limit how many simulated trials end without an answer because of injected faults",
	func() {
		dir := newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "llm", "--fault", "router:auth%60",
			"--limit", "100",
			"-j", "1", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(summaryOf(dir).Suites[0].Conditions[1].Metrics["missing.rate"].Value).
			To(HaveValue(BeNumerically(">", 0.4)))
	})

var _ = DescribeTable("--max-missing and --circuit-breaker refuse invalid values in one line",
	func(want string, args ...string) {
		refuses(want, append([]string{"run"}, args...)...)
	},
	Entry(nil, `--max-missing: "x" is not a share like 5% or 0.05`, "--max-missing", "x"),
	Entry(nil, `--max-missing: "101%" is not a share like 5% or 0.05`, "--max-missing", "101%"),
	Entry(nil, `--max-missing: "NaN" is not a share like 5% or 0.05`, "--max-missing", "NaN"),
	Entry(nil, `--circuit-breaker: must be at least 0, got -1`, "--circuit-breaker", "-1"),
)

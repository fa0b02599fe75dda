package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

// refuse responds with a rate-limit error (HTTP 429).
func refuse(w http.ResponseWriter) {
	w.Header().Set("Retry-After-Ms", "5")
	http.Error(w, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, http.StatusTooManyRequests)
}

var _ = Describe("a run with limits on a real endpoint", Label("concurrent"), func() {
	play := func(base string, more ...string) (dir string, got cliResult) {
		dir = newRunDir()
		return dir, evalctl(append([]string{"run", "--target", "toolrouter", "--router", "llm", "--decision-only",
			"--base-url", base, "--model", "m",
			"--limit", "40", "-j", "4", "--out", dir}, more...)...)
	}
	counting := func(asked *atomic.Int64, refused func(nth int64) bool) string {
		return serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if refused(asked.Add(1)) {
				refuse(w)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	never := func(int64) bool { return false }

	It("is complete if the endpoint rate-limits every other request: no result has an error, and no agent retries",
		func() {
			var asked atomic.Int64
			dir, got := play(counting(&asked, func(nth int64) bool { return nth%2 == 0 }))
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			c := summaryOf(dir).Suites[0].Conditions[0]
			Expect(c.Metrics["missing.rate"].Value).To(HaveValue(BeZero()))
			Expect(c.Metrics["fallback.rate"].Value).To(SatisfyAny(BeNil(), HaveValue(BeZero())))
			Expect(c.Metrics["calls.mean"].Value).To(HaveValue(Equal(1.0)))
			Expect(asked.Load()).To(BeNumerically(">=", 79))
			Expect(c.Metrics["queue.max"].Value).To(HaveValue(BeNumerically(">=", 5)))
			Expect(c.Metrics).NotTo(HaveKey("backoff.max"))
			Expect(*c.Metrics["calls.rate_limited"].Value).To(BeEquivalentTo(asked.Load() - 40))
			Expect(got.stdout).To(And(ContainSubstring("queued"), MatchRegexp(`variant .* rate-limited `)))
			Expect(evalctl("gate", dir, "calls.rate_limited <= 3").code).To(Equal(exit.GateFailed))
			Expect(evalctl("gate", dir, "calls.rate_limited <= 1000").code).To(Equal(exit.Passed))
			Expect(manifestIn(dir).Spent.Calls).To(Equal(asked.Load()), "what was refused was sent")
			refused := manifestIn(dir).Spent.RateLimitedRequests
			Expect(refused).To(Equal(asked.Load() - 40))
			Expect(got.stderr).To(ContainSubstring("rate-limited %d of %d requests", refused, asked.Load()))
		})

	It("sends at most --rpm requests per minute", func() {
		var asked atomic.Int64
		base := counting(&asked, never)
		began := time.Now()
		_, got := play(base, "--rpm", "6000", "--rpm", "openai=1")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(time.Since(began)).To(BeNumerically(">=", 29*10*time.Millisecond), "40 at 100 a second, 10 at once")
	})

	It("never sends more than --max-requests, including refused ones; it exits with 3 and resumes with a higher limit",
		func() {
			var asked atomic.Int64
			base := counting(&asked, func(nth int64) bool { return nth%5 == 0 })
			dir, got := play(base, "--max-requests", "20")
			Expect(got.code).To(Equal(exit.Incomplete))
			Expect(got.stderr).To(MatchRegexp(
				`run stopped: the budget of --max-requests 20 is used up .*; continue with evalctl run --resume ` +
					dir +
					` --max-requests 40\n`))
			Expect(asked.Load()).To(BeNumerically("<=", 20), "the last may have been cut off on their way")
			spent := manifestIn(dir).Spent.Calls
			Expect(spent).To(And(Equal(asked.Load()), BeNumerically(">=", 19)))
			Expect(len(resultsOf(dir))).To(BeNumerically(">=", spent-spent/5-1), "what was answered is kept")
			Expect(manifestIn(dir).Status).To(Equal(journal.StatusFailed))

			got = evalctl("run", "--resume", dir, "--max-requests", "30")
			Expect(got.code).To(Equal(exit.Incomplete), "what it spent before counts")
			Expect(got.stderr).To(ContainSubstring("--max-requests 30"))
			Expect(asked.Load()).To(BeNumerically("<=", 30))
			Expect(manifestIn(dir).Spent.Calls).To(Equal(asked.Load()))

			before := asked.Load()
			got = evalctl("run", "--resume", dir)
			Expect(got.code).To(Equal(exit.Incomplete), "its budget is kept")
			Expect(got.stderr).To(ContainSubstring("--max-requests 30 is used up"))
			Expect(asked.Load()).To(BeNumerically("<=", before+1))

			got = evalctl("run", "--resume", dir, "--max-requests", "300")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(summaryOf(dir).Suites[0].Conditions[0].Trials).To(BeEquivalentTo(40))
			Expect(manifestIn(dir).Spent.Calls).To(BeNumerically(">=", asked.Load()))
		})

	It("never sends more than --max-requests in total, even if it is killed during trials", func() {
		var asked atomic.Int64
		killed := make(chan struct{})
		base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if asked.Add(1) > 3 {
				<-killed
			}
			next.ServeHTTP(w, r)
		})
		dir := newRunDir()
		p := start("run", "--target", "toolrouter", "--router", "llm", "--decision-only", "--base-url", base, "--model",
			"m", "--limit", "40", "-j", "4", "--max-requests", "12", "--out", dir)
		Eventually(asked.Load, "20s").Should(BeEquivalentTo(7))
		Expect(p.Process.Kill()).To(Succeed())
		_ = p.code()
		close(killed)
		Expect(resultsOf(dir)).To(HaveLen(3))
		got := evalctl("run", "--resume", dir)
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(ContainSubstring(
			"the run was killed: --max-requests counts 4 calls that are in no result"))
		Expect(asked.Load()).To(BeNumerically("<=", 12))
		Expect(manifestIn(dir).Spent.Calls).To(BeEquivalentTo(12))
		Expect(resultsOf(dir)).To(HaveLen(8))
	})

	DescribeTable("reports after a kill which part of the spending is unknown", func(want string, budget ...string) {
		dir, got := play(serveModel(passThrough), "--prices",
			fileOf("prices.yaml", "- {provider: generic, models: {m: {in: 1, out: 1}}}"))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		again := []string{"run", "--resume", dir, "--prices", manifestIn(dir).Prices.Path}
		Expect(evalctl(again...).stderr).NotTo(ContainSubstring("killed"))
		finished := regexp.MustCompile(`\s*"finished": "[^"]*",`)
		write(filepath.Join(dir, journal.ManifestFile), finished.ReplaceAllString(read(dir, journal.ManifestFile), ""))
		Expect(evalctl(append(again, budget...)...).stderr).
			To(ContainSubstring("evalctl: the run was killed: " + want + "\n"))
	},
		Entry(nil, "--max-requests does not know the calls of trials that were under way", "--max-requests", "1000"),
		Entry(nil, "--max-cost does not know what trials that were under way have cost", "--max-cost", "1000"),
		Entry(nil, "--max-time does not know how long it ran last", "--max-time", "1h"),
	)

	DescribeTable("stores the answer of every request within --max-requests at any number of parallel trials",
		func(router, scope string, most int, least int) {
			var asked atomic.Int64
			base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				asked.Add(1)
				<-time.After(10 * time.Millisecond)
				next.ServeHTTP(w, r)
			})
			dir := newRunDir()
			got := evalctl("run", "--target", "toolrouter", "--router", router,
				"--decision-only="+fmt.Sprint(scope == "decision"), "--base-url", base, "--model", "m",
				"--limit", "40", "-j", "16", "--out", dir, "--max-requests", fmt.Sprint(most))
			Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
			Expect(asked.Load()).To(BeNumerically("<=", most))
			rows := resultsOf(dir)
			Expect(len(rows)).To(BeNumerically(">=", least))
			var calls int64
			for _, r := range rows {
				Expect(r.Error).To(BeNil())
				calls += r.Calls
			}
			if scope == "decision" {
				Expect(calls).To(Equal(asked.Load()), "no answer is lost")
			}
		},
		Entry(nil, "llm", "decision", 20, 20),
		Entry(nil, "llm", "decision", 7, 7),
		Entry(nil, "llm", "decision", 1, 1),
		Entry(nil, "llm", "answer", 12, 4),
		Entry("with variants if one of them calls no model", "rules,llm", "decision", 20, 20),
	)

	It("stores the answers within --max-requests if the first conversation is shorter than the others", func() {
		set := filepath.Join(GinkgoT().TempDir(), "long.jsonl")
		turn := `{"input":{"text":"画一只猫"},"expect":{"route":"image_gen"}}`
		lines := `{"id":"a","turns":[` + turn + `]}`
		for _, id := range []string{"b", "c", "d", "e", "f"} {
			lines += "\n" + `{"id":"` + id + `","turns":[` + strings.Repeat(turn+",", 9) + turn + `]}`
		}
		Expect(os.WriteFile(set, []byte(lines), 0o600)).To(Succeed())
		var asked atomic.Int64
		base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			asked.Add(1)
			<-time.After(5 * time.Millisecond)
			next.ServeHTTP(w, r)
		})
		dir := newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "llm", "--decision-only", "--dataset", set,
			"--base-url", base, "--model", "m", "-j", "8", "--out", dir, "--max-requests", "35")
		Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
		Expect(resultsOf(dir)).To(HaveLen(4))
		Expect(asked.Load()).To(BeEquivalentTo(31))
	})

	It("runs the first trial alone, so that at least one trial is complete even if each needs many calls", func() {
		dir := newRunDir()
		got := evalctl("run", "--target", "newsroom", "--base-url", serveModel(passThrough), "--model", "m", "--limit",
			"10", "-j", "8", "--out", dir, "--max-requests", "60")
		Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
		Expect(resultsOf(dir)).NotTo(BeEmpty())
		dir = newRunDir()
		got = evalctl("run", "--target", "newsroom", "--base-url", serveModel(passThrough), "--model", "m", "--limit",
			"10", "-j", "8", "--out", dir, "--max-requests", "5")
		Expect(got.stderr).To(ContainSubstring("no trial has ended with the 5 that were left"))
		got = evalctl("run", "--resume", dir, "--max-requests", "8")
		Expect(got.stderr).To(ContainSubstring("no trial has ended with the 3 that were left"))
	})

	It("stores the answer of every request within --max-cost, and prints valid prices", func() {
		var asked atomic.Int64
		base := counting(&asked, never)
		dir := newRunDir()
		args := []string{"run", "--target", "toolrouter", "--router", "llm", "--decision-only", "--base-url",
			base, "--model", "any:7b",
			"--limit", "40", "-j", "16", "--max-cost", "3", "--out", dir}
		got := evalctl(args...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		line := regexp.MustCompile(`where FILE holds (- \{.*?\}\}\}),`).FindStringSubmatch(got.stderr)
		Expect(line).NotTo(BeNil(), got.stderr)
		file := fileOf("prices.yaml", strings.ReplaceAll(line[1], "USD", "1000"))
		got = evalctl(append(args, "--prices", file)...)
		Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
		Expect(got.stderr).To(ContainSubstring(dir + " --prices " + file + " --max-cost 6\n"))
		Expect(resultsOf(dir)).To(HaveLen(int(asked.Load())))
		Expect(*summaryOf(dir).Suites[0].Conditions[0].Metrics["cost.total_usd"].Value).
			To(BeNumerically("~", manifestIn(dir).Spent.USD, 1e-6))
	})

	It("stops at --max-cost with custom prices, and refuses a model without a price before it starts", func() {
		var asked atomic.Int64
		base := counting(&asked, never)
		dir, got := play(base, "--max-cost", "1")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(
			"--max-cost: the price of m (router) is not known: state it with --prices FILE"))
		Expect(asked.Load()).To(BeZero())
		Expect(dir).NotTo(BeADirectory())

		file := filepath.Join(GinkgoT().TempDir(), "prices.yaml")
		Expect(os.WriteFile(file, []byte("- {provider: generic, date: 2026-11-22, models: {m: {in: 1000, out: 1000}}}"),
			0o600)).To(Succeed())
		dir, got = play(base, "--max-cost", "3", "--prices", file)
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(MatchRegexp(`the budget of --max-cost 3 is used up \([0-9.]+ US dollars\)`))
		Expect(evalctl("report", dir, "-v").stdout).To(ContainSubstring("m at " + base +
			", USD 1000 in, 1000 out per million tokens (2026-11-22, " + file + ")"))
		spent := manifestIn(dir).Spent
		Expect(spent.USD).To(BeNumerically(">=", 3))
		before := asked.Load()
		Expect(before).To(BeNumerically("<", 40))

		got = evalctl("run", "--resume", dir, "--max-cost", "3", "--prices", file)
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(asked.Load()).To(Equal(before), "nothing is left to spend")
		got = evalctl("run", "--resume", dir, "--max-cost", "3000", "--prices", file)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(*summaryOf(dir).Suites[0].Conditions[0].Metrics["cost.total_usd"].Value).
			To(BeNumerically(">", spent.USD))
	})

	It("30.1: proposes the name of a listed model, and reports that the cost of an agent is unknown", func() {
		base := serveModel(passThrough)
		args := []string{"prompt", "--base-url", base, "--model", "gpt-4o-mini"}
		Expect(evalctl(append([]string{"doctor"}, args...)...).stdout).
			To(ContainSubstring("gpt-4o-mini: no price: for the price of openai, write openai:gpt-4o-mini\n"))
		got := evalctl(append([]string{"run", "--max-cost", "1", "--out", newRunDir()}, args...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("for the price of openai, write openai:gpt-4o-mini"))
		got = evalctl("run", "--target", "http", "--url", base, "--dataset", trainedCases(), "--max-cost", "1",
			"--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("the cost of the agent at " + base + " is unknown"))
	})

	It("uses the same prices to its end, even if it is resumed, and names them in its manifest", func() {
		base := serveModel(passThrough)
		priced := func(usd int) string {
			return fileOf("prices.yaml", fmt.Sprintf("- {provider: generic, models: {m: {in: %d, out: %[1]d}}}", usd))
		}
		file, other := priced(1000), priced(1)
		refused := func(dir, want string, more ...string) {
			GinkgoHelper()
			Expect(evalctl(append([]string{"run", "--resume", dir}, more...)...)).
				To(Equal(cliResult{exit.InvalidUsage, "", "evalctl: --resume: " + want + "\n"}))
		}
		with, got := play(base, "--prices", file)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(manifestIn(with).Prices.Path).To(Equal(file))
		refused(with, "the run has prices of its own: give them again with --prices "+file)
		refused(with, "--prices: "+other+" is not as it was when the run began, with "+file, "--prices", other)
		Expect(evalctl("run", "--resume", with, "--prices", file).code).To(Equal(exit.Passed))
		write(filepath.Join(with, journal.ManifestFile),
			strings.Replace(read(with, journal.ManifestFile), manifestIn(with).Prices.Hash, "0000000000000000", 1))
		Expect(evalctl("report", with).stderr).To(ContainSubstring("its seal does not fit"))
		without, got := play(base)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		refused(without, "the run began without --prices", "--prices", file)

		var shards []string
		for i, file := range []string{file, other} {
			dir, got := play(base, "--prices", file, "--shard", fmt.Sprintf("%d/2", i+1))
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			shards = append(shards, dir)
		}
		Expect(merged(shards, "--out", newRunDir()).stderr).
			To(ContainSubstring("are of different runs: their --prices are others"))
	})

	It("starts no trial after --max-time", func() {
		base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			<-time.After(20 * time.Millisecond)
			next.ServeHTTP(w, r)
		})
		dir, got := play(base, "-j", "1", "--max-time", "100ms")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(ContainSubstring("the budget of --max-time 100ms is used up"))
		Expect(got.stderr).To(ContainSubstring(" --max-time 200ms\n"))
		Expect(resultsOf(dir)).To(HaveLen(int(manifestIn(dir).Spent.Calls)), "what was under way has ended")
		Expect(evalctl("run", "--resume", dir, "--max-time", "10m").code).To(Equal(exit.Passed))
	})

	It("continues with other trials if one of two endpoints fails, and runs the missing ones when resumed", func() {
		var asked atomic.Int64
		var dead atomic.Bool
		dead.Store(true)
		lives := counting(&asked, never)
		dies := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if dead.Load() {
				http.Error(w, `{"error":{"message":"gone for good"}}`, http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
		file := filepath.Join(GinkgoT().TempDir(), "two.yaml")
		Expect(os.WriteFile(file, fmt.Appendf(nil, `
name: two
target: toolrouter
dataset: toolrouter
decision_only: true
limit: 60
variants: [{name: dies, router: llm, model: m, base_url: %s}, {name: lives, router: llm, model: m, base_url: %s}]
`, dies, lives), 0o600)).To(Succeed())
		dir := newRunDir()
		got := evalctl("run", file, "--trust", "-j", "2", "--circuit-breaker", "5", "--out", dir)
		Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
		Expect(got.stderr).To(MatchRegexp(`gave up: generic at ` + dies +
			` answered none of the last \d+ trials that called it. First error: .*gone for good.*; \d+ trials were left out; continue with`))
		Expect(asked.Load()).To(BeEquivalentTo(60), "the other answered all of its own")
		conditions := summaryOf(dir).Suites[0].Conditions
		Expect(conditions[0].Trials).To(BeNumerically("<", 20))
		Expect(conditions[1].Trials).To(BeEquivalentTo(60))

		dead.Store(false)
		got = evalctl("run", "--resume", dir, "--trust")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(summaryOf(dir).Suites[0].Conditions[0].Trials).To(BeEquivalentTo(60))
		Expect(asked.Load()).To(BeEquivalentTo(60))
	})

	DescribeTable("is the only kind of run that accepts limit flags: a simulated run refuses",
		func(flag, value string) {
			out := newRunDir()
			got := evalctl("run", "toolrouter", "--limit", "1", "--out", out, flag, value)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(Equal("evalctl: " + flag + ": the run has no real endpoint\n"))
			Expect(out).NotTo(BeADirectory())
		}, Entry(nil, "--rpm", "60"), Entry(nil, "--tpm", "deepseek=60"), Entry(nil, "--max-requests", "5"),
		Entry(nil, "--max-cost", "1"))

	DescribeTable("refuses invalid values of limit flags in one line", func(flag, value, message string) {
		got := evalctl("run", "toolrouter", flag, value)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(flag + ": " + message))
	},
		Entry(nil, "--rpm", "0", `"0" is not a rate: use a number from 1 to 1000000000 per minute`),
		Entry(nil, "--rpm", "opnai=60", `unknown provider "opnai"`),
		Entry(nil, "--tpm", "9,8", `"8": is given twice`),
		Entry(nil, "--tpm", "openai=NaN", `"openai=NaN" is not a rate: use a number from 1 to 1000000000 per minute`),
		Entry(nil, "--max-cost", "-1", "-1 is not a positive budget"),
		Entry(nil, "--max-time", "-1s", `"-1s" is not a duration such as 30s or 5m`),
		Entry(nil, "--max-time", "5", `"5" is not a duration such as 30s or 5m`),
		Entry(nil, "--max-time", "0s", `"0s" is not a duration such as 30s or 5m`),
		Entry(nil, "--max-requests", "0", "0 is not a positive budget"),
		Entry(nil, "--max-cost", "0", "0 is not a positive budget"),
		Entry(nil, "--max-requests", "-1", "-1 is not a positive budget"),
		Entry(nil, "--prices", "nowhere.yaml", "open nowhere.yaml"),
	)
})

var _ = Describe("evalctl prices", func() {
	It("lists each price with its date and source, and custom ones instead if given", func() {
		got := evalctl("prices")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(MatchRegexp(`prices of 2026-\d\d-\d\d, by https://`),
			MatchRegexp(`openai +gpt-4o-mini +0.15 in +0.6 out`)))
		file := filepath.Join(GinkgoT().TempDir(), "prices.yaml")
		Expect(os.WriteFile(file, []byte("- {provider: openai, models: {gpt-4o-mini: {in: 7, out: 8}}}"), 0o600)).
			To(Succeed())
		Expect(evalctl("prices", "--prices", file).stdout).
			To(And(MatchRegexp(`gpt-4o-mini +7 in +8 out`), ContainSubstring("by "+file)))
	})
})

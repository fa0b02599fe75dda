package main

import (
	"net/http"
	"path/filepath"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("evalctl run --cache", func() {
	var asked atomic.Int64
	var base, dir string
	refused := false
	BeforeEach(func() {
		asked.Store(0)
		refused = false
		dir = filepath.Join(GinkgoT().TempDir(), "cache")
		base = serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			asked.Add(1)
			if refused {
				http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	play := func(prompts []string, more ...string) (out string) {
		GinkgoHelper()
		out = newRunDir()
		line := append([]string{"run", "--target", "toolrouter", "--router", "llm", "--decision-only", "--base-url",
			base, "--model", "any", "--limit", "6", "-j", "1", "-q", "--cache", dir, "--out", out}, more...)
		for _, p := range prompts {
			line = append(line, "--prompt", p)
		}
		got := evalctl(line...)
		if !refused {
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
		return out
	}

	It("sends only the requests that a changed prompt changes, and reports the cache hits", func() {
		a, b := fileOf("a.md", "Route it, as json."), fileOf("b.md", "Route it well, as json.")
		play([]string{a, b})
		Expect(asked.Swap(0)).To(BeEquivalentTo(12))
		play([]string{a, b})
		Expect(asked.Swap(0)).To(BeZero())
		out := play([]string{a, fileOf("c.md", "Route it better, as json.")})
		Expect(asked.Load()).To(BeEquivalentTo(6))

		s := summaryOf(out).Suites[0]
		Expect(s.Conditions[0].Metrics["cached.rate"].Value).To(HaveValue(Equal(1.0)))
		Expect(s.Conditions[0].Metrics["latency.p50"].Value).To(BeNil(), "nobody knows how long it would have taken")
		Expect(s.Conditions[0].Metrics["latency.p50"].Missing).To(BeEquivalentTo(6))
		Expect(s.Conditions[0].Metrics["node.router.p50"].Value).To(BeNil())
		Expect(s.Conditions[0].Metrics["step.router.p50"].Value).To(BeNil())
		Expect(s.Conditions[0].Metrics["route.accuracy"].N).To(BeEquivalentTo(6))
		Expect(s.Conditions[1].Metrics).NotTo(HaveKey("cached.rate"))
		Expect(s.Conditions[1].Metrics["latency.p50"].N).To(BeEquivalentTo(6))
		for r, err := range journal.ReadRunResults(out) {
			Expect(err).NotTo(HaveOccurred())
			Expect(r.CachedCalls).To(
				BeEquivalentTo(map[bool]int{true: 1, false: 0}[r.Variant == s.Conditions[0].Variant]),
				r.Variant)
		}
		Expect(evalctl("report", out).stdout).
			To(ContainSubstring("6 of 12 calls were answered from the response cache; their turns have no latency."))
	})

	It("stores a separate answer for each epoch", func() {
		play(nil, "--epochs", "2")
		Expect(asked.Swap(0)).To(BeEquivalentTo(12))
		play(nil, "--epochs", "3")
		Expect(asked.Load()).To(BeEquivalentTo(6))
	})

	It("does not store error responses", func() {
		refused = true
		play(nil)
		refused = false
		asked.Store(0)
		play(nil)
		Expect(asked.Load()).To(BeEquivalentTo(6))
	})

	It("refuses a directory that has other content", func() {
		got := evalctl("run", "--target", "toolrouter", "--router", "llm", "--base-url", base, "--model", "any",
			"--cache", ".", "--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal("evalctl: --cache: .: holds something else than answers: name another folder\n"))
	})
})

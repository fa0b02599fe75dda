package main

import (
	"net/http"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
	"evalctl/reports/export/otlptest"
)

var _ = Describe("a run that is exported to an OpenTelemetry collector", func() {
	It("is exported with the content of its results, by --otlp of run and of report", func() {
		dir := newRunDir()
		c := otlptest.Start(nil)
		got := evalctl("run", "toolrouter", "--router", "llm-first,rules", "--fault", "router:timeout", "--limit", "12",
			"--out", dir, "--otlp", c.URL)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(MatchRegexp(`sent [\d,]+ spans and [\d,]+ points to http://127`))
		c.Received().ExpectValid()
		want, have := map[string]int64{}, map[string]int64{}
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			want["trials"]++
			want["calls"] += r.Calls
			want["in"] += r.Tokens.In
			want["out"] += r.Tokens.Out
			if r.Correct != nil && *r.Correct {
				want["right "+r.Variant+r.Fault]++
			}
		}
		for _, s := range c.Received().Spans() {
			if len(s.ParentSpanId) > 0 {
				have["calls"]++
				in, _ := s.Attributes["gen_ai.usage.input_tokens"].(int64)
				out, _ := s.Attributes["gen_ai.usage.output_tokens"].(int64)
				have["in"], have["out"] = have["in"]+in, have["out"]+out
				continue
			}
			have["trials"]++
			if s.Attributes["evalctl.verdict"] == "right" {
				have["right "+s.Attributes["evalctl.variant"].(string)+s.Attributes["evalctl.fault"].(string)]++
			}
		}
		Expect(have).To(Equal(want))
		for _, m := range c.Received().Points() {
			if m.Name == "gen_ai.client.token.usage" {
				have[m.Attributes["gen_ai.token.type"].(string)+" counted"] += int64(m.Value)
			}
		}
		Expect([]int64{have["input counted"], have["output counted"]}).To(Equal([]int64{want["in"], want["out"]}))
		before := c.Received().Spans()
		c = otlptest.Start(nil)
		again := evalctl("report", dir, "--otlp", c.URL)
		Expect(again.code).To(Equal(exit.Passed), again.stderr)
		c.Received().ExpectValid()
		Expect(c.Received().Spans()).To(HaveLen(len(before)))
	})

	It("does not change its exit code if the collector fails: run reports the failure in one line, and report exits with 3",
		func() {
			c := otlptest.Start(func(w http.ResponseWriter, _ *http.Request) bool {
				otlptest.WriteError(w, 400, "no")
				return true
			})
			dir := newRunDir()
			args := []string{"run", "toolrouter", "--router", "rules", "--limit", "3", "-q", "--otlp", c.URL, "--out"}
			got := evalctl(append(args, dir)...)
			Expect(got.code).To(Equal(exit.Passed))
			Expect(got.stderr).To(MatchRegexp(
				`^evalctl: --otlp: http://127\.0\.0\.1:\d+: the collector answers 400 Bad Request: no\n$`))
			Expect(evalctl(append(args, newRunDir(), "--gate", "route.accuracy > 1")...).code).
				To(Equal(exit.GateFailed))
			Expect(evalctl("report", dir, "--otlp", c.URL).code).To(Equal(exit.Incomplete))
		})

	It("does not start if the address of the collector is invalid", func() {
		dir := newRunDir()
		got := evalctl("run", "toolrouter", "--out", dir, "--otlp", "localhost:4318")
		Expect([]any{got.code, got.stderr}).
			To(Equal([]any{exit.InvalidUsage,
				"evalctl: --otlp: localhost:4318: want http://HOST:PORT or https://HOST\n"}))
		Expect(filepath.Glob(dir)).To(BeEmpty())
		Expect(evalctl("report", dir, "--otlp-content").stderr).To(Equal("evalctl: --otlp-content: requires --otlp\n"))
	})
})

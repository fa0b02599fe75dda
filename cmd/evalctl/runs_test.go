package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/history"
	"evalctl/eval/journal"
)

var _ = Describe("evalctl runs", Ordered, func() {
	var dir string
	BeforeAll(func() {
		dir = GinkgoT().TempDir()
		for _, run := range []struct{ name, router string }{{"first", "rules,llm"}, {"second", "rules,llm"},
			{"third", "rules"}} {
			got := evalctl("run", "toolrouter", "--decision-only", "--router", run.router, "--limit", "60", "--gate",
				"route.accuracy >= 1%", "--out", filepath.Join(dir, run.name), "-q")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
	})
	BeforeEach(func() { GinkgoT().Setenv("COLUMNS", "100") })

	output := func(args ...string) string {
		GinkgoHelper()
		got := evalctl(append([]string{"runs", "--dir", dir}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(BeEmpty())
		return got.stdout
	}

	It("lists runs, newest first, also without a subcommand", func() {
		text := output("list")
		Expect(text).To(MatchRegexp(`(?s)third .*toolrouter.*60.*✓ 1.*done.*second .*first `))
		Expect(output()).To(Equal(text))
		Expect(output("--limit", "1")).To(And(ContainSubstring("newest 1 of 3"), Not(ContainSubstring("first"))))
		var read struct{ Runs []history.Run }
		Expect(json.Unmarshal([]byte(output("--format", "json")), &read)).To(Succeed())
		Expect(read.Runs).To(HaveLen(3))
		Expect(strings.Count(output("list", "--format", "csv"), "\r\n")).To(Equal(4))
	})

	It("prints the trend of a metric, and writes it as an HTML file", func() {
		file := filepath.Join(GinkgoT().TempDir(), "trend.html")
		Expect(output("trend", "route.accuracy", "--html", file)).
			To(MatchRegexp(`(?m)^toolrouter +rules +3 .*= identical +second$`))
		text, err := os.ReadFile(file)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(HavePrefix("<!doctype html>"))
		link := file + ".link"
		Expect(os.Symlink(filepath.Join(dir, "second", journal.ResultsFile), link)).To(Succeed())
		for _, path := range []string{link, filepath.Join(dir, history.IndexFile)} {
			got := evalctl("runs", "--dir", dir, "trend", "route.accuracy", "--html", path)
			Expect(got.stderr).To(Equal("evalctl: runs: --html: is read by this command; choose another file\n"))
		}
		Expect(output("trend", "latency.p95", "--variant", "llm", "--last", "1", "--format", "csv")).
			To(MatchRegexp(`(?m)^latency.p95,toolrouter,llm,none,second,`))
	})

	It("prints since which run a gate has failed", func() {
		Expect(output("since", "--gate", "route.accuracy >= 100%")).
			To(ContainSubstring("✗ toolrouter / rules: failed in all 3 runs."))
		Expect(output("since", "--gate", "route.accuracy >= 1%")).
			To(ContainSubstring("✓ In 2 conditions it passed in every run with data."))
	})

	DescribeTable("refuses, and gives the reason for,", func(why string, args ...string) {
		got := evalctl(append([]string{"runs", "--dir", dir}, args...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(why))
		Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
	},
		Entry("an unknown subcommand", `unknown command "trends", did you mean "trend"?`, "trends"),
		Entry("an unknown metric", `did you mean "route.accuracy"?`, "trend", "route.acuracy"),
		Entry("a trend without a metric", "requires one metric", "trend"),
		Entry("a case given together with a gate", "not both", "since", "x", "--gate", "route.accuracy >= 1"),
		Entry("an invalid gate", "--gate: ", "since", "--gate", "x"),
		Entry("a removal without a selection", "requires runs, --older or --keep", "rm"),
		Entry("an invalid age", "--older: ", "rm", "--older", "soon"),
		Entry("an unknown run", `unknown run "frist", did you mean "first"?`, "rm", "frist"),
		Entry("a negative limit", "--limit: must be at least 0, got -1", "list", "--limit", "-1"),
	)

	It("refuses a missing directory", func() {
		got := evalctl("runs", "--dir", filepath.Join(dir, "none"))
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("no such directory"))
	})

	It("deletes runs with rm, or lists them with --dry-run", func() {
		Expect(output("rm", "--keep", "1", "--dry-run")).
			To(And(ContainSubstring("would delete second ("), ContainSubstring("would delete first (")))
		Expect(output("rm", "first")).To(HavePrefix("deleted first ("))
		Expect(filepath.Join(dir, "first")).NotTo(BeADirectory())
		Expect(output("rm", "--older", "30d")).To(Equal("no run is that old\n"))
		Expect(output("index")).To(Equal("2 runs are in the index\n"))
	})
})

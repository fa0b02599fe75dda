package main

import (
	"fmt"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = Describe("a baseline whose cases were edited", Ordered, func() {
	const cases = 20
	long := strings.Repeat("please ", 40)
	lines := func(edit func(line string) string) string {
		var all strings.Builder
		for i := range cases {
			line := fmt.Sprintf(`{"id":"c%02d","turns":[{"input":{"text":"what time is it now?","history":[{"role":"user","content":"hello"}]},"expect":{"route":"time_query"}},`+
				`{"input":{"text":"%sdraw a cat"},"expect":{"route":["image_gen","chat"]}}]}`, i, long)
			if i < 3 {
				line = edit(line)
			}
			all.WriteString(line + "\n")
		}
		return all.String()
	}
	play := func(text string) (dir string) {
		GinkgoHelper()
		file := filepath.Join(GinkgoT().TempDir(), "cases.jsonl")
		write(file, text)
		dir = newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--dataset", file, "--router", "rules", "--decision-only",
			"-q", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		return dir
	}
	var base string
	BeforeAll(func() { base = play(lines(func(line string) string { return line })) })

	DescribeTable("15.15: fails gates that compare with it and is reported by compare, if the edit changed",
		func(old, edited, reason, what string) {
			dir := play(lines(func(line string) string {
				Expect(line).To(ContainSubstring(old))
				return strings.Replace(line, old, edited, 1)
			}))
			for _, rule := range []string{"drop(route.accuracy) <= 90pp", "drop(route.macro_f1) <= 90pp",
				"new_failures <= 20", "ratio(latency.p50) <= 1000"} {
				got := evalctl("gate", dir, rule, "--baseline", base)
				Expect(got.code).To(Equal(exit.GateFailed), rule+got.stdout)
				Expect(got.stdout).To(ContainSubstring(reason))
			}
			Expect(evalctl("gate", dir, "new_failures <= 20 common_cases", "--baseline", base).stdout).
				To(ContainSubstring("Left out: " + reason))
			said := "3 of 20 cases changed between the runs (" + what + ": 3)"
			got := evalctl("compare", base, dir)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(ContainSubstring(said + `, the first is "c00"; --common-cases leaves them out`))
			Expect(evalctl("compare", base, dir, "--common-cases").stdout).
				To(ContainSubstring(said + " and are left out."))
		},
		Entry("the label of a turn that results.jsonl does not contain", `"time_query"`, `"web_search"`,
			"3 label changed", "labels"),
		Entry("an accepted alternative label", `"chat"]`, `"web_search"]`, "3 label changed", "labels"),
		Entry("the conversation history", `"hello"`, `"goodbye"`, "3 history or input changed", "history or input"),
		Entry("a text beyond its first 200 characters", "draw a cat", "draw a dog", "3 text changed", "text"),
	)

	It("15.15: is still compared in full if only formatting, tags and splits changed", func() {
		dir := play(lines(func(line string) string {
			return strings.Replace(line, `{"id"`, `{ "split": "test", "tags": ["new"], "id"`, 1)
		}))
		got := evalctl("gate", dir, "new_failures <= 0", "--baseline", base)
		Expect(got.code).To(Equal(exit.Passed), got.stdout+got.stderr)
		Expect(evalctl("compare", base, dir).code).To(Equal(exit.Passed))
	})
})

var _ = Describe("a run that lacks one of its baseline's suites", func() {
	It("15.21: fails a gate on an accuracy drop, unless the gate covers only common cases or names a suite that both runs have",
		func() {
			base, dir := newRunDir(), newRunDir()
			Expect(evalctl("run", "toolrouter", "companion", "--decision-only", "--limit", "80", "-q", "--out", base).
				code).
				To(Equal(exit.Passed))
			Expect(evalctl("run", "toolrouter", "--decision-only", "--limit", "80", "-q", "--out", dir).code).
				To(Equal(exit.Passed))
			got := evalctl("gate", dir, "drop(route.accuracy{fault=none}) <= 9pp", "--baseline", base)
			Expect(got.code).To(Equal(exit.GateFailed), got.stdout)
			Expect(got.stdout).To(ContainSubstring("not in this run: suite companion"))
			got = evalctl("gate", dir, "drop(route.accuracy{fault=none}) <= 9pp common_cases", "--baseline", base)
			Expect(got.code).To(Equal(exit.Passed), got.stdout)
			Expect(got.stdout).To(ContainSubstring("Left out: not in this run: suite companion"))
			Expect(evalctl("gate", dir, "drop(route.accuracy{suite=toolrouter,fault=none}) <= 9pp", "--baseline", base).
				code).To(Equal(exit.Passed))
		})
})

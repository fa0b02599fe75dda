package main

import (
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("evalctl run --baseline-variant", func() {
	var dir string
	run := func(more ...string) cliResult {
		dir = newRunDir()
		return evalctl(append([]string{"run", "--router", "rules,llm,llm-first", "--limit", "5", "--out", dir},
			more...)...)
	}

	It("compares the other variants with the given one", func() {
		got := run("toolrouter", "--baseline-variant", "llm")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(summaryOf(dir).Suites[0].BaselineVariant).To(Equal("llm"))
	})

	It("is stored in the manifest, so that a resumed run uses the same variant", func() {
		Expect(run("toolrouter", "--baseline-variant", "llm").code).To(Equal(exit.Passed))
		first, lines := read(dir, journal.SummaryFile), strings.SplitAfter(read(dir, journal.ResultsFile), "\n")
		write(filepath.Join(dir, journal.ResultsFile), strings.Join(lines[:3], ""))
		got := evalctl("run", "--resume", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(read(dir, journal.SummaryFile)).To(Equal(first))
	})

	It("suggests a variant with a similar name for a misspelled one", func() {
		got := run("toolrouter", "--baseline-variant", "llm-frist")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal(
			"evalctl: --baseline-variant: unknown variant \"llm-frist\", did you mean \"llm-first\"?\n"))
	})

	It("requires only one of several suites to have the variant", func() {
		dir = newRunDir()
		got := evalctl("run", "toolrouter", "studio", "--limit", "1", "--baseline-variant", "llm", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		for _, s := range summaryOf(dir).Suites {
			if s.Name == "toolrouter" {
				Expect(s.BaselineVariant).To(Equal("llm"))
			} else {
				Expect(s.BaselineVariant).NotTo(Equal("llm"))
			}
		}
	})

	It("defaults to the suite's own baseline variant, unless flags change the variants", func() {
		file := fileOf("mine.yaml",
			"name: mine\ntarget: toolrouter\ndataset: toolrouter\nlimit: 3\nbaseline_variant: b\nvariants: [{name: a, router: rules}, {name: b, router: llm}]\n")
		dir = newRunDir()
		Expect(evalctl("run", file, "--out", dir).code).To(Equal(exit.Passed))
		Expect(summaryOf(dir).Suites[0].BaselineVariant).To(Equal("b"))
		dir = newRunDir()
		got := evalctl("run", file, "--router", "rules,llm-first", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(summaryOf(dir).Suites[0].BaselineVariant).NotTo(Equal("b"))
	})
})

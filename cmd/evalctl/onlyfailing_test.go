package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// failingCases returns the cases of a run that fail under a fault, in order; under any fault if it
// is "".
func failingCases(dir, fault string) []string {
	GinkgoHelper()
	var ids []string
	for _, r := range resultsOf(dir) {
		if r.IsFailing() && (fault == "" || r.Fault == fault) {
			ids = append(ids, r.Case)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func casesIn(dir string) []string {
	GinkgoHelper()
	var ids []string
	for _, r := range resultsOf(dir) {
		ids = append(ids, r.Case)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

var _ = Describe("evalctl show --failing", Ordered, func() {
	var dir string
	BeforeAll(func() {
		dir = newRunDir()
		Expect(evalctl("run", "--target", "toolrouter", "--router", "llm", "--limit", "80", "--fault",
			"chat:server_error", "--out", dir, "-q").code).To(Equal(exit.Passed))
	})
	show := func(args ...string) cliResult { return evalctl(append([]string{"show", dir, "--failing"}, args...)...) }

	It("lists every wrong trial with the expected and the actual result, and prints a command that shows one of them",
		func() {
			got := show("--limit", "0")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			for _, r := range resultsOf(dir) {
				if r.Fault == eval.NoFault && r.IsWrong() {
					Expect(got.stdout).To(MatchRegexp(`(?m)^` + r.Case + ` +` + r.Expected.Primary() +
						` +` + r.Predicted +
						` .*` + r.DecidedBy))
				}
			}
			_, command, _ := strings.Cut(got.stdout, "show a case:\n  evalctl ")
			one := evalctl(words(strings.TrimSpace(command))...)
			Expect(one.code).To(Equal(exit.Passed), one.stderr)
			Expect(one.stdout).To(MatchRegexp(`(?m)^✗ expected \w+, got \w+$`))
			Expect(one.stdout).To(ContainSubstring(`  router   {"route":`))
		})

	It("distinguishes wrong trials from trials without an answer", func() {
		text := show("--limit", "0", "--fault", "chat:server_error").stdout
		Expect(text).To(MatchRegexp(`(?m)^wrong: \d+ of 80 trials under chat:server_error$`))
		Expect(text).To(MatchRegexp(`(?m)^no answer: \d+ of 80 trials under chat:server_error$`))
		Expect(text).To(ContainSubstring("provider error"))
	})

	It("reports that a run without a summary is incomplete", func() {
		summary := filepath.Join(dir, journal.SummaryFile)
		Expect(show().stdout).NotTo(ContainSubstring("did not end"))
		Expect(os.Rename(summary, summary+".kept")).To(Succeed())
		got := show()
		Expect(os.Rename(summary+".kept", summary)).To(Succeed())
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("✗ PARTIAL: the run did not end"))
	})

	It("lists only the first --limit of many trials", func() {
		Expect(show("--limit", "1").stdout).To(MatchRegexp(`^wrong: \d+ of 80 trials without a fault; first 1 shown\n`))
	})

	DescribeTable("refuses missing runs and invalid arguments", func(want string, args ...string) {
		got := evalctl(append([]string{"show"}, args...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(want))
	},
		Entry("a directory without a run", "contains no run", ".", "--failing"),
		Entry("a case in addition to --failing", "no case", ".", "c", "--failing"),
		Entry("a negative limit", "must be at least 0, got -1", ".", "--failing", "--limit", "-1"),
	)

	It("lists the existing conditions if the selection matches none", func() {
		got := show("--variant", "rules")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("no such trial; there are: llm under chat:server_error; llm under none"))
	})

	It("prints that nothing failed and exits with 0, for a run without failures", func() {
		fine := newRunDir()
		Expect(evalctl("run", "--target", "toolrouter", "--router", "rules", "--dataset",
			fileOf("three.jsonl", threeCases), "--out", fine, "-q").code).To(Equal(exit.Passed))
		got := evalctl("show", fine, "--failing")
		Expect(got.code).To(Equal(exit.Passed))
		Expect(got.stdout).To(Equal("No failing case in 3 trials.\n"))
		got = evalctl("run", "--only-failing", fine, "--out", newRunDir())
		Expect(got.code).To(Equal(exit.Passed))
		Expect(got.stdout).To(Equal("no failing case in " + fine + ": nothing to run\n"))
	})
})

var _ = Describe("evalctl run --only-failing", Ordered, func() {
	var dir string
	BeforeAll(func() {
		dir = newRunDir()
		Expect(evalctl("run", "toolrouter", "--router", "llm,llm-first", "--limit", "60", "--fault",
			"chat:server_error", "--seed", "7", "--out", dir, "-q").code).To(Equal(exit.Passed))
	})

	It("runs only the cases that failed in some condition, with the settings of the earlier run, and reports this selection", func() {
		again := newRunDir()
		got := evalctl("run", "--only-failing", dir, "--out", again)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(casesIn(again)).To(Equal(failingCases(dir, "")))
		before := map[string]eval.Result{}
		for _, r := range resultsOf(dir) {
			before[r.Key] = r
		}
		for _, r := range resultsOf(again) {
			Expect(before).To(HaveKey(r.Key), "the same trial")
			Expect(r.Correct).To(Equal(before[r.Key].Correct), r.Case)
		}
		Expect(strings.Join(strings.Fields(got.stdout), " ")).
			To(ContainSubstring("cases that failed in " + dir + "; these metrics do not describe the whole dataset"))
		s := summaryOf(again).Suites[0]
		Expect(s.FailedInRun).To(Equal(dir))
		Expect(s.Cases).To(BeEquivalentTo(len(failingCases(dir, ""))))
		Expect(string(manifestIn(again).Suites[0])).
			To(And(ContainSubstring(`"only_failing"`), ContainSubstring(casesIn(again)[0])))
	})

	It("considers only failures of the conditions that run again", func() {
		again := newRunDir()
		got := evalctl("run", "toolrouter", "--router", "rules", "--only-failing", dir, "--out", again, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(casesIn(again)).NotTo(BeEmpty())
		Expect(failingCases(dir, eval.NoFault)).To(ContainElements(casesIn(again)))
		Expect(len(casesIn(again))).To(BeNumerically("<", len(failingCases(dir, ""))),
			"nothing fails for want of the chat")
	})

	It("is neither compared nor gated with a run of all cases, because failures by chance disappear (regression to the mean)", func() {
		again := newRunDir()
		Expect(evalctl("run", "--only-failing", dir, "--out", again, "-q").code).To(Equal(exit.Passed))
		alone := filepath.Join(again, journal.ResultsFile)
		for _, args := range [][]string{
			{"compare", dir, again}, {"compare", again, dir, "--common-cases"},
			{"compare", dir, alone, "--common-cases"},
			{"gate", again, "new_failures <= 0", "--baseline", dir},
			{"gate", dir, "drop(route.accuracy) <= 90pp missing <= 99%", "--baseline", alone},
			{"gate", again, "ratio(calls.mean) <= 2", "--baseline", dir},
			{"run", "--only-failing", dir, "--baseline", dir, "--gate", "new_failures <= 0", "--out", newRunDir()},
		} {
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.InvalidUsage), "%v: %s", args, got.stdout)
			Expect(got.stderr).To(And(MatchRegexp("only (those|cases) that failed in "),
				ContainSubstring("failed once"), Not(ContainSubstring("--common-cases"))), "%v", args)
		}
		got := evalctl("compare", again, alone)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(strings.Join(strings.Fields(got.stdout), " ")).
			To(ContainSubstring("Only cases that failed in " + dir + " are compared"))
		Expect(evalctl("report", again).stdout).NotTo(MatchRegexp("leads|decides? (best|alike)|right equally often"))
	})

	It("can be resumed with the same cases", func() {
		again := newRunDir()
		Expect(evalctl("run", "--only-failing", dir, "--out", again, "-q").code).To(Equal(exit.Passed))
		lines := strings.SplitAfter(read(again, journal.ResultsFile), "\n")
		write(filepath.Join(again, journal.ResultsFile), strings.Join(lines[:3], ""))
		got := evalctl("run", "--resume", again, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(casesIn(again)).To(Equal(failingCases(dir, "")))
	})

	DescribeTable("refuses an earlier run that it cannot use",
		func(want string, change func(dir string), args ...string) {
			broken := newRunDir()
			Expect(evalctl("run", "toolrouter", "--router", "llm", "--limit", "30", "--out", broken, "-q").code).
				To(Equal(exit.Passed))
			change(broken)
			got := evalctl(append([]string{"run", "--only-failing", broken, "--out", newRunDir()}, args...)...)
			Expect(got.code).To(Equal(exit.InvalidUsage), got.stdout)
			Expect(got.stderr).To(And(HavePrefix("evalctl: --only-failing: "), ContainSubstring(want)))
		},
		Entry("a run that has not ended", "--resume", func(dir string) {
			m := manifestIn(dir)
			m.Status = journal.StatusInterrupted
			Expect(m.Write(dir)).To(Succeed())
		}),
		Entry("a run that lacks the requested suite", "has no suite studio, but toolrouter", func(string) {}, "studio"),
		Entry("a directory without a run", "contains no run", func(dir string) { remove(dir, journal.ManifestFile) }),
	)
})

func remove(elems ...string) {
	GinkgoHelper()
	Expect(os.Remove(filepath.Join(elems...))).To(Succeed())
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/journal"
)

var _ = Describe("evalctl compare", Ordered, func() {
	var rules, llmFirst, both string
	BeforeAll(func() {
		home := GinkgoT().TempDir()
		rules, llmFirst, both = filepath.Join(home, "rules"), filepath.Join(home, "llm first"),
			filepath.Join(home, "both")
		for dir, routers := range map[string]string{rules: "rules", llmFirst: "llm-first", both: "llm,llm-first"} {
			got := evalctl("run", "toolrouter", "--decision-only", "--router", routers, "--out", dir)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
	})
	BeforeEach(func() { GinkgoT().Setenv("COLUMNS", "200") })

	wrong := func(dir string) map[string]bool {
		GinkgoHelper()
		ids := map[string]bool{}
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			d, _ := r.Decision()
			ids[r.Case] = d.Verdict == eval.Fail
		}
		return ids
	}

	It("lists each fixed or broken case, with a command that shows its trials", func() {
		got := evalctl("compare", rules, llmFirst, "--all")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("B is better by "))
		fixed, broken, _ := strings.Cut(got.stdout, "\nBroken: ")
		_, fixed, _ = strings.Cut(fixed, "\nFixed: ")
		before, after, flips := wrong(rules), wrong(llmFirst), 0
		for id := range before {
			named := MatchRegexp("· " + id + "(, turn [0-9]+,)? expects ")
			Expect(named.Match(fixed)).To(Equal(before[id] && !after[id]), id)
			Expect(named.Match(broken)).To(Equal(!before[id] && after[id]), id)
			if before[id] != after[id] {
				flips++
			}
		}
		Expect(flips).To(BeNumerically(">", 50))
		shown := regexp.MustCompile(`(?m)^  evalctl (show .*)$`).FindAllStringSubmatch(got.stdout, -1)
		Expect(shown).To(HaveLen(flips))
		for _, command := range shown[:3] {
			one := evalctl(words(command[1])...)
			Expect(one.code).To(Equal(exit.Passed), one.stderr)
			Expect(one.stdout).NotTo(BeEmpty())
		}
	})

	It("shows that a simulated model is more accurate with history, because both variants use common random numbers",
		func() {
			shown := newRunDir()
			Expect(evalctl("run", "--target", "toolrouter", "--dataset", "toolrouter", "--split",
				"test", "--router", "llm",
				"--history", "0,4", "--decision-only", "--out", shown, "-q").code).To(Equal(exit.Passed))
			got := evalctl("compare", shown, "--variant", "llm history=0", "--variant", "llm history=4")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(MatchRegexp(`· B is better by .*, p < 0\.001: \d+ cases fixed, [0-4] broken`))
		})

	It("reports identical decisions if a run is compared with itself", func() {
		got := evalctl("compare", rules, rules)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("Identical decisions in "))
	})

	It("accepts results files, and reports which information they lack", func() {
		got := evalctl("compare", filepath.Join(rules, journal.ResultsFile), llmFirst, "--format", "json")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		var read struct{ Comparisons []compare.Comparison }
		Expect(json.Unmarshal([]byte(got.stdout), &read)).To(Succeed())
		Expect(read.Comparisons).To(HaveLen(1))
		Expect(read.Comparisons[0].Pairs[0].State).To(Equal(eval.Better))
		Expect(read.Comparisons[0].Notes).To(ConsistOf(ContainSubstring("Results alone")))
	})

	It("32.6: writes an HTML report of the second run that shows the comparison first", func() {
		file := filepath.Join(GinkgoT().TempDir(), "compare.html")
		got := evalctl("compare", rules, llmFirst, "--html", file)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("B is better by "), "the screen is printed, too")
		text, err := os.ReadFile(file)
		Expect(err).NotTo(HaveOccurred())
		Expect(regexp.MustCompile(`data-view="([^"]*)"`).FindStringSubmatch(string(text))[1]).To(Equal("compare"))
		fixed := regexp.MustCompile(`: (\d+) cases fixed`).FindStringSubmatch(got.stdout)[1]
		Expect(string(text)).To(And(ContainSubstring("<h1>rules → llm first</h1>"),
			ContainSubstring(`change=new_pass">`+fixed+" cases fixed</a>")))

		for _, args := range [][]string{{both}, {rules, llmFirst, both}} {
			got := evalctl(slices.Concat([]string{"compare"}, args, []string{"--html", file})...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(ContainSubstring("--html: requires two runs"))
		}
		got = evalctl("compare", rules, llmFirst, "--html", filepath.Join(rules, journal.ResultsFile))
		Expect(got.code).To(Equal(exit.InvalidUsage), "it does not overwrite a file of a run")
	})

	It("ranks three runs, or three variants of one run", func() {
		got := evalctl("compare", rules, llmFirst, both, "--variant", "llm-first")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(`unknown variant "llm-first" (known: rules)`))
		got = evalctl("compare", llmFirst, both, both, "--variant", "llm-first")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("not significantly different from"))
	})

	DescribeTable("refuses, and gives the reason for,", func(why string, args func() []string) {
		got := evalctl(append([]string{"compare"}, args()...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stdout).To(BeEmpty())
		Expect(got.stderr).To(MatchRegexp(`^evalctl: .*` + why + `.*\n$`))
	},
		Entry("a comparison without a run", "requires two run directories", func() []string { return nil }),
		Entry("one run that has only one variant", "is one run: name another",
			func() []string { return []string{rules} }),
		Entry("a directory without a run", "contains no run",
			func() []string { return []string{rules, GinkgoT().TempDir()} }),
		Entry("an unknown format", `--format: unknown format "tabel", did you mean "table"`,
			func() []string { return []string{rules, llmFirst, "--format", "tabel"} }),
		Entry("more than 16 runs", "17 runs are more than 16",
			func() []string { return strings.Split(strings.Repeat(rules+"\n", 16)+rules, "\n") }),
		Entry("runs with different cases", "only 9 of 827 cases are in all of them; --common-cases", func() []string {
			few := newRunDir()
			Expect(evalctl("run", "toolrouter", "--decision-only", "--router", "rules", "--limit", "9", "--out", few).
				code).To(Equal(exit.Passed))
			return []string{rules, few}
		}),
		Entry("a decision-only run and a full one", "ran the decision only", func() []string {
			whole := newRunDir()
			Expect(evalctl("run", "toolrouter", "--router", "rules", "--limit", "9", "--out", whole).code).
				To(Equal(exit.Passed))
			return []string{rules, whole, "--common-cases"}
		}),
	)
})

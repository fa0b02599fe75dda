package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
)

var _ = Describe("28.7: the screen output about gates", Ordered, func() {
	rules := []string{"latency.p95 <= 2s", "drop(route.accuracy) <= 1pp", "route.accuracy >= 30%", "new_failures <= 0"}
	var at, base string

	// suite writes a suite file with 40 cases and a simulated model of this accuracy.
	suite := func(accuracy float64, variants string) string {
		return write(filepath.Join(at, fmt.Sprintf("desk-%v.yaml", accuracy)), fmt.Sprintf(
			"name: desk\ntarget: prompt\ndataset: cases.jsonl\nmodels: {model: {accuracy: %v, difficulty: 0}}\nvariants: %s\n", accuracy, variants))
	}
	run := func(path string, more ...string) (dir string, got cliResult) {
		dir = newRunDir()
		return dir, evalctl(append([]string{"run", path, "-q", "--out", dir}, more...)...)
	}
	gated := func(rules ...string) (args []string) {
		for _, r := range rules {
			args = append(args, "--gate", r)
		}
		return args
	}
	// screen returns the lines about gates in the output of a command.
	screen := func(text string) []string {
		GinkgoHelper()
		from := strings.Index(text, "Gates: ")
		Expect(from).To(BeNumerically(">=", 0), text)
		end := regexp.MustCompile(`(?m)^compared with .*$`).FindStringIndex(text[from:])
		Expect(end).NotTo(BeNil(), text)
		return strings.Split(text[from:from+end[1]], "\n")
	}

	BeforeAll(func() {
		at = GinkgoT().TempDir()
		var cases strings.Builder
		for i := range 40 {
			fmt.Fprintf(&cases, `{"id":"k-%03d","text":"I was charged twice, no. %d","label":%q}`+"\n", i, i,
				[]string{"refund", "billing", "other"}[i%3])
		}
		write(filepath.Join(at, "cases.jsonl"), cases.String())
		var got cliResult
		base, got = run(suite(1, "[{name: one}]"))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	It("lists failed gates first, with the first new failure and the exit code, in every command", func() {
		dir, got := run(suite(0.6, "[{name: one}]"), append(gated(rules...), "--baseline", base)...)
		Expect(got.code).To(Equal(exit.GateFailed), got.stderr)
		lines := screen(got.stdout)
		Expect(lines[:2]).To(Equal([]string{"Gates: 2 failed, 2 passed", ""}))

		var failing []eval.Result
		for text := range strings.Lines(read(filepath.Join(dir, "results.jsonl"))) {
			var r eval.Result
			Expect(json.Unmarshal([]byte(text), &r)).To(Succeed())
			if !*r.Correct {
				failing = append(failing, r)
			}
		}
		n := len(failing)
		Expect(n).To(BeNumerically(">", 5))
		first := failing[0]
		for _, r := range failing {
			if r.Case < first.Case {
				first = r
			}
		}
		Expect(lines[2:8]).To(HaveExactElements(
			MatchRegexp(`^✗ drop\(route\.accuracy\) <= 1pp {11}\+\d+\.\d points \[.+, .+\] of 40$`),
			Equal(fmt.Sprintf("%-40s%d new failures of 40", "✗ new_failures <= 0", n)),
			And(HavePrefix("    "+first.Case+` "I was charged twice`),
				ContainSubstring(first.Expected[0]+" → "+first.Predicted),
				HaveSuffix(fmt.Sprintf(" and %d more)", n-4)), MatchRegexp(`\(also k-\d{3}, k-\d{3}, k-\d{3} and `)),
			MatchRegexp(`^✓ latency\.p95 <= 2s {21}.* of 40$`),
			MatchRegexp(`^✓ route\.accuracy >= 0\.3 {17}\d\d\.\d % \[\d\d\.\d, \d\d\.\d\] of 40$`),
			Equal("")))
		Expect(lines[8]).To(Equal(fmt.Sprintf("compared with %s · exit code %d", base, got.code)))
		Expect(lines).To(HaveEach(
			Satisfy(func(l string) bool { return len([]rune(l)) <= 100 || strings.HasPrefix(l, "compared") })))

		over := evalctl(append([]string{"gate", dir, "--baseline", base}, rules...)...)
		Expect(over.code).To(Equal(exit.GateFailed))
		Expect(screen(over.stdout)).To(Equal(lines), "evalctl gate prints the same screen")
		Expect(over.stdout).To(HavePrefix("Gates: "), "and the gates alone")
		again := screen(evalctl("report", dir).stdout)
		Expect(again[:8]).To(Equal(lines[:8]))
		Expect(again[8]).To(HavePrefix("compared with "))
		Expect(again[8]).NotTo(ContainSubstring("exit code"), "report itself exits with 0")

		var stored eval.Summary
		Expect(json.Unmarshal([]byte(read(filepath.Join(dir, "summary.json"))), &stored)).To(Succeed())
		for _, g := range stored.Gates {
			Expect(g.Conditions).To(HaveLen(1), g.Rule)
		}
	})

	It("explains an undecided gate and suggests what to change", func() {
		dir, _ := run(suite(1, "[{name: one}]"))
		got := evalctl(append([]string{"gate", dir, "--baseline", base}, rules...)...)
		lines := screen(got.stdout)
		Expect(lines[0]).To(Equal("Gates: 1 undecided, 3 passed"))
		Expect(lines[2]).To(MatchRegexp(`^\? drop\(route\.accuracy\) <= 1pp {11}0 points \[.+\] of 40$`))
		Expect(strings.Join(lines[3:5], "\n")).
			To(MatchRegexp("^    40 cases cannot resolve 1 point \\(about [0-9,]+ are needed[^)]*\\)\\. They\\s+can\\s+decide\\s+`<= \\d+pp`"))
		Expect(strings.Join(lines[len(lines)-2:], " ")).
			To(ContainSubstring(fmt.Sprintf(" · exit code %d: too few cases to detect even three times the", got.code)))
		Expect(got.code).To(Equal(exit.Undecided), "40 cases could not have decided")
	})

	It("has a row for each condition that decides the verdict, and one line for all conditions that pass", func() {
		dir, ran := run(fileOf("two.yaml", "name: two\ntarget: toolrouter\ndataset: toolrouter\ndecision_only: true\n"+
			"variants: [{name: one, router: rules}, {name: other, router: llm}]\n"), "--limit", "20")
		Expect(ran.code).To(Equal(exit.Passed), ran.stderr)
		got := evalctl("gate", dir, "route.accuracy > 1", "route.accuracy >= 1%")
		Expect(got.code).To(Equal(exit.GateFailed), got.stderr)
		Expect(got.stdout).To(MatchRegexp(
			`(?s)✗ route\.accuracy > 1 +failed in 2 of 2 conditions\n    \w+ +[\d.]+ % [^\n]* of 20\n    \w+ +[\d.]+ % [^\n]* of 20\n✓ route\.accuracy >= 0\.01 +[\d.]+ % [^\n]* of 20 · worst of 2 conditions\n\nexit code 1\n$`))
	})
})

package page_test

import (
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/runs"
	"evalctl/reports/page"
)

// resultsFile returns a run that consists only of a results file. In suite s, variant v is right in
// the first cases (right of them), and variant w in none.
func resultsFile(right, cases int, label func(int) string) *runs.Run {
	GinkgoHelper()
	return resultsFileOf(right, 0, cases, label)
}

func resultsFileOf(v, w, cases int, label func(int) string) *runs.Run {
	GinkgoHelper()
	var b strings.Builder
	for i := range cases {
		// without a manifest, the order of the variants is that of their results
		for n, name := range []string{"v", "w"} {
			ok, got := i < []int{v, w}[n], "no"
			if ok {
				got = "yes"
			}
			row, err := json.Marshal(map[string]any{"key": fmt.Sprint(name, i), "suite": "s",
				"case": fmt.Sprintf("c%03d", i), "variant": name, "fault": "none", "epoch": 1, "text": label(i),
				"predicted": got, "expected": "yes", "correct": ok,
				"scores": []any{map[string]any{"name": "route", "verdict": eval.PassIf(ok), "actual": got,
					"expected": "yes"}}})
			Expect(err).NotTo(HaveOccurred())
			b.Write(append(row, '\n'))
		}
	}
	path := filepath.Join(GinkgoT().TempDir(), "results.jsonl")
	Expect(os.WriteFile(path, []byte(b.String()), 0o600)).To(Succeed())
	r, err := runs.Open(path)
	Expect(err).NotTo(HaveOccurred())
	return r
}

var _ = Describe("The figure that compares a suite with its baseline run", func() {
	text := func(i int) string { return fmt.Sprint("text ", i) }
	suite := eval.SuiteSummary{Name: "s", Epochs: 1,
		Conditions: []eval.ConditionSummary{{Variant: "v"}, {Variant: "w"}}}
	against := func(now, before *runs.Run) template.HTML {
		return page.BaselineFigure(suite, page.CompareWithBaseline(now, before))
	}

	It("shows the difference of each variant with its interval, and links to the fixed and broken cases", func() {
		before, now := resultsFile(20, 100, text), resultsFile(60, 100, text)
		got := against(now, before)
		Expect(words(got)).To(And(ContainSubstring("+40.0 [+29."), ContainSubstring("p < 0.001 40 fixed 0 broken"),
			ContainSubstring("w identical decisions in all 100 cases"),
			ContainSubstring("v accuracy 20.0 % [13.3, 28.9] 60.0 %"),
			ContainSubstring("✓ fixed c020 v text 20 yes no → yes")))
		Expect(links(got)).To(And(HaveKeyWithValue("#cases?suite=s&variant=v&change=new_pass", "40 fixed"),
			HaveKeyWithValue("#case/s/c020?variant=v&change=new_pass", "c020"),
			Not(HaveKey("#cases?suite=s&variant=v&change=new_failure"))))
		Expect(count(got, "circle", "better")).To(Equal(1))
		Expect(count(got, "circle", "hollow")).To(Equal(1))
	})

	It("lists the first 50 changed cases, broken ones first", func() {
		got := against(resultsFile(10, 100, text), resultsFile(70, 100, text))
		Expect(words(got)).To(And(ContainSubstring("0 fixed 60 broken"),
			ContainSubstring("50 of 60 changes; broken cases come first."), ContainSubstring("✗ broken c010")))
		Expect(count(got, "table", "changed")).To(Equal(1))
		Expect(strings.Count(words(got), "✗ broken")).To(Equal(50))
	})

	It("lists a case once if it changed in the same way in several variants", func() {
		both := func(right int) *runs.Run { return resultsFileOf(right, right, 20, text) }
		got := against(both(3), both(4))
		Expect(words(got)).To(ContainSubstring("✗ broken c003 v and w text 3 yes yes → no"))
		Expect(strings.Count(words(got), "✗ broken")).To(Equal(1))
	})

	It("states why the suite cannot be compared, and is empty without a baseline run", func() {
		got := words(against(resultsFile(1, 100, text), resultsFile(1, 50, text)))
		Expect(got).To(And(ContainSubstring("This suite is not compared with"),
			ContainSubstring("only 50 of 100 cases are in all of them")))
		Expect(page.BaselineFigure(suite, nil)).To(BeEmpty())
	})

	It("gets no additional elements from hostile texts", func() {
		bad := against(resultsFile(20, 30, figureHostile), resultsFile(10, 30, figureHostile))
		Expect(figureElements(bad)).To(Equal(figureElements(against(resultsFile(20, 30, text),
			resultsFile(10, 30, text)))))
		Expect(string(bad)).NotTo(ContainSubstring("<script"))
	})
})

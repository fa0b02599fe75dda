package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
)

// twoClasses writes a dataset with the shipped cases of the labels for images and chat, and returns
// its path.
func twoClasses() string {
	GinkgoHelper()
	files, err := filepath.Glob("../../datasets/toolrouter/*.jsonl")
	Expect(err).NotTo(HaveOccurred())
	var kept strings.Builder
	for _, f := range files {
		for line := range strings.Lines(read(f)) {
			var c struct {
				Split  string `json:"split"`
				Expect struct {
					Route eval.OneOf `json:"route"`
				} `json:"expect"`
			}
			Expect(json.Unmarshal([]byte(line), &c)).To(Succeed())
			if p := c.Expect.Route.Primary(); c.Split == "test" && (p == "chat" || p == "image_gen") {
				kept.WriteString(line)
			}
		}
	}
	return fileOf("cases.jsonl", kept.String())
}

var _ = Describe("Macro-F1 of a dataset with two of the four classes", Label("definition"), func() {
	conditions := func(epochs string) []eval.ConditionSummary {
		GinkgoHelper()
		dir := newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "rules", "--router", "llm", "--router", "llm-first",
			"--dataset", twoClasses(), "--decision-only", "--sample", "200", "--epochs", epochs, "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		return summaryOf(dir).Suites[0].Conditions
	}
	ranked := func(list []eval.ConditionSummary, metric string) (names []string) {
		list = slices.Clone(list)
		slices.SortFunc(list, func(a, b eval.ConditionSummary) int {
			return map[bool]int{true: -1, false: 1}[*a.Metrics[metric].Value > *b.Metrics[metric].Value]
		})
		for _, c := range list {
			names = append(names, c.Variant)
		}
		return names
	}

	It("ranks the variants in the same order as their accuracy, and does not change with more epochs", func() {
		once, thrice := conditions("1"), conditions("3")
		for _, list := range [][]eval.ConditionSummary{once, thrice} {
			Expect(ranked(list, "route.macro_f1")).To(Equal(ranked(list, "route.accuracy")))
		}
		for i, c := range once {
			e := c.Metrics["route.macro_f1"]
			Expect(e.N).To(BeNumerically(">", 150))
			Expect(*thrice[i].Metrics["route.macro_f1"].Value).
				To(And(BeNumerically(">=", *e.Lo), BeNumerically("<=", *e.Hi)), c.Variant)
		}
	})
})

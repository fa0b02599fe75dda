package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// repeatJoined returns n texts, each created by text from its index, joined by sep.
func repeatJoined(n int, sep string, text func(i int) string) string {
	var list []string
	for i := range n {
		list = append(list, text(i))
	}
	return strings.Join(list, sep)
}

var _ = Describe("evalctl", func() {
	DescribeTable("refuses an oversized suite file at once and in one line, with", func(more, want string) {
		path := fileOf("s.yaml",
			"name: mine\ntarget: toolrouter\ndataset: toolrouter\nvariants: [{name: m, router: llm}]\n"+more)
		began := time.Now()
		refuses(strings.ReplaceAll(want, "FILE", path), "run", path)
		Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
	},
		Entry("nesting of 200,000 levels", "tags: "+strings.Repeat("[", 200_000),
			"FILE:5: is nested more than 100 deep"),
		Entry("nested aliases that expand to a huge list", "faults: [&a [x, x], &b [*a, *a], &c [*b, *b]]\n",
			"FILE:5: an alias is inside the value of another alias"),
		Entry("5,000 tags", "tags: ["+repeatJoined(5000, ",", func(i int) string { return fmt.Sprint("t", i) })+"]\n",
			"FILE:5:7: tags: are more than 100"),
		Entry("2,000 faults", "faults: ["+
			repeatJoined(2000, ",", func(i int) string { return fmt.Sprint("router:timeout@", i+1) })+
			"]\n", "FILE:4:12: variants[0].faults: are more than 1000"),
		Entry("the largest integer as epochs", "epochs: 9223372036854775807\n",
			"FILE:5:9: epochs: 9223372036854775807 are more than 10000"),
		Entry("more than a megabyte", "split: dev\n# "+strings.Repeat("x", 2<<20),
			"suite FILE: has more than 1048576 bytes"),
	)

	It("refuses more than 10,000 variants, from a suite file and from flags with several values", func() {
		path := fileOf("s.yaml", "name: mine\ntarget: toolrouter\ndataset: toolrouter\nvariants:\n"+
			repeatJoined(10_001, "", func(i int) string { return fmt.Sprintf("  - {name: v%d}\n", i) }))
		refuses(path+":5:3: variants: there are more than 10000 variants and faults", "run", path)
		steps := repeatJoined(120, ",", func(i int) string { return fmt.Sprintf("0.%03d", i+1) })
		models := repeatJoined(120, ",", func(i int) string { return fmt.Sprint("m", i) })
		refuses("--model: there are more than 10000 variants and faults",
			"run", "toolrouter", "--router", "llm-first", "--threshold", steps, "--model", models, "--base-url",
			"http://127.0.0.1:1/v1")
	})

	It("refuses more than 100 million trials, and more than 10,000 parallel ones", func() {
		steps := repeatJoined(13, ",", func(i int) string { return fmt.Sprintf("0.%02d", i+1) })
		refuses("107510000 trials are more than 100000000: take a --sample of the cases, or fewer variants, faults or epochs",
			"run", "toolrouter", "--router", "llm-first", "--threshold", steps, "--epochs", "10000")
		refuses("--epochs: must be at most 10000, got 2000000000", "run", "--epochs", "2000000000")
		refuses("--parallel: must be at most 10000, got 1000000000", "run", "-j", "1000000000")
	})

	DescribeTable("refuses an oversized case with", func(line, want string) {
		path := fileOf("c.jsonl", line+"\n")
		began := time.Now()
		refuses(path+":1: "+want, "run", "--target", "toolrouter", "--router", "rules", "--dataset", path)
		Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
	},
		Entry("too many tags", `{"id":"a","input":{"text":"x"},"expect":{"route":"chat"},"tags":[`+
			repeatJoined(100_000, ",", func(i int) string { return fmt.Sprintf(`"t%d"`, i) })+`]}`,
			"tags: are more than 1000"),
		Entry("too many turns", `{"id":"a","turns":[`+
			repeatJoined(5000, ",", func(int) string { return `{"input":{"text":"x"},"expect":{"route":"chat"}}` })+
			`]}`,
			"turns: are more than 1000"),
		Entry("too long a history", `{"id":"a","input":{"text":"x","history":[`+
			repeatJoined(5000, ",", func(int) string { return `{"role":"user","content":"x"}` })+
			`]},"expect":{"route":"chat"}}`, "input.history: has more than 1000 messages"),
		Entry("5,000 labels", `{"id":"a","text":"x","label":[`+
			repeatJoined(5000, ",", func(int) string { return `"chat"` })+`]}`,
			"label: has more than 1000 labels"),
		Entry("an id of 501 characters", `{"id":"`+strings.Repeat("x", 501)+`","text":"x","label":"chat"}`,
			`id: "`+strings.Repeat("x", 60)+`…" has more than 500 characters`),
		Entry("nesting of 100,000 levels", `{"id":"a","input":{"text":"x","state":`+strings.Repeat(`{"a":`, 100_000),
			"is not valid JSON: exceeded max depth at byte 50029"),
	)

	It("does not wait for pipes or read devices if a flag or a field names one as a file", func() {
		pipe := filepath.Join(GinkgoT().TempDir(), "pipe")
		Expect(exec.Command("mkfifo", pipe).Run()).To(Succeed())
		suite := func(more string) string {
			return fileOf("s.yaml", "name: mine\ntarget: toolrouter\ndataset: toolrouter\nvariants: [{name: m, router: llm}]\n"+more)
		}
		for _, path := range []string{pipe, "/dev/zero"} {
			for _, args := range [][]string{
				{"run", path}, {"run", "--dataset", path}, {"run", "toolrouter", "--prompt", path},
				{"run", "--target", "prompt", "--labels", path},
				{"run", suite("models: {router: {behavior: scripted, script: " + path + "}}\n")},
				{"mock", "serve", "--script", path}, {"dataset", "check", path}, {"dataset", "show", path},
				{"style-library", "create", filepath.Join(GinkgoT().TempDir(), "l.db"), "--styles", path},
			} {
				if args[0] == "run" {
					args = append(args, "--out", newRunDir())
				}
				got := evalctl(args...)
				Expect(got.code).To(Equal(exit.InvalidUsage), "%q", args)
				Expect(got.stderr).To(MatchRegexp(`^evalctl: .*pipe or a device.*\n$`), "%q", args)
			}
		}
	})
})

package main

import (
	"strings"

	"evalctl/cmd/evalctl/exit"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("evalctl show", Ordered, func() {
	var dir string
	BeforeAll(func() {
		dir = newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "rules,llm-first", "--fault", "router:timeout",
			"--epochs", "2",
			"--dataset", fileOf("cases.jsonl", threeCases), "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	It("prints the trials of a case without a fault as timelines", func() {
		got := evalctl("show", dir, "a")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(strings.Count(got.stdout, "a · suite")).To(Equal(4), "two variants, two epochs")
		Expect(got.stdout).To(And(ContainSubstring("画一只猫"), ContainSubstring("█"),
			Not(ContainSubstring("router:timeout"))))
	})

	It("prints the trial of one variant under one fault in one epoch", func() {
		got := evalctl("show", dir, "b", "--variant", "llm-first", "--fault", "router:timeout", "--epoch", "2")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(strings.Count(got.stdout, "b · suite")).To(Equal(1))
	})

	It("lists the existing trials if the selection matches none", func() {
		Expect(evalctl("show", dir, "c", "--variant", "nope")).To(Equal(cliResult{exit.InvalidUsage, "",
			"evalctl: show: no such trial of case c; there are: llm-first under none; llm-first under router:timeout; " +
				"rules under none\n"}))
		Expect(evalctl("show", dir, "d").stderr).To(Equal("evalctl: show: " + dir + " has no case \"d\"\n"))
	})
})

var _ = Describe("evalctl dataset", func() {
	It("lists the shipped datasets, and shows one", func() {
		Expect(evalctl("dataset", "list").stdout).To(HavePrefix("toolrouter  1719 cases"))
		got := evalctl("dataset", "show", "toolrouter")
		Expect(got.code).To(Equal(exit.Passed))
		Expect(got.stdout).To(ContainSubstring("labels "))
	})

	It("shows a single case of a file", func() {
		got := evalctl("dataset", "show", fileOf("cases.jsonl", threeCases), "c")
		Expect(got.stdout).To(And(ContainSubstring("cases.jsonl:3"), ContainSubstring("hello there"),
			ContainSubstring(`expect {"route":"chat"}`)))
	})

	It("accepts a valid dataset, and lists every bad line of an invalid one", func() {
		got := evalctl("dataset", "check", fileOf("cases.jsonl", threeCases))
		Expect(got.code).To(Equal(exit.Passed))
		Expect(got.stdout).To(ContainSubstring("3 cases, no problem"))
		identical := fileOf("alike.jsonl", `{"id":"a","text":"where is my card now","label":"chat"}`+"\n"+
			`{"id":"b","text":"where is my card now?","label":"chat"}`+"\n"+`{"id":"c","text":"hello","label":"chat"}`+
			"\n")
		Expect(evalctl("dataset", "check", identical).stdout).
			To(HaveSuffix(": 3 cases, no problem; 1 near-duplicate within splits, none across\n"))

		bad := fileOf("bad.jsonl", "{}\n"+threeCases+"nonsense\n")
		got = evalctl("dataset", "check", bad)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(strings.Split(got.stdout, "\n")).To(HaveLen(3), "two lines")
		Expect(got.stderr).To(Equal("evalctl: dataset " + bad + ": problems: 2\n"))
	})
})

var _ = DescribeTable("evalctl prints", func(want string, args ...string) {
	got := evalctl(args...)
	Expect(got.code).To(Equal(exit.Passed), got.stderr)
	Expect(got.stdout).To(ContainSubstring(want))
},
	Entry("its commands without an argument", "evalctl run"),
	Entry("the exit codes in the help of run", "Exit codes: 0 passed", "run", "--help"),
	Entry("its version with the command version", "evalctl ", "version"),
	Entry("its version with the flag --version", "evalctl ", "--version"),
	Entry("a script for the completion of commands", "__start_evalctl", "completion", "bash"),
	Entry("the completions of a router", "llm-first", "__complete", "run", "--router", ""),
	Entry("the completions of a suite", "toolrouter", "__complete", "run", ""),
)

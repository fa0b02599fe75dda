package main

import (
	"errors"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("evalctl show", Ordered, func() {
	var dir string
	BeforeAll(func() {
		dir = folder()
		got := play("run", "--target", "toolrouter", "--router", "rules,llm-first", "--fault", "router:timeout", "--epochs", "2",
			"--dataset", file("cases.jsonl", threeCases), "--out", dir)
		Expect(got.code).To(Equal(exitPassed), got.stderr)
	})

	It("shows a case's trials without a fault as timelines", func() {
		got := play("show", dir, "a")
		Expect(got.code).To(Equal(exitPassed), got.stderr)
		Expect(strings.Count(got.stdout, "a · suite")).To(Equal(4), "two variants, two epochs")
		Expect(got.stdout).To(And(ContainSubstring("画一只猫"), ContainSubstring("█"), Not(ContainSubstring("router:timeout"))))
	})

	It("shows one variant under one fault in one epoch", func() {
		got := play("show", dir, "b", "--variant", "llm-first", "--fault", "router:timeout", "--epoch", "2")
		Expect(got.code).To(Equal(exitPassed), got.stderr)
		Expect(strings.Count(got.stdout, "b · suite")).To(Equal(1))
	})

	It("names the trials that there are when there is no such one", func() {
		Expect(play("show", dir, "c", "--variant", "nope")).To(Equal(played{exitUsage, "",
			"evalctl: show: no such trial of case c; there are: llm-first under none; llm-first under router:timeout; " +
				"rules under none\n"}))
		Expect(play("show", dir, "d").stderr).To(Equal("evalctl: show: " + dir + " has no case \"d\"\n"))
	})
})

var _ = Describe("evalctl dataset", func() {
	It("lists and shows the shipped sets", func() {
		Expect(play("dataset", "list").stdout).To(HavePrefix("toolrouter  1145 cases"))
		got := play("dataset", "show", "toolrouter")
		Expect(got.code).To(Equal(exitPassed))
		Expect(got.stdout).To(ContainSubstring("labels "))
	})

	It("shows one case of a file", func() {
		got := play("dataset", "show", file("cases.jsonl", threeCases), "c")
		Expect(got.stdout).To(And(ContainSubstring("cases.jsonl:3"), ContainSubstring("hello there"), ContainSubstring(`expect {"route":"chat"}`)))
	})

	It("passes a good set, and lists every bad line of another", func() {
		got := play("dataset", "check", file("cases.jsonl", threeCases))
		Expect(got.code).To(Equal(exitPassed))
		Expect(got.stdout).To(ContainSubstring("3 cases, no problem"))

		bad := file("bad.jsonl", "{}\n"+threeCases+"nonsense\n")
		got = play("dataset", "check", bad)
		Expect(got.code).To(Equal(exitUsage))
		Expect(strings.Split(got.stdout, "\n")).To(HaveLen(3), "two lines")
		Expect(got.stderr).To(Equal("evalctl: dataset " + bad + ": problems: 2\n"))
	})
})

var _ = DescribeTable("evalctl helps", func(want string, args ...string) {
	got := play(args...)
	Expect(got.code).To(Equal(exitPassed), got.stderr)
	Expect(got.stdout).To(ContainSubstring(want))
},
	Entry("alone", "evalctl run"),
	Entry("with run", "Exit codes: 0 passed", "run", "--help"),
	Entry("with its version", "evalctl ", "version"),
	Entry("with its version, as a flag", "evalctl ", "--version"),
	Entry("to complete commands", "__start_evalctl", "completion", "bash"),
	Entry("to complete routers", "llm-first", "__complete", "run", "--router", ""),
	Entry("to complete suites", "toolrouter", "__complete", "run", ""),
)

var _ = DescribeTable("a misspelt word finds the one that was meant", func(word, want string) {
	near, ok := closest(word, []string{"rules", "llm", "llm-first"})
	Expect(near).To(Equal(want))
	Expect(ok).To(Equal(want != ""))
},
	Entry("a swap", "ruels", "rules"),
	Entry("a letter missing", "rule", "rules"),
	Entry("a letter too many", "lllm", "llm"),
	Entry("a wrong letter", "llm_first", "llm-first"),
	Entry("something else", "dice", ""),
	Entry("nothing", "", ""),
)

var _ = It("keeps errors on one line, without the picture of a file", func() {
	err := errors.Join(errors.New("s.yaml:2: unknown field \"foo\"\n   1 | rules:\n>  2 |   foo: 1\n         ^\n"), errors.New("and another"))
	Expect(oneLine(err)).To(Equal(`s.yaml:2: unknown field "foo"; and another`))
})

var _ = DescribeTable("the progress bar stays within the terminal", func(width int, want string) {
	p := &progress{total: 200, done: 50, failed: 3, resumed: 50, began: time.Now()}
	Expect(p.line(width)).To(Equal(want))
},
	Entry("a wide one", 100, "[#####...............] 50 of 200 trials, 3 without an answer"),
	Entry("a narrow one", 30, "[#####...............] 50 of 2"),
)

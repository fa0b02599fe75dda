package main

import (
	"os"
	"os/exec"
	"path/filepath"

	"evalctl/cmd/evalctl/exit"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("the README", Ordered, func() {
	var text, here string

	BeforeAll(func() {
		var err error
		here, err = os.Getwd()
		Expect(err).NotTo(HaveOccurred())
		text = read("../../README.md")
		GinkgoT().Chdir(GinkgoT().TempDir())
		GinkgoT().Setenv("COLUMNS", "100")
	})

	It("28.1: contains commands that work and print the output that it shows", Label("long"), func() {
		Expect(runBlocks(text)).To(BeNumerically(">=", 6))
	})

	It("28.1: starts with two commands that lead from a fresh clone to a first result", func() {
		Expect(textsOf(blocksOf(text), "sh")[0]).To(Equal("go build ./cmd/evalctl\n./evalctl run\n"))
	})

	It("contains a Go program that compiles and runs", Label("long"), func() {
		Expect(text).To(ContainSubstring("(examples/ownagent)"))
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = filepath.Join(here, "../../examples/ownagent")
		out, err := cmd.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(out))
		Expect(string(out)).To(MatchRegexp(`(?m)^words +4 of 4 `))
	})

	It("lists all files of a run", Label("long"), func() {
		Expect(evalctl("run", "prompt", "--limit", "3", "--out", "left").code).To(Equal(exit.Passed))
		files, err := os.ReadDir("left")
		Expect(err).NotTo(HaveOccurred())
		Expect(files).NotTo(BeEmpty())
		for _, f := range files {
			Expect(text).To(ContainSubstring("`" + f.Name() + "`"))
		}
	})
})

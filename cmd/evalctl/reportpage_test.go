package main

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = Describe("evalctl report --html", Ordered, func() {
	var dir string

	BeforeAll(func() {
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", "")
		dir = filepath.Join(GinkgoT().TempDir(), "run")
		ran := evalctl("run", "toolrouter", "--router", "rules,llm-first", "--fault", "router:timeout", "--limit", "20", "--out", dir, "-q", "--format", "html="+dir+".html")
		Expect(ran.code).To(Equal(exit.Passed), ran.stderr)
	})

	file := func(args ...string) (text string, got played) {
		GinkgoHelper()
		at := filepath.Join(GinkgoT().TempDir(), "report.html")
		got = evalctl(append([]string{"report", dir, "--html", at}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		written, err := os.ReadFile(at)
		Expect(err).NotTo(HaveOccurred())
		return string(written), got
	}

	It("writes a file for a browser beside the screen, with all traces, and says what is in it", func() {
		text, got := file()
		Expect(got.stdout).To(ContainSubstring("llm-first"))
		Expect(got.stderr).To(Equal("html: the file holds the texts of the cases, and 60 of 60 trials with the full trace\n"))
		Expect(text).To(And(HavePrefix("<!doctype html>"), ContainSubstring("60 of 60 trials with their full trace"), ContainSubstring(`id="d-meta"`)))
	})

	It("is what the run itself writes with --format, byte by byte", func() {
		text, _ := file()
		of, err := os.ReadFile(dir + ".html")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(of) == text).To(BeTrue())
	})

	It("leaves out traces that are too much, and says where the rest is", func() {
		text, got := file("--html-size", "10000")
		Expect(text).To(ContainSubstring("0 of 60 trials with their full trace"))
		Expect(got.stderr).To(MatchRegexp(`html: the file has [\d,]+ bytes, [\d,]+ more than it may, without any trace\n`))
	})

	It("holds the run against an earlier one", func() {
		text, _ := file("--baseline", dir)
		Expect(text).To(And(ContainSubstring("Against the earlier run"), ContainSubstring(`id="suite/toolrouter/against"`)))
		text, _ = file()
		Expect(text).NotTo(ContainSubstring("Against the earlier run"))
	})

	DescribeTable("refuses", func(want string, args ...string) {
		got := evalctl(append([]string{"report", dir}, args...)...)
		Expect(got.code).To(Equal(exit.Usage))
		Expect(got.stderr).To(ContainSubstring(want))
	},
		Entry("no bytes", "--html-size: 0 bytes hold nothing", "--html", "x.html", "--html-size", "0"),
		Entry("no earlier run", "--baseline: ", "--html", "x.html", "--baseline", "nowhere"),
		Entry("a view of its own", "--by: html is the whole report", "--by", "class", "--format", "html"),
	)
})

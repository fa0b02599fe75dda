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
		ran := evalctl("run", "toolrouter", "--router", "rules,llm-first", "--fault", "router:timeout", "--limit", "20",
			"--out", dir, "-q", "--format", "html="+dir+".html")
		Expect(ran.code).To(Equal(exit.Passed), ran.stderr)
	})

	file := func(args ...string) (text string, got cliResult) {
		GinkgoHelper()
		at := filepath.Join(GinkgoT().TempDir(), "report.html")
		got = evalctl(append([]string{"report", dir, "--html", at}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		written, err := os.ReadFile(at)
		Expect(err).NotTo(HaveOccurred())
		return string(written), got
	}

	It("writes an HTML file with all traces in addition to the screen, and describes its content", func() {
		text, got := file()
		Expect(got.stdout).To(ContainSubstring("llm-first"))
		Expect(got.stderr).To(Equal(
			"html: the file contains the texts of all cases and the full trace of 60 of 60 trials\n"))
		Expect(text).To(And(HavePrefix("<!doctype html>"), ContainSubstring("60 of 60 trials with their full trace"),
			ContainSubstring(`id="d-meta"`)))
	})

	It("writes the same file as run --format, byte for byte", func() {
		text, _ := file()
		of, err := os.ReadFile(dir + ".html")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(of) == text).To(BeTrue())
	})

	It("omits traces beyond the size limit, and states in which file they are", func() {
		text, got := file("--html-size", "10000")
		Expect(text).To(ContainSubstring("0 of 60 trials with their full trace"))
		Expect(got.stderr).To(MatchRegexp(
			`html: the file has [\d,]+ bytes, [\d,]+ over the limit, even without traces\n`))
	})

	It("compares the run with an earlier one if --baseline is given", func() {
		text, _ := file("--baseline", dir)
		Expect(text).To(And(ContainSubstring(`data-view="compare"`),
			ContainSubstring("make identical decisions in all"),
			ContainSubstring(`<a href="#compare">Compare</a>`)))
		text, _ = file()
		Expect(text).NotTo(ContainSubstring(`"#compare"`))
	})

	DescribeTable("refuses in one line", func(want string, args ...string) {
		got := evalctl(append([]string{"report", dir}, args...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(want))
	},
		Entry("a size of zero", "--html-size: 0 bytes is not a positive size", "--html", "x.html", "--html-size", "0"),
		Entry("a baseline that does not exist", "--baseline: ", "--html", "x.html", "--baseline", "nowhere"),
		Entry("a single view as an HTML report", viewWords("html"), "--by", "class", "--format", "html"),
		Entry("a single view in the file of --html", viewWords("html"), "--by", "class", "--html", "x.html"),
		Entry("a single view in a CI format", viewWords("junit"), "--by", "class", "--format", "table",
			"--format", "junit=x.xml"),
		Entry("the confidence view in a CI format", viewWords("badge"), "--by", "confidence", "--format", "badge"),
	)
})

// viewWords returns the error for a single view in a format that cannot show one.
func viewWords(format string) string {
	return "evalctl: --by: " + format +
		" is of the whole run: one view is shown as table, markdown, json, csv or latex\n"
}

var _ = Describe("evalctl report and run with few arguments", func() {
	BeforeEach(func() {
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", "")
		GinkgoT().Chdir(GinkgoT().TempDir())
	})

	It("reports on the newest run if none is given, and names it", func() {
		Expect(evalctl("report")).
			To(Equal(cliResult{exit.InvalidUsage, "", "evalctl: report: no runs in ./runs. Start with: evalctl run\n"}))
		for _, name := range []string{"b", "a"} {
			got := evalctl("run", "toolrouter", "--router", "rules", "--limit", "3", "--out", "runs/"+name, "-q")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
		Expect(os.Mkdir("runs/c", 0o755)).To(Succeed())
		write("runs/c/manifest.json", "{")
		got := evalctl("report")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(Equal("evalctl: report: of runs/a, the newest\n"))
		Expect(got.stdout).To(Equal(evalctl("report", "runs/a").stdout))
		Expect(evalctl("report", "a", "b").stderr).To(HavePrefix("evalctl: report: stat a"))
	})

	It("writes the same file with run --html as with report --html, and lists it", func() {
		got := evalctl("run", "toolrouter", "--router", "rules", "--limit", "3", "--out", "r", "--html", "r.html",
			"--format", "table", "--format", "csv=r.csv")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(HaveSuffix("results in r\nreport in r.csv\nreport in r.html\n"))
		Expect(evalctl("report", "r", "--html", "s.html").code).To(Equal(exit.Passed))
		Expect(read("r.html") == read("s.html")).To(BeTrue())
	})
})

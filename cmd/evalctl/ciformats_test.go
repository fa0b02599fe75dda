package main

import (
	"encoding/xml"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
	"evalctl/reports/document"
)

// junitOf returns, for each suite of a JUnit file, its numbers of failures, errors and cases.
func junitOf(path string) (suites map[string][3]int) {
	GinkgoHelper()
	var file struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Tests    int    `xml:"tests,attr"`
		} `xml:"testsuite"`
	}
	Expect(xml.Unmarshal([]byte(read(path)), &file)).To(Succeed())
	suites = map[string][3]int{}
	for _, s := range file.Suites {
		suites[s.Name] = [3]int{s.Failures, s.Errors, s.Tests}
	}
	return suites
}

var _ = Describe("reports for CI services", func() {
	It("are the same whether evalctl run or evalctl report writes them", func() {
		at, dir := GinkgoT().TempDir(), newRunDir()
		in := func(name string) string { return filepath.Join(at, name) }
		got := evalctl("run", "toolrouter", "--router", "rules", "--limit", "20", "--out", dir, "--gate",
			"route.accuracy > 1", "-q", "--format", "github",
			"--format", "junit="+in("run.xml"), "--format", "gitlab="+in("run.txt"), "--format", "badge="+in("run.svg"))
		Expect(got.code).To(Equal(exit.GateFailed), got.stderr)
		Expect(got.stdout).To(And(HavePrefix("::error title=Gate failed::route.accuracy > 1 — "),
			ContainSubstring("\n::notice title=evalctl::0 of 1 gate passed")))
		again := evalctl("report", dir, "--format", "github", "--format", "junit="+in("again.xml"), "--format",
			"gitlab="+in("again.txt"), "--format", "badge="+in("again.svg"))
		Expect(again.code).To(Equal(exit.Passed), again.stderr)
		Expect(again.stdout).To(Equal(got.stdout))
		for _, ext := range []string{".xml", ".txt", ".svg"} {
			Expect(read(in("again" + ext))).To(Equal(read(in("run" + ext))))
		}
		suites := junitOf(in("run.xml"))
		Expect(suites).To(HaveKeyWithValue("gates", [3]int{1, 0, 1}))
		accuracy := *summaryOf(dir).Suites[0].Conditions[0].Metrics["route.accuracy"].Value
		Expect(suites).To(HaveKeyWithValue("toolrouter/rules/none", [3]int{20 - int(accuracy*20+0.5), 0, 20}))
	})

	It("contain the verdicts of evalctl gate and the new failures", func() {
		dir, path := rulesRun(150), filepath.Join(GinkgoT().TempDir(), "gates.xml")
		got := evalctl("gate", dir, "route.accuracy > 1", "unscored.rate <= 5%", "--format", "junit="+path)
		Expect(got.code).To(Equal(exit.GateFailed), got.stderr)
		Expect(got.stdout).To(And(ContainSubstring("✗ route.accuracy > 1"), ContainSubstring("✓ unscored.rate")),
			"lines, and files")
		Expect(junitOf(path)).To(HaveKeyWithValue("gates", [3]int{1, 0, 2}))
		got = evalctl("gate", dir, "route.accuracy > 1", "--format", "github")
		Expect(got.stdout).To(HavePrefix("::error title=Gate failed::"))
		right := strings.NewReplacer(`"correct":false`, `"correct":true`, `"verdict":"fail","value":0`,
			`"verdict":"pass","value":1`, `"verdict":"fail"`, `"verdict":"pass"`)
		wanted := regexp.MustCompile(`"(predicted|actual)":"[^"]*","(expected)":("[^"]*")`)
		var earlier strings.Builder
		for line := range strings.Lines(withoutChecksums(read(dir, journal.ResultsFile))) {
			if !strings.Contains(line, `"turns":[{"turn":`) {
				line = right.Replace(wanted.ReplaceAllString(line, `"$1":$3,"$2":$3`))
			}
			earlier.WriteString(line)
		}
		got = evalctl("gate", dir, "new_failures <= 0", "--baseline", fileOf("results.jsonl", earlier.String()),
			"--format", "github")
		Expect(got.stdout).To(MatchRegexp(
			`\n::warning title=New failure::toolrouter · tr-\S+ was right and is wrong in rules: expected \S+, got chat\n`), got.stderr)
		Expect(evalctl("gate", dir, "route.accuracy > 0", "--format", "html2").code).To(Equal(exit.InvalidUsage))
		Expect(evalctl("gate", dir, "route.accuracy > 0", "--format", "json="+filepath.Join(dir, journal.SummaryFile)).
			stderr).To(ContainSubstring("is read by this command; choose another file"))
	})

	It("describe an interrupted run, even before its first trial has ended", Label("concurrent"), func() {
		for _, trials := range []bool{true, false} {
			var asked atomic.Int64
			base := serveModel(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
				asked.Add(1)
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			})
			router := "llm"
			if trials {
				router = "rules,llm"
			}
			dir, path := newRunDir(), filepath.Join(GinkgoT().TempDir(), "junit.xml")
			p := start("run", "--target", "toolrouter", "--router", router, "--decision-only", "--base-url", base,
				"--model", "m", "--limit", "5", "--out", dir,
				"--format", "junit="+path, "--format", "github")
			Eventually(asked.Load).WithTimeout(5 * time.Second).Should(BeNumerically(">", 0))
			if trials {
				Eventually(func() string { return readIfExists(dir, journal.ResultsFile) }).
					WithTimeout(5 * time.Second).ShouldNot(BeEmpty())
			}
			code, _ := p.interrupt()
			Expect(code).To(Equal(exit.Interrupted), p.stderr.String())
			Expect(junitOf(path)).To(HaveKeyWithValue("run", [3]int{0, 1, 1}))
			Expect(p.stdout.String()).To(HavePrefix("::error title=Incomplete::PARTIAL"))
		}
	})

	It("stay within GitHub's size limit of a job summary, including the output of earlier commands", func() {
		for _, room := range []int{0, 300, 3000} {
			path := fileOf("summary.md", strings.Repeat("x", document.MaxStepSummaryBytes-room))
			GinkgoT().Setenv("GITHUB_STEP_SUMMARY", path)
			Expect(evalctl("report", rulesRun(20)).code).To(Equal(exit.Passed))
			Expect(evalctl("gate", rulesRun(20), "route.accuracy > 0").code).To(Equal(exit.Passed))
			Expect(len(read(path))).
				To(And(BeNumerically("<=", document.MaxStepSummaryBytes),
					BeNumerically(">=", document.MaxStepSummaryBytes-room)))
			if room == 3000 {
				Expect(read(path)).To(ContainSubstring("### evalctl: gates"))
			}
		}
	})
})

var _ = Describe("evalctl report --junit failures", func() {
	It("30.7: lists only the cases that did not pass, and counts the others", func() {
		dir := newRunDir()
		Expect(evalctl("run", "toolrouter", "-q", "--decision-only", "--limit", "60", "--out", dir).code).
			To(Equal(exit.Passed))
		wrong := 0
		for _, r := range resultsOf(dir) {
			if r.Correct != nil && !*r.Correct {
				wrong++
			}
		}
		text := evalctl("report", dir, "--format", "junit", "--junit", "failures").stdout
		Expect(strings.Count(text, "<failure ")).To(Equal(wrong))
		Expect(text).To(MatchRegexp(`<testcase [^>]*name="\(\d+ cases that passed\)"`))
		all := evalctl("report", dir, "--format", "junit", "--junit", "all").stdout
		Expect(strings.Count(all, "<failure ")).To(Equal(wrong))
		Expect(len(text)).To(BeNumerically("<", len(all)/2))
		Expect(all).To(Equal(evalctl("report", dir, "--format", "junit").stdout))
	})

	It("30.7: requires a JUnit output and a known choice", func() {
		Expect(evalctl("report", "x", "--junit", "failures").stderr).
			To(ContainSubstring("--junit: requires --format junit"))
		Expect(evalctl("report", "x", "--format", "junit", "--junit", "failed").stderr).To(ContainSubstring("failures"))
	})
})

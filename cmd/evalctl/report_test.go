package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
)

var _ = Describe("evalctl report", Ordered, func() {
	var dir string
	var ran cliResult

	BeforeAll(func() {
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", "")
		GinkgoT().Setenv("LC_ALL", "C.UTF-8")
		dir = filepath.Join(GinkgoT().TempDir(), "run")
		ran = evalctl("run", "toolrouter", "--router", "rules,llm-first", "--fault", "router:timeout", "--limit", "40",
			"--out", dir, "-q", "--gate", "route.accuracy >= 0.1")
		Expect(ran.code).To(Equal(exit.Passed), ran.stderr)
	})

	refused := func(want string, args ...string) {
		GinkgoHelper()
		got := evalctl(args...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stdout).To(BeEmpty())
		Expect(got.stderr).To(And(HavePrefix("evalctl: "), ContainSubstring(want), HaveSuffix("\n")))
		Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
	}

	It("shows a finished run as the run itself did, except for the duration", func() {
		got := evalctl("report", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(BeEmpty())
		before, _, _ := strings.Cut(ran.stdout, "\n\n120 trials in ")
		after, _, _ := strings.Cut(got.stdout, "\n\n120 trials · ")
		Expect(before).To(ContainSubstring("\n\nexit code 0"), "a report has no exit code of its own")
		before = strings.Replace(before, "\n\nexit code 0", "", 1)
		Expect(after).To(And(Equal(before), ContainSubstring("Gates: 1 passed")))
	})

	It("prints all tables with -v, and writes every format", func() {
		at := GinkgoT().TempDir()
		got := evalctl("report", dir, "-v", "--format", "table", "--format", "json="+filepath.Join(at, "r.json"),
			"--format", "markdown="+filepath.Join(at, "r.md"))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("toolrouter on toolrouter (test)"))
		written := read(dir, journal.SummaryFile)
		inMemory := strings.Replace(written, fmt.Sprintf("\"format_version\": %d,", journal.FormatVersion), "", 1)
		Expect(inMemory).NotTo(Equal(written))
		Expect(read(at, "r.json")).To(MatchJSON(inMemory), "the same figures, counted anew")
		Expect(read(at, "r.md")).To(ContainSubstring("## Gates: 1 passed"))
	})

	It("shows the calibration of confidence with --by confidence in every format, for variants that use a model",
		func() {
			at := GinkgoT().TempDir()
			got := evalctl("report", dir, "--by", "confidence", "--format", "table", "--format",
				"json="+filepath.Join(at, "c.json"), "--format", "csv="+filepath.Join(at, "c.csv"))
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(And(ContainSubstring("toolrouter: confidence\n"), ContainSubstring("\nllm-first\n"),
				ContainSubstring("ECE "), MatchRegexp("coverage +threshold +"), Not(ContainSubstring("\nrules\n"))))
			var part struct {
				View   string
				Tables []struct {
					Suite, Variant string
					Rows           []struct {
						Series string
						Value  eval.Estimate
					}
				}
			}
			Expect(json.Unmarshal([]byte(read(at, "c.json")), &part)).To(Succeed())
			Expect(part.View).To(Equal("confidence"))
			Expect(part.Tables).To(HaveLen(1))
			figures := map[string][]eval.Estimate{}
			for _, r := range part.Tables[0].Rows {
				figures[r.Series] = append(figures[r.Series], r.Value)
			}
			conditions := summaryOf(dir).Suites[0].Conditions
			for _, c := range conditions {
				switch {
				case c.Variant == "rules":
					Expect(c.Confidence).To(BeNil())
					Expect(c.Metrics).NotTo(HaveKey("confidence.ece"))
				case c.Fault == eval.NoFault:
					for _, name := range []string{"ece", "brier", "auroc"} {
						Expect(figures[name]).To(Equal([]eval.Estimate{c.Metrics["confidence."+name]}), name)
					}
					Expect(c.Confidence.Bins).NotTo(BeEmpty())
					for i, bin := range c.Confidence.Bins {
						Expect(figures["reliability"][i]).To(Equal(bin.Accuracy))
					}
				default:
					Expect(c.Metrics["confidence.ece"]).
						To(And(HaveField("N", BeZero()), HaveField("Missing", BeNumerically(">", 30))),
							"the model is asked, and never answers")
				}
			}
			Expect(read(at, "c.csv")).
				To(HavePrefix("suite,variant,fault,series,from,to,mean_confidence,value,lo,hi,n,total\r\ntoolrouter,llm-first,none,reliability,"))
		})

	It("shows confidence for a results file, and prints one line if the results have none", func() {
		got := evalctl("report", filepath.Join(dir, journal.ResultsFile), "--by", "confidence")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("\nllm-first\n"))
		rules := newRunDir()
		Expect(evalctl("run", "toolrouter", "--router", "rules", "--limit", "5", "--out", rules, "-q").code).
			To(Equal(exit.Passed))
		got = evalctl("report", rules, "--by", "confidence")
		Expect(got.code).To(Equal(exit.Passed))
		Expect(got.stdout).To(ContainSubstring("No confidence values: "))
	})

	It("refuses an unknown view and lists the known ones", func() {
		refused(`--by: unknown view "weather" (known: class, tag, node, fault, loop, case, confidence)`, "report",
			dir, "--by", "weather")
		refused(`--by: unknown view "tga", did you mean "tag"?`, "report", dir, "--by", "tga:lang")
		refused(`--by: unknown view "confidense", did you mean "confidence"?`, "report", dir, "--by", "confidense")
		refused("--by: is empty", "report", dir, "--by", "")
	})

	It("suggests no command that requires a run directory if it reads a results file", func() {
		got := evalctl("report", filepath.Join(dir, journal.ResultsFile))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(ContainSubstring("40 cases"), Not(ContainSubstring("evalctl show"))))
	})

	It("never overwrites the files that it reads, whatever path names them", func() {
		base, temp := filepath.Join(filepath.Dir(dir), "base"), GinkgoT().TempDir()
		Expect(os.CopyFS(base, os.DirFS(dir))).To(Succeed())
		link := func(name, to string) string {
			GinkgoHelper()
			path := filepath.Join(temp, name)
			Expect(os.Symlink(to, path)).To(Succeed())
			return path
		}
		refuses := func(path string, args ...string) {
			GinkgoHelper()
			refused("="+path+": is read by this command; choose another file", append(args, "--format", "json="+path)...)
		}
		for _, of := range []string{dir, base} {
			linked := link("folder-"+filepath.Base(of), of)
			for _, name := range journal.FileNames() {
				path := filepath.Join(of, name)
				before := read(path)
				to := link(filepath.Base(of)+name, path)
				hard := filepath.Join(temp, "hard"+filepath.Base(of)+name)
				Expect(os.Link(path, hard)).To(Succeed())
				for _, out := range []string{path, to, link("again"+filepath.Base(to), to),
					filepath.Join(linked, name), hard} {
					refuses(out, "report", dir, "--baseline", base)
					refuses(out, "gate", dir, "drop(route.accuracy) <= 1pp", "--baseline", base)
				}
				refuses(to, "run", "toolrouter", "--router", "rules", "--limit", "5", "--out",
					filepath.Join(temp, "new"), "--only-failing", of)
				refuses(to, "run", "toolrouter", "--router", "rules", "--limit", "5", "--out",
					filepath.Join(temp, "new"), "--gate", "drop(route.accuracy) <= 1pp", "--baseline", of)
				refused("="+to+": is read by this command; choose another file", "report", dir, "--baseline",
					filepath.Join(base, journal.ResultsFile), "--html", to)
				Expect(read(path)).To(Equal(before))
			}
		}
	})

	It("refuses to write two reports to the same file", func() {
		path := filepath.Join(GinkgoT().TempDir(), "r")
		Expect(os.Symlink(path, path+".link")).To(Succeed())
		refused("--format csv="+path+".link: another report is written there", "report", dir, "--format", "json="+path,
			"--format", "csv="+path+".link")
		write(path, "old")
		refused("--format html="+path+": another report is written there", "report", dir, "--format",
			"json="+path, "--html", path)
		refused("another report is written there", "run", "toolrouter", "--limit", "1", "--out", path+".run",
			"--format", "json="+path, "--format", "csv="+path)
		Expect(read(path)).To(Equal("old"))
		Expect(evalctl("report", dir, "--format", "json=/dev/null", "--format", "csv=/dev/null").code).
			To(Equal(exit.Passed), "what is not a file takes all")
	})

	It("prints in one line that a path contains no run", func() {
		refused("contains no run", "report", filepath.Join(GinkgoT().TempDir(), "none"))
		refused(`unknown format "xml"`, "report", dir, "--format", "xml")
	})

	It("uses only ASCII symbols in a locale without UTF-8, and the width in COLUMNS", func() {
		GinkgoT().Setenv("LC_ALL", "zh_CN.GB18030")
		GinkgoT().Setenv("COLUMNS", "60")
		got := evalctl("report", dir)
		Expect(got.stdout).NotTo(MatchRegexp(`[^\x00-\x7f]`))
		for line := range strings.Lines(got.stdout) {
			Expect(len(strings.TrimSuffix(line, "\n"))).To(BeNumerically("<=", 60), line)
		}
	})

	It("ends at once if it is interrupted while it writes its output", Label("concurrent"), func() {
		pipe := filepath.Join(GinkgoT().TempDir(), "pipe") // a pipe without a reader
		Expect(exec.Command("mkfifo", pipe).Run()).To(Succeed())
		DeferCleanup(func() error {
			f, err := os.OpenFile(pipe, os.O_RDWR, 0)
			if err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond) // otherwise the writer does not notice that the pipe is read
			return f.Close()
		})
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		ended := make(chan cliResult, 1)
		go func() { ended <- runInContext(ctx, "report", dir, "--format", "json="+pipe) }()
		Eventually(ended).WithTimeout(5 * time.Second).
			Should(Receive(Equal(cliResult{exit.Interrupted, "", "evalctl: interrupted\n"})))
	})

	It("exits with 3 if the report cannot be written", func() {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			Skip("no /dev/full here")
		}
		DeferCleanup(full.Close)
		var stderr strings.Builder
		Expect(run(GinkgoT().Context(), []string{"report", dir}, nil, full, &stderr)).To(Equal(exit.Incomplete))
	})
})

var _ = DescribeTable("the locale decides whether output may use UTF-8 symbols:",
	func(all, ctype, lang string, signs bool) {
		GinkgoT().Setenv("LC_ALL", all)
		GinkgoT().Setenv("LC_CTYPE", ctype)
		GinkgoT().Setenv("LANG", lang)
		dir := newRunDir()
		got := evalctl("run", "toolrouter", "--router", "rules", "--limit", "1", "--out", dir, "-q")
		Expect(strings.Contains(got.stdout, "·")).To(Equal(signs))
	},
	Entry("only LANG is set", "", "", "de_DE.UTF-8", true),
	Entry("the name of UTF-8 is in another capitalization", "", "", "C.utf8@x", true),
	Entry("LC_CTYPE differs from LANG: it has priority", "", "C", "de_DE.UTF-8", false),
	Entry("LC_ALL differs from both: it has priority", "zh_CN.UTF-8", "C", "C", true),
	Entry("none of these variables is set", "", "", "", false),
)

var _ = Describe("evalctl report of a run with gates", func() {
	const differs = "The stored verdict of the gate differs from the results: "
	edited := func(rule string, args ...string) (dir string) {
		GinkgoHelper()
		dir = newRunDir()
		evalctl(append([]string{"run", "toolrouter", "--router", "rules", "--decision-only", "--limit", "20",
			"--gate", rule, "--out", dir}, args...)...)
		sum := summaryOf(dir)
		Expect(sum.Gates).To(HaveLen(1))
		sum.Gates[0].Verdict, sum.Gates[0].Passed, sum.Gates[0].Reason = eval.GatePassed, true, "edited"
		Expect(journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), sum)).To(Succeed())
		return dir
	}

	It("evaluates them again and warns about a stored verdict that differs", func() {
		dir := edited("route.accuracy > 1")
		xml := filepath.Join(GinkgoT().TempDir(), "gates.xml")
		got := evalctl("report", dir, "--format", "table", "--format", "junit="+xml)
		Expect(got.stdout).To(And(ContainSubstring("Gates: 1 failed"), ContainSubstring(differs+"route.accuracy > 1"),
			Not(ContainSubstring("edited"))))
		Expect(read(xml)).To(ContainSubstring(`name="gates" tests="1" failures="1"`))
	})

	It("evaluates a gate on a tag again", func() {
		tagged := fileOf("cases.jsonl", `{"id":"a","text":"hello","label":"chat","tags":["x"]}
{"id":"b","text":"draw a cat","label":"image_gen"}
`)
		dir := edited("[tag=x] route.accuracy > 1", "--dataset", tagged)
		Expect(evalctl("report", dir).stdout).To(ContainSubstring(differs + "[tag=x] route.accuracy > 1"))
	})

	It("keeps the stored verdict of a comparison with the baseline and states so", func() {
		dir := edited("new_failures <= 0", "--baseline", rulesRun(20))
		Expect(evalctl("report", dir).stdout).To(And(ContainSubstring("Gates: 1 passed"), ContainSubstring(
			"The verdict is the one that the run stored, and was not evaluated again: new_failures <= 0")))
	})
})

package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/view"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// runDisturbed runs six trials, one at a time. During the fourth, disturb changes the files in the
// run's directory.
func runDisturbed(dir string, disturb func(dir string)) cliResult {
	GinkgoHelper()
	var asked atomic.Int64
	done := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 4 {
			disturb(dir)
			close(done)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"label":"chat"}`))
	}))
	DeferCleanup(s.Close)
	defer func() { Eventually(done).Should(BeClosed()) }() // a run that notices the change ends at once
	return evalctl("run", "--target", "http", "--url", s.URL, "--dataset", fileOf("cases.jsonl", threeCases),
		"--epochs", "2", "-j", "1", "--out", dir, "--format", "json")
}

func counted(sum eval.Summary) (n int64) {
	for _, s := range sum.Suites {
		for _, c := range s.Conditions {
			n += c.Trials
		}
	}
	return n
}

var _ = Describe("15.2: a run whose files change while it runs", func() {
	must := func(err error) {
		GinkgoHelper()
		Expect(err).NotTo(HaveOccurred())
	}
	DescribeTable("ends with exit code 3, names the changed file, and counts only trials that are in the file, if:",
		func(name string, disturb func(path string)) {
			dir := newRunDir()
			got := runDisturbed(dir, func(dir string) { disturb(filepath.Join(dir, name)) })
			Expect(got.code).To(Equal(exit.Incomplete), got.stdout)
			Expect(got.stderr).To(And(ContainSubstring(dir), ContainSubstring(name),
				ContainSubstring("another program changed")))
			rows := int64(0)
			if text, err := os.ReadFile(filepath.Join(dir, journal.ResultsFile)); err == nil {
				rows = int64(strings.Count(string(text), "\n"))
			}
			Expect(got.stdout).To(ContainSubstring(`"partial": true`))
			if _, err := os.Stat(filepath.Join(dir, journal.SummaryFile)); err == nil {
				Expect(counted(summaryOf(dir))).To(BeNumerically("<=", rows))
				Expect(summaryOf(dir).Partial).To(BeTrue())
			}
			if _, err := os.Stat(filepath.Join(dir, journal.ManifestFile)); err == nil {
				Expect(manifestIn(dir).Status).NotTo(Equal(journal.StatusDone))
			}
		},
		Entry("the results are removed", journal.ResultsFile, func(path string) { must(os.Remove(path)) }),
		Entry("the results are truncated", journal.ResultsFile, func(path string) { must(os.Truncate(path, 0)) }),
		Entry("a result is truncated", journal.ResultsFile, func(path string) {
			text := read(path)
			must(os.Truncate(path, int64(strings.Index(text, "\n")+1)))
		}),
		Entry("the results are replaced by a copy", journal.ResultsFile, func(path string) {
			write(path+".new", read(path))
			must(os.Rename(path+".new", path))
		}),
		Entry("a line is added to the results", journal.ResultsFile,
			func(path string) { write(path, read(path)+"{}\n") }),
		Entry("a result is overwritten in place", journal.ResultsFile, func(path string) {
			text := read(path)
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			must(err)
			_, err = f.WriteString(strings.Replace(text, `"epoch":1`, `"epoch":7`, 1))
			must(err)
			must(f.Close())
		}),
		Entry("the traces are removed", journal.TracesFile, func(path string) { must(os.Remove(path)) }),
		Entry("the traces are truncated", journal.TracesFile, func(path string) { must(os.Truncate(path, 10)) }),
		Entry("the manifest is removed", journal.ManifestFile, func(path string) { must(os.Remove(path)) }),
		Entry("the directory is removed", journal.ResultsFile,
			func(path string) { must(os.RemoveAll(filepath.Dir(path))) }),
	)

	It("does not change the files of another run that has replaced it in its directory", func() {
		dir := newRunDir()
		var theirs string
		got := runDisturbed(dir, func(string) {
			must(os.Rename(dir, dir+".old"))
			Expect(evalctl("run", "--target", "toolrouter", "--router", "rules", "--limit", "2", "--out", dir, "-q").
				code).To(Equal(exit.Passed))
			theirs = read(dir, journal.ManifestFile) + read(dir, journal.SummaryFile)
		})
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(And(ContainSubstring("results.jsonl"), Not(ContainSubstring("--resume"))))
		Expect(read(dir, journal.ManifestFile) + read(dir, journal.SummaryFile)).To(Equal(theirs))
		Expect(manifestIn(dir + ".old").Status).To(Equal(journal.StatusRunning))
	})

	It("can be resumed and is then complete", func() {
		dir := newRunDir()
		got := runDisturbed(dir, func(dir string) { must(os.Truncate(filepath.Join(dir, journal.ResultsFile), 0)) })
		Expect(got.stderr).To(ContainSubstring("evalctl run --resume " + dir))
		Expect(manifestIn(dir).Error).To(ContainSubstring(journal.ResultsFile))
		Expect(evalctl("run", "--resume", dir, "-q").code).To(Equal(exit.Passed))
		Expect(counted(summaryOf(dir))).To(BeEquivalentTo(6))
	})

	It("is reported as partial, with the number of lost results, if results were lost after its end", func() {
		dir := newRunDir()
		Expect(runDisturbed(dir, func(string) {}).code).To(Equal(exit.Passed))
		path := filepath.Join(dir, journal.ResultsFile)
		text := read(path)
		must(os.Truncate(path, int64(strings.Index(text, "\n")+1)))
		got := evalctl("report", dir)
		Expect(got.code).To(Equal(exit.Incomplete))
		lost := path + " holds 1 of the 6 trials that summary.json counts"
		Expect(got.stdout).To(And(ContainSubstring(lost), ContainSubstring("PARTIAL")))
		Expect(got.stderr).To(ContainSubstring(lost))
		Expect(evalctl("compare", dir, dir).stdout).To(ContainSubstring("did not end"))
		for _, empty := range []func(string) error{func(path string) error { return os.Truncate(path, 0) }, os.Remove} {
			must(empty(path))
			got = evalctl("report", dir)
			Expect(got.code).To(Equal(exit.Incomplete))
			Expect(got.stderr).To(ContainSubstring(path + " holds 0 of the 6 trials that summary.json counts"))
		}
	})
})

var _ = It("15.10: a run on a full disk counts only the results in its file, and is incomplete", func() {
	dir := newRunDir()
	got := runOnFullDisk(128, "run", "toolrouter", "--router", "rules", "--traces", "none", "--out",
		dir, "--format", "json")
	Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
	Expect(got.stderr).To(ContainSubstring("file too large"))
	rows := strings.Count(read(dir, journal.ResultsFile), "\n")
	Expect(rows).To(BeNumerically(">", 50))
	var shown eval.Summary
	Expect(json.Unmarshal([]byte(got.stdout), &shown)).To(Succeed())
	Expect(counted(shown)).To(BeEquivalentTo(rows))
	Expect(counted(summaryOf(dir))).To(BeEquivalentTo(rows))
	Expect(manifestIn(dir).Status).To(Equal(journal.StatusFailed))
})

var _ = Describe("15.10: a run directory with files that evalctl did not write", func() {
	var all, dir string
	BeforeEach(func() {
		all = GinkgoT().TempDir()
		dir = filepath.Join(all, "one")
		Expect(evalctl("run", "toolrouter", "--router", "rules", "--limit", "2", "--out", dir, "-q").code).
			To(Equal(exit.Passed))
	})
	kinds := map[string]func(path string) error{
		"a link": func(path string) error { return os.Symlink(fileOf("theirs", "topsecret"), path) },
		"a pipe": func(path string) error { return exec.Command("mkfifo", path).Run() },
	}
	for kind, place := range kinds {
		for _, name := range []string{journal.SummaryFile, journal.ManifestFile, journal.ResultsFile} {
			It("is not read but can be removed if "+name+" is "+kind, func() {
				path := filepath.Join(dir, name)
				Expect(os.Remove(path)).To(Succeed())
				Expect(place(path)).To(Succeed())
				for _, args := range [][]string{{"report", dir}, {"compare", dir, dir},
					{"gate", dir, "route.accuracy >= 0"}, {"run", "--resume", dir}} {
					got := evalctl(args...)
					Expect(got.code).To(Equal(exit.InvalidUsage), "%s", args)
					Expect(got.stderr).To(ContainSubstring(path+": is a"), "%s", args)
				}
				Expect(evalctl("runs", "--dir", all).stderr).To(ContainSubstring("passed over: " + path + ": is a"))
				server, err := view.New(view.Config{Dirs: []string{all}})
				Expect(err).NotTo(HaveOccurred())
				for _, at := range []string{"/", "/run/one"} {
					r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+at, nil)
					w := httptest.NewRecorder()
					server.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey,
						&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80})))
					Expect(w.Code).To(Equal(map[string]int{"/": http.StatusOK,
						"/run/one": http.StatusUnprocessableEntity}[at]))
					Expect(strings.ReplaceAll(w.Body.String(), "<wbr>", "")).To(And(ContainSubstring(name+": is a"),
						Not(ContainSubstring("topsecret"))))
				}
				Expect(evalctl("runs", "rm", "one", "--dir", all).code).To(Equal(exit.Passed))
				Expect(dir).NotTo(BeADirectory())
			})
		}
	}

	DescribeTable("can be removed if the content of one file is broken:", func(name string) {
		write(filepath.Join(dir, name), "{broken")
		Expect(evalctl("runs", "rm", "two", "--dir", all).code).To(Equal(exit.InvalidUsage))
		got := evalctl("runs", "rm", "one", "--dir", all)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("deleted one "))
		Expect(dir).NotTo(BeADirectory())
	}, Entry(nil, journal.SummaryFile), Entry(nil, journal.ManifestFile), Entry(nil, journal.ResultsFile))
})

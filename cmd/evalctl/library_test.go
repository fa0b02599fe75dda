package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
)

// openDatabases returns the number of open databases, counted by their goroutines.
func openDatabases() int {
	stacks := make([]byte, 16<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "(*DB).connectionOpener(")
}

var _ = Describe("evalctl style-library", func() {
	// rows returns the results of a run with a custom style library.
	rows := func(library string) []eval.Result {
		GinkgoHelper()
		dir := newRunDir()
		suite := fileOf("own.yaml",
			"name: own\ntarget: studio\ndataset: studio\nvariants: [{name: v2, style-library: "+library+"}]\n")
		got := evalctl("run", suite, "--dataset", criticCases, "--limit", "20", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		return resultsOf(dir)
	}
	found := func(rows []eval.Result) (n int) {
		for _, r := range rows {
			for _, s := range r.Scores {
				if s.Name == "retrieval.hit_rate" && s.Actual != "" {
					n++
				}
			}
		}
		return n
	}

	It("creates a library from shipped or custom styles that a suite can name", func() {
		path := filepath.Join(GinkgoT().TempDir(), "styles.db")
		got := evalctl("style-library", "create", path)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(MatchRegexp(`styles.db: 1\d\d styles\n$`))
		Expect(found(rows(path))).To(BeNumerically(">", 3))
		own := fileOf("own.jsonl",
			`{"id":"chalk","zh":"板书","en":"chalkboard","prompt":"white chalk on a blackboard"}`+"\n")
		Expect(evalctl("style-library", "create", path, "--styles", own).stdout).To(HaveSuffix("styles.db: 1 styles\n"))
		Expect(found(rows(path))).To(BeZero())
	})

	It("does not replace a file that is not a style library", func() {
		for _, text := range []string{"dear diary", "x"} {
			notes := fileOf("notes.txt", text)
			got := evalctl("style-library", "create", notes)
			Expect(got).To(Equal(cliResult{exit.InvalidUsage, "",
				"evalctl: " + notes + ": exists and is not a style library: choose another name\n"}))
			Expect(read(notes)).To(Equal(text))
		}
	})

	DescribeTable("writes a library that run and chat refuse in one line if it",
		func(reason string, library func() string) {
			path := library()
			suite := fileOf("own.yaml",
				"name: own\ntarget: studio\ndataset: studio\nvariants: [{name: v2, style-library: "+path+"}]\n")
			for _, args := range [][]string{{"run", suite}, {"run", "studio", "--style-library", path},
				{"chat", "studio", "--style-library", path}} {
				got := evalctl(args...)
				Expect(got.code).To(Equal(exit.InvalidUsage), got.stdout)
				Expect(got.stderr).To(And(ContainSubstring("style library: "), ContainSubstring(path),
					ContainSubstring(reason)))
				Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
			}
		},
		Entry("is missing", "no such file", func() string { return filepath.Join(GinkgoT().TempDir(), "gone.db") }),
		Entry("is the source file of styles", "no sound style library",
			func() string { return fileOf("text.jsonl", "{}\n") }),
		Entry("is a directory", "is a directory", func() string { return GinkgoT().TempDir() }),
		Entry("is truncated", "no sound style library", func() string {
			path := filepath.Join(GinkgoT().TempDir(), "cut.db")
			Expect(evalctl("style-library", "create", path).code).To(Equal(exit.Passed))
			Expect(os.Truncate(path, 9000)).To(Succeed())
			return path
		}),
	)

	It("writes a library whose database is closed when the agents that use it end", Label("long"), func() {
		path := filepath.Join(GinkgoT().TempDir(), "styles.db")
		Expect(evalctl("style-library", "create", path).code).To(Equal(exit.Passed))
		Expect(evalctl("chat", "studio").code).To(Equal(exit.Passed)) // opens the database that all share
		before := openDatabases()
		for _, args := range [][]string{
			{"run", "studio", "--style-library", path, "--limit", "1", "--out", newRunDir()},
			{"run", "studio", "--limit", "1", "--out", newRunDir()}, // one of its variants has the vectors of a model
			{"run", "studio", "--style-library", path, "--limit", "1", "--gate", "nope > 1", "--out", newRunDir()},
			{"run", "studio", "--style-library", path, "--limit", "1", "--out", filepath.Dir(path)},
			{"run", "studio", "--style-library", path, "--prompt", "gone.md", "--out", newRunDir()},
			{"run", "studio", "newsroom", "--tags", "nobody-has-it", "--out", newRunDir()},
			{"chat", "studio", "--style-library", path},
		} {
			evalctl(args...)
			Eventually(openDatabases).Should(Equal(before), strings.Join(args, " "))
		}
	})

	It("reports invalid arguments in one line", func() {
		Expect(evalctl("style-library", "create").stderr).
			To(Equal("evalctl: style-library create: requires one file, got 0 arguments\n"))
		Expect(evalctl("style-library", "create", "x.db", "--styles", "gone.jsonl").stderr).
			To(Equal("evalctl: --styles: open gone.jsonl: no such file or directory\n"))
		bad := fileOf("bad.jsonl", "{}\n")
		Expect(evalctl("style-library", "create", "x.db", "--styles", bad).stderr).
			To(HavePrefix("evalctl: --styles: " + bad + ":1: "))
		Expect("x.db").NotTo(BeAnExistingFile())
	})
})

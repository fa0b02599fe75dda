package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval/suite"
)

// home is the directory for the runs that specs share.
var home string

// shared has the runs that several specs read, by command line. Each runs once and is read-only:
// specs that damage a run make a copy.
var shared = map[string]sharedRun{}

type sharedRun struct {
	dir        string
	filesAfter string // state of its files after the run
	cliResult
}

// sharedRunOf returns the shared run of a command line, and runs it if this is the first request.
func sharedRunOf(args ...string) sharedRun {
	GinkgoHelper()
	line := strings.Join(args, " ")
	if r, ok := shared[line]; ok {
		return r
	}
	r := sharedRun{dir: filepath.Join(home, strconv.Itoa(len(shared)))}
	r.cliResult = evalctl(append(args, "--out", r.dir, "-q")...)
	Expect(r.code).To(Equal(exit.Passed), line+"\n"+r.stderr)
	r.filesAfter = filesIn(r.dir)
	shared[line] = r
	return r
}

// readmeRunLine is the command line of the first run in the README.
const readmeRunLine = "run toolrouter --out runs/first -q"

// readmeRun returns the first run in the README, executed in home.
func readmeRun() sharedRun {
	GinkgoHelper()
	if r, ok := shared[readmeRunLine]; ok {
		return r
	}
	here, err := os.Getwd()
	Expect(err).NotTo(HaveOccurred())
	Expect(os.Chdir(home)).To(Succeed())
	defer func() { Expect(os.Chdir(here)).To(Succeed()) }()
	GinkgoT().Setenv("COLUMNS", "100")
	r := sharedRun{dir: filepath.Join(home, "runs/first"), cliResult: evalctl(strings.Fields(readmeRunLine)...)}
	Expect(r.code).To(Equal(exit.Passed), r.stderr)
	r.filesAfter = filesIn(r.dir)
	shared[readmeRunLine] = r
	return r
}

// shipped returns the directory of a shared run: the first 12 cases of a shipped suite in all
// conditions.
func shipped(suite string) (dir string) {
	GinkgoHelper()
	return sharedRunOf("run", suite, "--limit", "12").dir
}

func shippedSystems() (list []system.System) {
	for _, name := range datasets.BuiltInNames() {
		of, _ := suite.FindSystem(name)
		list = append(list, of)
	}
	return list
}

// copyOf returns the path of a copy of a directory, which the spec may change.
func copyOf(dir string) string {
	GinkgoHelper()
	at := newRunDir()
	Expect(os.CopyFS(at, os.DirFS(dir))).To(Succeed())
	return at
}

// runFiles returns the paths of all files in a run's directory, relative to it.
func runFiles(dir string) (paths []string) {
	GinkgoHelper()
	Expect(fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			paths = append(paths, path)
		}
		return err
	})).To(Succeed())
	return paths
}

// filesIn returns the names of the files in a directory with size and time, to detect changes.
func filesIn(dir string) string {
	GinkgoHelper()
	files, err := os.ReadDir(dir)
	Expect(err).NotTo(HaveOccurred())
	var b strings.Builder
	for _, f := range files {
		info, err := f.Info()
		Expect(err).NotTo(HaveOccurred())
		b.WriteString(f.Name() + " " + strconv.FormatInt(info.Size(), 10) + " " + info.ModTime().String() + "\n")
	}
	return b.String()
}

var _ = AfterSuite(func() {
	for line, r := range shared {
		Expect(filesIn(r.dir)).To(Equal(r.filesAfter), "a spec has written to the run that all share: "+line)
	}
})

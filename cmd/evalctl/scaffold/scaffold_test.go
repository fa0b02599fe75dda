package scaffold_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rhysd/actionlint"

	"evalctl/cmd/evalctl/scaffold"
)

func TestScaffold(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Scaffold")
}

var _ = Describe("Write", func() {
	var dir string
	BeforeEach(func() { dir = GinkgoT().TempDir() })

	put := func(name, text string) string {
		GinkgoHelper()
		path := filepath.Join(dir, name)
		Expect(os.MkdirAll(filepath.Dir(path), 0o755)).To(Succeed())
		Expect(os.WriteFile(path, []byte(text), 0o644)).To(Succeed())
		return path
	}
	read := func(name string) string {
		GinkgoHelper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		Expect(err).NotTo(HaveOccurred())
		return string(b)
	}

	// all returns the relative paths of all files in the directory.
	all := func() (paths []string) {
		GinkgoHelper()
		dir := GinkgoT().TempDir()
		written, err := scaffold.Write(scaffold.Config{Dir: dir})
		Expect(err).NotTo(HaveOccurred())
		for _, path := range written {
			rel, err := filepath.Rel(dir, path)
			Expect(err).NotTo(HaveOccurred())
			paths = append(paths, rel)
		}
		return paths
	}

	It("creates the directory if it does not exist", func() {
		dir = filepath.Join(dir, "new", "desk")
		written, err := scaffold.Write(scaffold.Config{Dir: dir})
		Expect(err).NotTo(HaveOccurred())
		Expect(written).To(ContainElements(filepath.Join(dir, scaffold.SuiteFile),
			filepath.Join(dir, scaffold.WorkflowFile),
			filepath.Join(dir, ".gitignore")))
		for _, path := range written {
			Expect(os.ReadFile(path)).NotTo(BeEmpty())
		}
		Expect(strings.Count(read("evals/cases.jsonl"), "\n")).To(Equal(20))
	})

	It("writes nothing if one of its files exists, unless Force is set", func() {
		mine := put("evals/prompt.md", "mine")
		_, err := scaffold.Write(scaffold.Config{Dir: dir})
		Expect(err).To(MatchError(mine + " exists. To overwrite all files, use --force"))
		Expect(filepath.Join(dir, scaffold.SuiteFile)).NotTo(BeAnExistingFile())
		Expect(read("evals/prompt.md")).To(Equal("mine"))
		_, err = scaffold.Write(scaffold.Config{Dir: dir, Force: true})
		Expect(err).NotTo(HaveOccurred())
		Expect(read("evals/prompt.md")).NotTo(Equal("mine"))
	})

	It("adds missing lines to a .gitignore and does not change its other lines", func() {
		put(".gitignore", "node_modules/\n/runs/")
		written, err := scaffold.Write(scaffold.Config{Dir: dir})
		Expect(err).NotTo(HaveOccurred())
		Expect(read(".gitignore")).To(Equal("node_modules/\n/runs/\n# evalctl\n/.evalctl/\n"))
		Expect(written).To(ContainElement(filepath.Join(dir, ".gitignore")))
		written, err = scaffold.Write(scaffold.Config{Dir: dir, Force: true})
		Expect(err).NotTo(HaveOccurred())
		Expect(read(".gitignore")).To(Equal("node_modules/\n/runs/\n# evalctl\n/.evalctl/\n"))
		Expect(written).NotTo(ContainElement(filepath.Join(dir, ".gitignore")))
	})

	DescribeTable("writes nothing if a path is a link or not a regular file",
		func(spoil func(path string), force bool) {
			paths := all()
			for i, path := range paths {
				for _, place := range []string{path, filepath.Dir(path)} {
					if place == "." {
						continue
					}
					dir = filepath.Join(GinkgoT().TempDir(), fmt.Sprint(i))
					Expect(os.MkdirAll(filepath.Join(dir, filepath.Dir(place)), 0o755)).To(Succeed())
					spoil(filepath.Join(dir, place))
					written, err := scaffold.Write(scaffold.Config{Dir: dir, Force: force})
					Expect(err).To(MatchError(And(ContainSubstring(filepath.Join(dir, place)),
						MatchRegexp("is not a (regular file|folder, or a link to one)"))))
					Expect(written).To(BeEmpty())
					for _, other := range paths {
						if !strings.HasPrefix(other, place) {
							Expect(filepath.Join(dir, other)).NotTo(BeAnExistingFile())
						}
					}
				}
			}
		},
		Entry("a directory that is a link",
			func(path string) { Expect(os.Symlink(GinkgoT().TempDir(), path)).To(Succeed()) }, false),
		Entry("a directory that is a link, with Force",
			func(path string) { Expect(os.Symlink(GinkgoT().TempDir(), path)).To(Succeed()) }, true),
		Entry("a file that is a broken link, with Force",
			func(path string) { Expect(os.Symlink("nothing", path)).To(Succeed()) }, true),
		Entry("a file that is a pipe, with Force",
			func(path string) { Expect(exec.Command("mkfifo", path).Run()).To(Succeed()) }, true),
		Entry("a file that is a pipe, without Force",
			func(path string) { Expect(exec.Command("mkfifo", path).Run()).To(Succeed()) },
			false),
	)

	It("returns an error for a very large .gitignore", func() {
		put(".gitignore", strings.Repeat("x", 1<<20+1))
		_, err := scaffold.Write(scaffold.Config{Dir: dir})
		Expect(err).To(MatchError(ContainSubstring("more than 1048576")))
	})

	Describe("the workflow file", func() {
		const path = ".github/workflows/evalctl.yml"
		var text string
		BeforeEach(func() {
			_, err := scaffold.Write(scaffold.Config{Dir: dir})
			Expect(err).NotTo(HaveOccurred())
			text = read(path)
		})

		It("passes actionlint, a checker for workflows", func() {
			lint := func(text string) []*actionlint.Error {
				GinkgoHelper()
				linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
				Expect(err).NotTo(HaveOccurred())
				found, err := linter.Lint(path, []byte(text), nil)
				Expect(err).NotTo(HaveOccurred())
				return found
			}
			Expect(lint(text)).To(BeEmpty())
			Expect(lint(strings.Replace(text, "github.ref }}", "github.rex }}", 1))).
				NotTo(BeEmpty(), "it would find a slip")
		})

		It("30.5: is valid for every target, and contains what the suite needs", func() {
			Expect(scaffold.Targets()).To(ConsistOf("http", "exec", "openai"))
			for target, needs := range map[string]string{"http": "& sleep 2\n\n      - name: run\n",
				"exec": "          args: --trust\n", "openai": "OPENAI_API_KEY: ${{ secrets.OPENAI_API_KEY }}\n"} {
				_, err := scaffold.Write(scaffold.Config{Dir: dir, Force: true, Target: target})
				Expect(err).NotTo(HaveOccurred())
				linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
				Expect(err).NotTo(HaveOccurred())
				Expect(linter.Lint(path, []byte(read(path)), nil)).To(BeEmpty())
				Expect(read(path)).To(And(ContainSubstring(needs), Not(ContainSubstring("[["))))
			}
		})

		It("contains the given evalctl repository, or an empty one for the user to enter", func() {
			Expect(text).To(ContainSubstring(`EVALCTL_REPOSITORY: "" # OWNER/NAME`))
			Expect(text).NotTo(ContainSubstring("vars."), "forks are given none")
			_, err := scaffold.Write(scaffold.Config{Dir: dir, Force: true, SourceRepository: "them/evalctl"})
			Expect(err).NotTo(HaveOccurred())
			Expect(read(path)).To(ContainSubstring("\n  EVALCTL_REPOSITORY: them/evalctl # OWNER/NAME\n"))
			for _, bad := range []string{"", "evalctl", "a/b/c", "a/b\n  X: y", "https://host/a/b", "${{ x }}/y"} {
				Expect(scaffold.CheckRepositoryName(bad)).To(MatchError(ContainSubstring("is not OWNER/NAME")), bad)
			}
		})

		It("pins its actions by commit and names their versions", func() {
			uses := regexp.MustCompile(`(?m)^ +(?:- )?uses: (.*)$`).FindAllStringSubmatch(text, -1)
			Expect(len(uses)).To(BeNumerically(">=", 5))
			for _, u := range uses {
				if u[1] == "./.evalctl" { // the action comes from the second checkout
					continue
				}
				Expect(u[1]).To(MatchRegexp(`^actions/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`))
			}
		})

		It("requests only the permissions to read and to comment, and passes no untrusted text to a shell", func() {
			Expect(regexp.MustCompile(`(?m)^ *[a-z-]+: (write|write-all)\b.*$`).FindAllString(text, -1)).
				To(ConsistOf(MatchRegexp(`^ +pull-requests: write`)))
			Expect(text).NotTo(ContainSubstring("pull_request_target"))
			Expect(strings.Count(text, "persist-credentials: false")).
				To(Equal(strings.Count(text, "actions/checkout@")))
			Expect(regexp.MustCompile(`(?m)^          .*\$\{\{.*$`).FindAllString(text, -1)).
				To(HaveEach(MatchRegexp(`^          [A-Za-z_-]+: [^|]*$`)), "in scripts there are variables alone")
		})
	})
})

package evaltest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// copyExample copies the example module to a new directory outside this repository.
func copyExample() (dir string) {
	GinkgoHelper()
	dir = GinkgoT().TempDir()
	Expect(os.CopyFS(dir, os.DirFS("example"))).To(Succeed())
	root, err := filepath.Abs("..")
	Expect(err).NotTo(HaveOccurred())
	replace(dir, "go.mod", "=> ../..", "=> "+root)
	return dir
}

// replace replaces a text in a file of the copied module.
func replace(dir, name, from, to string) {
	GinkgoHelper()
	path := filepath.Join(dir, name)
	text, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	Expect(string(text)).To(ContainSubstring(from))
	Expect(os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o600)).To(Succeed())
}

// goTest runs the tests of the copied module offline. It uses the Go flags of this process, so that
// compiled packages are reused.
func goTest(dir string, env ...string) (output string, err error) {
	cmd := exec.Command("go", "test", "-mod=mod", "-count=1", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		append(env, "GOPROXY=off", "GONOSUMDB=*", "GOWORK=off", "NO_COLOR=1", "TMPDIR="+GinkgoT().TempDir())...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

var _ = Describe("The example module", Ordered, Label("long"), func() {
	var kept string
	BeforeAll(func() {
		if os.Getenv("EVALCTL_LONG") == "" {
			Skip("make long runs it")
		}
		kept = filepath.Join(GinkgoT().TempDir(), "main")
	})

	It("passes its tests offline when it is copied to another directory", func() {
		output, err := goTest(copyExample(), "EVALS_OUT="+kept)
		Expect(err).NotTo(HaveOccurred(), output)
		Expect(output).To(ContainSubstring("ok  \texample.com/helpdesk"))
	})

	It("fails its tests if the prompt and a rule are made worse, and lists the wrong cases", func() {
		dir := copyExample()
		replace(dir, "evals/prompt.md", "Go by what they want done, not by the words they use.\n", "")
		replace(dir, "desk/desk.go", `"冲红", `, "")
		output, err := goTest(dir, "EVALS_BASELINE="+kept)
		Expect(err).To(HaveOccurred())
		Expect(output).To(And(
			ContainSubstring("route.accuracy\n      58.3 % [32.0, 80.7] (n=12) in suite sorting, variant current, fault none"),
			ContainSubstring("to be >=\n      <float64>: 0.95"),
			MatchRegexp(`evalctl show \S+ d03 --variant current\n +"退款我不要，把包裹找回来就行": got refund, want delivery`),
			ContainSubstring("route.accuracy\n      91.7 % ["),
			MatchRegexp(`evalctl show \S+ i03 --variant rules\n +"上次退款的发票要怎么冲红": got refund, want invoice`),
			ContainSubstring("but 5 new failures of 12 cases: d03, d04, i03, r03, r04 in suite sorting"),
			ContainSubstring("evals_test.go:"),
		))
	})
})

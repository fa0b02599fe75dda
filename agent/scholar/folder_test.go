package scholar_test

import (
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/scholar"
	"evalctl/agent/system"
)

// openPapers opens the scholar with the papers in a directory.
func openPapers(folder string) error {
	values := system.Values{}
	for _, set := range scholar.System().Settings {
		values[set.Name] = set.Default
	}
	values["papers"] = folder
	_, err := scholar.System().Open(system.Options{Values: values})
	return err
}

var _ = Describe("a directory of papers", func() {
	var folder string
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(folder, "a.md"), []byte("# A\n\ntext"), 0o600)).To(Succeed())
	})

	It("cannot contain symbolic links that lead out of the directory", func() {
		Expect(os.Symlink("a.md", filepath.Join(folder, "b.md"))).To(Succeed())
		Expect(openPapers(folder)).To(Succeed())
		outside := filepath.Join(GinkgoT().TempDir(), "secret")
		Expect(os.WriteFile(outside, []byte("secret"), 0o600)).To(Succeed())
		Expect(os.Symlink(outside, filepath.Join(folder, "c.md"))).To(Succeed())
		Expect(openPapers(folder)).To(MatchError(ContainSubstring("c.md: ")))
	})

	It("is rejected if it contains a named pipe, because reading one would block", func() {
		Expect(exec.Command("mkfifo", filepath.Join(folder, "p.md")).Run()).To(Succeed())
		Expect(openPapers(folder)).To(MatchError(ContainSubstring("p.md: is not a regular file")))
	})
})

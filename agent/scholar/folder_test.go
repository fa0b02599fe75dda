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

// warnings contains the warnings of the last call of openPapers.
var warnings []string

// openPapers opens the scholar with the papers in a directory.
func openPapers(folder string) error {
	warnings = nil
	values := system.SettingValues{}
	for _, set := range scholar.System().Settings {
		values[set.Name] = set.Default
	}
	values["papers"] = folder
	_, err := scholar.System().Open(system.Options{SettingValues: values,
		Warn: func(message string) { warnings = append(warnings, message) }})
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
		Expect(openPapers(folder)).To(Succeed())
		Expect(warnings).To(ConsistOf(HavePrefix("--papers: skipped: c.md: ")))
	})

	It("does not read a named pipe, because that would block", func() {
		Expect(exec.Command("mkfifo", filepath.Join(folder, "p.md")).Run()).To(Succeed())
		Expect(openPapers(folder)).To(Succeed())
		Expect(warnings).To(Equal([]string{"--papers: skipped: p.md: is not a regular file"}))
	})

	It("31.7: may contain files without text and in other formats, which are named and skipped", func() {
		for name, content := range map[string]string{"b.md": "", "c.txt": "\ufeff \n\n", "d.md": "%PDF-1.7\n1 0 obj",
			"e.md": "\xca\xfd\xbe\xdd\xd3\xd0 12 \xb7\xdd"} {
			Expect(os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600)).To(Succeed())
		}
		Expect(os.Symlink("nowhere", filepath.Join(folder, "f.md"))).To(Succeed())
		Expect(openPapers(folder)).To(Succeed())
		Expect(warnings).To(Equal([]string{"--papers: skipped: b.md: has no text; c.txt: has no text; " +
			"d.md: is not text: it is application/pdf. Convert it to UTF-8 text; f.md: no such file or directory"}))
		l, err := scholar.ReadLibrary(os.DirFS(folder), ".")
		Expect(err).NotTo(HaveOccurred())
		Expect(l.IDs()).To(Equal([]string{"a", "e"}))
		Expect(l.Text("e")).To(Equal("数据有 12 份"), "GBK")
	})

	It("31.7: may contain files with the same ID or an invalid one, which are named and skipped", func() {
		for name, content := range map[string]string{"a.txt": "another text", "b,c.md": "text"} {
			Expect(os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600)).To(Succeed())
		}
		Expect(openPapers(folder)).To(Succeed())
		Expect(warnings).To(ConsistOf(And(
			HavePrefix(`--papers: skipped: a.txt: has the same ID as a.md; b,c.md: "b,c" is not a name of a document: `))))
	})

	It("31.7: must contain at least one paper", func() {
		Expect(os.WriteFile(filepath.Join(folder, "a.md"), nil, 0o600)).To(Succeed())
		Expect(openPapers(folder)).To(MatchError(
			HaveSuffix("holds no paper: no .md or .txt file with text; skipped: a.md: has no text")))
	})
})

package file_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/file"
)

var _ = Describe("Files below a directory", func() {
	var dir, outside string
	BeforeEach(func() { dir, outside = filepath.Join(GinkgoT().TempDir(), "new", "folder"), GinkgoT().TempDir() })

	texts := []file.File{{Path: "a.txt", Text: []byte("one")}, {Path: "deep/er/b.txt", Text: []byte("two")}}
	names := func(of string) (list []string) {
		GinkgoHelper()
		Expect(filepath.WalkDir(of, func(path string, _ fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(of, path) // always succeeds, because path is below of
			list = append(list, rel)
			return err
		})).To(Succeed())
		return list[1:]
	}
	read := func(path string) string {
		GinkgoHelper()
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		return string(text)
	}

	It("are written with their directories, and replaced with the same permissions", func() {
		Expect(file.ReadOptional(dir, "a.txt", 3)).To(BeNil())
		Expect(file.WriteAll(dir, texts)).To(Succeed())
		Expect(os.Chmod(filepath.Join(dir, "a.txt"), 0o600)).To(Succeed())
		Expect(file.WriteAll(dir, []file.File{{Path: "a.txt", Text: []byte("new")}})).To(Succeed())
		Expect(file.ReadOptional(dir, "a.txt", 3)).To(Equal([]byte("new")))
		Expect(read(filepath.Join(dir, "deep/er/b.txt"))).To(Equal("two"))
		info, err := os.Stat(filepath.Join(dir, "a.txt"))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
		Expect(names(dir)).To(Equal([]string{"a.txt", "deep", "deep/er", "deep/er/b.txt"}))
		_, err = file.ReadOptional(dir, "a.txt", 2)
		Expect(err).To(MatchError(ContainSubstring("a.txt: has more than 2 bytes")))
	})

	DescribeTable("are not written at all if one of the paths is invalid", func(spoil func(), why string) {
		Expect(os.MkdirAll(dir, 0o755)).To(Succeed())
		spoil()
		before := names(dir)
		_, err := file.ReadOptional(dir, "deep/er/b.txt", 9)
		Expect(err).To(MatchError(ContainSubstring(why)))
		Expect(file.WriteAll(dir, texts)).To(MatchError(ContainSubstring(why)))
		Expect(names(dir)).To(Equal(before))
		Expect(names(outside)).To(BeEmpty())
	},
		Entry("because a directory is a symbolic link",
			func() { Expect(os.Symlink(outside, filepath.Join(dir, "deep"))).To(Succeed()) },
			"deep: is not a folder, or a link to one"),
		Entry("because a directory is a file",
			func() { Expect(os.WriteFile(filepath.Join(dir, "deep"), nil, 0o600)).To(Succeed()) },
			"deep: is not a folder, or a link to one"),
		Entry("because a file is a symbolic link", func() {
			Expect(os.MkdirAll(filepath.Join(dir, "deep/er"), 0o755)).To(Succeed())
			Expect(os.Symlink(filepath.Join(outside, "x"), filepath.Join(dir, "deep/er/b.txt"))).To(Succeed())
		}, "b.txt: is not a regular file"),
		Entry("because a file is a pipe", func() {
			Expect(os.MkdirAll(filepath.Join(dir, "deep/er"), 0o755)).To(Succeed())
			Expect(exec.Command("mkfifo", filepath.Join(dir, "deep/er/b.txt")).Run()).To(Succeed())
		}, "b.txt: is not a regular file"),
	)

	It("are removed with the created directories if one of them cannot be written", func() {
		Expect(file.WriteAll(dir, []file.File{texts[1], {Path: "deep", Text: nil}})).NotTo(Succeed())
		Expect(filepath.Dir(dir)).NotTo(BeADirectory())
	})
})

package file_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/file"
)

var _ = Describe("WriteAtomic", func() {
	var dir, path string
	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		path = filepath.Join(dir, "r.json")
	})
	text := func(path string) string {
		GinkgoHelper()
		b, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		return string(b)
	}
	names := func() (list []string) {
		GinkgoHelper()
		entries, err := os.ReadDir(dir)
		Expect(err).NotTo(HaveOccurred())
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}

	It("replaces a file with the same permissions, and open readers still read the old content", func() {
		Expect(file.WriteAtomic(path, []byte("old"))).To(Succeed())
		Expect(os.Chmod(path, 0o600)).To(Succeed())
		reader, err := os.Open(path)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(reader.Close)
		Expect(file.WriteAtomic(path, []byte("new"))).To(Succeed())
		old := make([]byte, 10)
		n, _ := reader.Read(old)
		Expect(string(old[:n])).To(Equal("old"))
		Expect(text(path)).To(Equal("new"))
		info, err := os.Stat(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
		Expect(names()).To(ConsistOf("r.json"))
	})

	It("follows symbolic links, even to missing files, and returns an error for a cycle", func() {
		Expect(os.Symlink("r.json", filepath.Join(dir, "a"))).To(Succeed())
		Expect(os.Symlink("a", filepath.Join(dir, "b"))).To(Succeed())
		for _, want := range []string{"one", "two"} {
			Expect(file.WriteAtomic(filepath.Join(dir, "b"), []byte(want))).To(Succeed())
			Expect(text(path)).To(Equal(want))
		}
		Expect(os.Readlink(filepath.Join(dir, "b"))).To(Equal("a"))
		Expect(os.Symlink("ring", filepath.Join(dir, "ring"))).To(Succeed())
		Expect(file.WriteAtomic(filepath.Join(dir, "ring"), nil)).To(MatchError(syscall.ELOOP))
	})

	It("writes to a pipe instead of replacing it", func() {
		Expect(exec.Command("mkfifo", path).Run()).To(Succeed())
		pipe, err := os.OpenFile(path, os.O_RDWR, 0)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(pipe.Close)
		Expect(file.WriteAtomic(path, []byte("x"))).To(Succeed())
		got := make([]byte, 10)
		n, _ := pipe.Read(got)
		Expect(string(got[:n])).To(Equal("x"))
		Expect(names()).To(ConsistOf("r.json"))
	})
})

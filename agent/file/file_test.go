package file_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/file"
)

func TestFile(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "File")
}

var _ = Describe("Read", func() {
	It("reads a file up to the size limit, and returns an error beyond it", func() {
		path := filepath.Join(GinkgoT().TempDir(), "f")
		Expect(os.WriteFile(path, []byte("12345"), 0o600)).To(Succeed())
		Expect(file.Read(path, 5)).To(Equal([]byte("12345")))
		_, err := file.Read(path, 4)
		Expect(err).To(MatchError("read " + path + ": has more than 4 bytes"))
	})

	It("returns an error for a missing file", func() {
		_, err := file.Read("gone.txt", 5)
		Expect(err).To(MatchError("open gone.txt: no such file or directory"))
		Expect(err).To(MatchError(fs.ErrNotExist))
	})

	It("returns an error for a pipe, a device or a directory instead of waiting", func() {
		fifo := filepath.Join(GinkgoT().TempDir(), "fifo")
		Expect(exec.Command("mkfifo", fifo).Run()).To(Succeed())
		for _, path := range []string{"/dev/zero", fifo} {
			_, err := file.Read(path, 5)
			Expect(err).To(MatchError("open " + path + ": is a pipe or a device, not a file"))
		}
		_, err := file.Read(".", 5)
		Expect(err).To(MatchError("open .: is a directory, not a file"))
	})
})

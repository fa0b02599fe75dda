//go:build unix

package datasets_test

import (
	"os/exec"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

var _ = It("Open returns an error for a named pipe, without waiting for a writer", func() {
	path := filepath.Join(GinkgoT().TempDir(), "pipe")
	Expect(exec.Command("mkfifo", path).Run()).To(Succeed())
	_, err := datasets.Open(path, schema())
	Expect(err).To(MatchError("dataset " + path +
		": is a pipe or a device, and a set is read twice: save it to a file"))
})

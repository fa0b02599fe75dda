package backend_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/backend"
)

var _ = It("LoadScript reads a script file, and its errors start with the path and line", func() {
	path := filepath.Join(GinkgoT().TempDir(), "bad.yaml")
	for text, want := range map[string]string{"rulez: []\n": ":1: ",
		"rules:\n  - &a [*a]\n": ":2: an alias is inside"} {
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		_, err := backend.LoadScript(path, nil)
		Expect(err).To(MatchError(HavePrefix(path + want)))
	}
	_, err := backend.LoadScript(path+".gone", nil)
	Expect(err).To(MatchError(os.ErrNotExist))
})

package backend_test

import (
	"os"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestBackend(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Backend")
}

var _ = BeforeEach(func() {
	if slices.Contains(CurrentSpecReport().Labels(), "long") && os.Getenv("EVALCTL_LONG") == "" {
		Skip("make long runs it")
	}
})

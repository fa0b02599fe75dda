package gate_test

import (
	"os"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestGate(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Gate")
}

var _ = BeforeEach(func() {
	if slices.Contains(CurrentSpecReport().Labels(), "long") && os.Getenv("EVALCTL_LONG") == "" {
		Skip("make long runs it")
	}
})

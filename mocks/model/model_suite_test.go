package model_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestModel(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "mocks/model")
}

var _ = BeforeEach(func() {
	if slices.Contains(CurrentSpecReport().Labels(), "long") && os.Getenv("EVALCTL_LONG") == "" {
		Skip("make long runs it")
	}
})

// labelOf returns the label at the beginning of texts such as "web_search 17".
func labelOf(text string) (string, bool) {
	label, _, found := strings.Cut(text, " ")
	return label, found
}

func decode(s string, v any) {
	GinkgoHelper()
	Expect(json.Unmarshal([]byte(s), v)).To(Succeed(), s)
}

package foreign_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestForeign(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "foreign")
}

package imagegen_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestImagegen(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "imagegen")
}

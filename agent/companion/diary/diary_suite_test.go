package diary_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestDiary(t *testing.T) {
	if path := os.Getenv(writerFile); path != "" {
		write(path) // as the child process of a spec, until it is killed
	}
	RegisterFailHandler(Fail)
	RunSpecs(t, "diary")
}

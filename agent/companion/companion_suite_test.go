package companion_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestCompanion(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "companion")
}

// noon is the start time of most specs, on a Friday.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

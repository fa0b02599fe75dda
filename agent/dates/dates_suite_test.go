package dates_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestDates(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "dates")
}

// at returns a time in Shanghai.
func at(text string) time.Time { return in("Asia/Shanghai", text) }

func in(zone, text string) time.Time {
	GinkgoHelper()
	where, err := time.LoadLocation(zone)
	Expect(err).NotTo(HaveOccurred())
	t, err := time.ParseInLocation("2006-01-02 15:04", text, where)
	Expect(err).NotTo(HaveOccurred())
	return t
}

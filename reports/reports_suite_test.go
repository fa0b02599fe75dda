package reports_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports"
)

func TestReports(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "reports")
}

func written(format reports.Format, r reports.Report) string {
	GinkgoHelper()
	var out strings.Builder
	Expect(reports.Write(&out, format, r)).To(Succeed())
	return out.String()
}

func detailed(r reports.Report) reports.Report {
	r.ShowAll = true
	return r
}

package reports_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports"
)

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

var _ = Describe("a rendered report", func() {
	for _, width := range []int{60, 80} {
		DescribeTable(fmt.Sprintf("with all tables at %d columns", width), func(name string, r func() reports.Report) {
			report := r()
			report.Width, report.ShowAll = width, true
			expectGolden(fmt.Sprintf("%s-%d.txt", name, width), written(reports.Table, report))
		},
			Entry("of a complete run is equal to its golden file", "full", full),
			Entry("of a partial run with Chinese labels, missing values and a contract violation is equal to its golden file",
				"troubled", hostileReport),
		)
	}

	DescribeTable("contains the Critic loops in the detailed report", func(width int) {
		r := studio()
		r.Width, r.ShowAll = width, true
		expectGolden(fmt.Sprintf("studio-%d.txt", width), written(reports.Table, r))
	},
		Entry("at 60 columns", 60), Entry("at 100 columns", 100),
	)

	It("contains the Critic loops in Markdown", func() {
		expectGolden("studio.md", written(reports.Markdown, studio()))
	})

	DescribeTable("is equal to its golden file in each text format", func(format reports.Format, ext string) {
		expectGolden("full."+ext, written(format, full()))
		expectGolden("troubled."+ext, written(format, hostileReport()))
	},
		Entry(nil, reports.Markdown, "md"), Entry(nil, reports.JSON, "json"), Entry(nil, reports.CSV, "csv"),
	)
})

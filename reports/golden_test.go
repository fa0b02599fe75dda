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

var _ = Describe("a report, rendered", func() {
	for _, width := range []int{0, 60, 80, 120, 140} {
		DescribeTable(fmt.Sprintf("as a table of %d columns", width), func(name string, r func() reports.Report) {
			report := r()
			report.Width = width
			expectGolden(fmt.Sprintf("%s-%d.txt", name, width), written(reports.Table, report))
		},
			Entry("of a whole run", "full", full),
			Entry("with Chinese labels, missing values, a breach, and not ended", "troubled", troubled),
		)
	}

	DescribeTable("with Critic loops", func(width int, detail bool, name string) {
		r := studio()
		r.Width, r.Detail = width, detail
		expectGolden(name, written(reports.Table, r))
	},
		Entry("on 60 columns", 60, false, "studio-60.txt"), Entry("on 80", 80, false, "studio-80.txt"),
		Entry("on 100", 100, false, "studio-100.txt"), Entry("in detail", 100, true, "studio-detail-100.txt"),
	)

	It("with Critic loops, as Markdown", func() {
		expectGolden("studio.md", written(reports.Markdown, studio()))
	})

	It("as a table in detail", func() {
		r := full()
		r.Width, r.Detail = 100, true
		expectGolden("detail-100.txt", written(reports.Table, r))
	})

	DescribeTable("as text for machines and pages", func(format reports.Format, ext string) {
		expectGolden("full."+ext, written(format, full()))
		expectGolden("troubled."+ext, written(format, troubled()))
	},
		Entry(nil, reports.Markdown, "md"), Entry(nil, reports.JSON, "json"), Entry(nil, reports.CSV, "csv"),
	)
})

package browser_test

import (
	"bytes"
	_ "embed"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports"
	"evalctl/reports/page"
)

// speed is a script that returns times of the page in milliseconds: until the first paint, to apply a
// filter, and, as a reference, to unpack and parse the data of the cases.
//
//go:embed speed.js
var speed string

var _ = Describe("the report page of 33,000 trials", func() {
	It("33.4: paints early and filters quickly, compared with the time to unpack its data", func() {
		run, sum := generatedRun{name: plain, cases: 11_000}.run()
		var file bytes.Buffer
		_, err := reports.WriteHTML(&file, reports.Report{Summary: sum, Dir: "runs/large", Run: run}, page.Server{})
		Expect(err).NotTo(HaveOccurred())
		path := filepath.Join(GinkgoT().TempDir(), "report.html")
		Expect(os.WriteFile(path, file.Bytes(), 0o600)).To(Succeed())
		do(setScreen(1280, "light"))
		visit("file://"+path, "#cases?suite=router&variant=llm")
		got := value[map[string]float64](speed)
		AddReportEntry("milliseconds", got)
		GinkgoWriter.Printf("first paint %.0f ms, filter %.0f ms, unpack %.0f ms\n", got["paint"], got["filter"],
			got["unpack"])
		Expect(got["paint"]).To(BeNumerically("<", maxPaint*got["unpack"]))
		Expect(got["filter"]).To(BeNumerically("<", maxFilter*got["unpack"]))
	})
})

// Times of the page as multiples of the time to unpack the data of its cases. Measured on a busy machine
// with two cores: 7 to 13 for the first paint, and 4 to 9 for a filter.
const (
	maxPaint  = 25
	maxFilter = 15
)

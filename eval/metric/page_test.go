package metric_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/metric"
)

var update = flag.Bool("update", false, "rewrite docs/metrics.md")

var _ = Describe("28.0: docs/metrics.md", func() {
	It("is up to date with the metric catalogue (update with: make golden)", func() {
		path := filepath.Join("..", "..", "docs", "metrics.md")
		if *update {
			Expect(os.WriteFile(path, []byte(metric.BuiltIn().MarkdownPage()), 0o600)).To(Succeed())
		}
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(Equal(metric.BuiltIn().MarkdownPage()))
	})

	It("has one line for every metric, with its definition", func() {
		page := metric.BuiltIn().MarkdownPage()
		for _, d := range metric.BuiltIn() {
			if d.Statistic == "" && d.Placeholder() == "" {
				Expect(page).To(ContainSubstring("- `"+d.Key+"`: "+d.Meaning), d.Key)
			}
			Expect(strings.Count(page, "{")).To(BeZero())
		}
	})
})

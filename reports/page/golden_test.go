package page_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var update = flag.Bool("update", false, "write the golden files anew")

var _ = It("the report page of a small run is equal to its golden file", func() {
	text, _ := written(testPage(plain))
	overview := regexp.MustCompile(`(?s)<section id="overview".*?</section>`).FindString(text)
	variants := regexp.MustCompile(`(?s)<section id="suite/router/variants">.*?</section>`).FindString(text)
	faults := regexp.MustCompile(`(?s)<section id="suite/router/faults">.*?</section>`).FindString(text)
	got := strings.Join([]string{overview, variants, faults, ""}, "\n")
	path := filepath.Join("testdata", "small.golden.html")
	if *update {
		Expect(os.MkdirAll("testdata", 0o750)).To(Succeed())
		Expect(os.WriteFile(path, []byte(got), 0o600)).To(Succeed())
	}
	want, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	Expect(got).To(Equal(string(want)))
})

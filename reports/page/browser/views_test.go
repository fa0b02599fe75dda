package browser_test

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

//go:embed check.js
var lowContrast string

// views lists the addresses to visit, each with a selector for an element that must be there.
var views = []struct{ name, address, has string }{
	{"overview", "#overview", "#overview .chart"},
	{"suite", "#suite/router", "[data-view] svg"},
	{"suite-epochs", "#suite/studio%2F2", "[data-view] .bars"},
	{"cases", "#cases?suite=router&variant=llm&change=fixed", "#cases .list li"},
	{"cases-epochs", "#cases?suite=studio%2F2&fault=router%3Atimeout&variant=llm", "#cases .list .dots"},
	{"cases-grid", "#cases?suite=router&variant=llm&view=grid", "#cases .rows tbody tr"},
	{"case", "#case/router/r-01?variant=llm", "#case .timeline"},
	{"case-beside", "#case/studio%2F2/s-01?variant=rules&with=llm", "#case .pair mark"},
}

// setScreen sets the width of the window and the color theme of the system.
func setScreen(width int64, theme string) chromedp.Action[chromedp.Void] {
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme",
		Value: theme}}}
	return chromedp.Steps(chromedp.EmulateViewport(width, 900), call(emulation.SetEmulatedMedia, media))
}

// visit opens an address and waits until its view is shown. If the file is already open, only the
// URL fragment changes.
func visit(url, address string) {
	GinkgoHelper()
	here := value[string]("location.href.replace(/#.*/, '') + ' ' + location.hash")
	file, hash, _ := strings.Cut(here, " ")
	if file == url && address != "" && hash != address {
		do(chromedp.Evaluate[chromedp.Void](
			fmt.Sprintf("delete document.documentElement.dataset.shown; location.hash = %q", address)))
	} else {
		do(chromedp.Navigate("about:blank"), chromedp.Navigate(url+address))
	}
	waitFor("'shown' in document.documentElement.dataset")
}

func screenshot(name string) {
	GinkgoHelper()
	folder := os.Getenv("EVALCTL_SCREENSHOTS")
	if folder == "" {
		return
	}
	image, err := chromedp.Run(tab, chromedp.FullScreenshot(100))
	Expect(err).NotTo(HaveOccurred())
	Expect(os.MkdirAll(folder, 0o755)).To(Succeed())
	Expect(os.WriteFile(filepath.Join(folder, name+".png"), image, 0o644)).To(Succeed())
}

var _ = Describe("every view of a report page", func() {
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			It(fmt.Sprintf("is legible and no wider than the screen in the theme %s at %d px", theme, width), func() {
				url := writeReport(generatedRun{name: plain})
				do(setScreen(width, theme))
				for _, v := range views {
					visit(url, v.address)
					Expect(count("[data-view]:not([hidden])")).To(Equal(1), v.name)
					Expect(count("[data-view]:not([hidden]) "+strings.Join(strings.Fields(v.has)[1:], " "))).
						NotTo(BeZero(), v.name)
					do(chromedp.Evaluate[chromedp.Void](
						"document.querySelectorAll('details').forEach((d) => { d.open = true; })"))
					screenshot(fmt.Sprintf("%s-%d-%s", v.name, width, theme))
					Expect(value[int64]("document.documentElement.scrollWidth")).To(BeNumerically("<=", width), v.name)
					Expect(value[[]string](lowContrast)).To(BeEmpty(), v.name)
				}
			})
		}
	}
})

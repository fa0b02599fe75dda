package browser_test

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

//go:embed check.js
var lowContrast string

// views are the addresses to look at, by name.
var views = []struct{ name, address, ready string }{
	{"overview", "#overview", "!document.getElementById('overview').hidden"},
	{"suite", "#suite/router", "!document.getElementById('suite/router').hidden"},
	{"cases", "#cases?suite=router&variant=llm&change=gained", "document.querySelector('#cases tbody tr')"},
	{"epochs", "#cases?suite=studio%2F2", "document.querySelector('#cases tbody tr')"},
	{"case", "#case/router/tr-002?variant=llm", "document.querySelector('#case .timeline')"},
	{"beside", "#case/studio%2F2/st-1?with=v2", "document.querySelector('#case .pair')"},
	{"untraced", "#case/router/tr-100", "document.querySelector('#case h1')"},
}

// screen sets the size of what is looked at. A theme is that of the system.
func screen(width int64, theme string) chromedp.Action[chromedp.Void] {
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
	return chromedp.Steps(chromedp.EmulateViewport(width, 900), call(emulation.SetEmulatedMedia, media))
}

// opened navigates there afresh, and waits.
func opened(url, address, ready string) {
	GinkgoHelper()
	do(chromedp.Navigate("about:blank"), chromedp.Navigate(url+address))
	when(ready)
}

func shoot(name string) {
	GinkgoHelper()
	folder := os.Getenv("EVALCTL_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(tab, chromedp.FullScreenshot(100))
	Expect(err).NotTo(HaveOccurred())
	Expect(os.MkdirAll(folder, 0o755)).To(Succeed())
	Expect(os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644)).To(Succeed())
}

var _ = Describe("every view", func() {
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			It(fmt.Sprintf("is legible and no wider than the screen, %s, %d px", theme, width), func() {
				url := written(report().parts())
				do(screen(width, theme))
				for _, v := range views {
					opened(url, v.address, v.ready)
					shoot(fmt.Sprintf("%s-%d-%s", v.name, width, theme))
					Expect(value[int64]("document.documentElement.scrollWidth")).To(BeNumerically("<=", width), v.name)
					Expect(value[[]string](lowContrast)).To(BeEmpty(), v.name)
				}
			})
		}
	}
})

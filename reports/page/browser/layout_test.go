package browser_test

import (
	_ "embed"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// misplaced is a script that returns the mistakes in the layout of the current view.
//
//go:embed layout.js
var misplaced string

const unfold = "document.querySelectorAll('details').forEach((d) => { d.open = true; })"

var _ = Describe("the layout of a report page", func() {
	It("has at each width no overlapping labels, broken words or squeezed plots, and links large enough for touch",
		func() {
			url := writeReport(generatedRun{name: plain})
			for _, width := range []int64{1280, 1100, 1024, 900, 768, 390} {
				do(setScreen(width, "light"))
				for _, view := range []string{"#overview", "#suite/router", "#suite/studio%2F2",
					"#cases?suite=router", "#cases?suite=router&view=grid"} {
					visit(url, view)
					do(chromedp.Evaluate[chromedp.Void](unfold))
					Expect(value[[]string](misplaced)).To(BeEmpty(), "%s at %d px", view, width)
				}
			}
		})

	It("shows each plot of a variant on a line of its own if the page is too narrow for all", func() {
		visit(writeReport(generatedRun{name: plain}), "#suite/router")
		const tops = "new Set([...document.querySelector('[id=\"suite/router\"] .chart.lines tbody tr').querySelectorAll('.pl')].map((e) => Math.round(e.getBoundingClientRect().top))).size"
		do(setScreen(1280, "light"))
		Expect(value[int](tops)).To(Equal(1))
		do(setScreen(768, "light"))
		Expect(value[int](tops)).To(Equal(3))
	})

	It("cuts off nothing in print, and shows captions and plot texts no larger than the body text", func() {
		do(setScreen(720, "light"))
		visit(writeReport(generatedRun{name: plain}), "#suite/router")
		do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
		DeferCleanup(func() { do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})) })
		do(chromedp.Evaluate[chromedp.Void](unfold))
		Expect(value[[]string](
			"[...document.querySelectorAll('.scroll')].filter((e) => getComputedStyle(e).overflowX !== 'visible' || getComputedStyle(e).maxHeight !== 'none' || e.scrollWidth > document.body.clientWidth + 4).map((e) => e.ariaLabel + e.scrollWidth)")).To(BeEmpty())
		size := func(of string) float64 {
			return value[float64]("parseFloat(getComputedStyle(document.querySelector('" + of + "')).fontSize)")
		}
		Expect(size(".head .m")).To(BeNumerically("<=", size("body")))
		Expect(size("svg text")).To(BeNumerically("<=", size("body")))
	})
})

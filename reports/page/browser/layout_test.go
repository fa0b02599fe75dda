package browser_test

import (
	_ "embed"
	"fmt"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// misplaced are the faults of a view's layout, in words.
//
//go:embed layout.js
var misplaced string

const unfold = "document.querySelectorAll('details').forEach((d) => { d.open = true; })"

var _ = Describe("the layout of a report page", func() {
	It("has at each width no overlapping labels, misplaced texts or squeezed plots, and links large enough for touch",
		func() {
			url := writeReport(generatedRun{name: plain})
			for _, width := range []int64{1280, 1100, 1024, 900, 768, 390} {
				do(setScreen(width, "light"))
				for _, view := range []string{"#overview", "#suite/router", "#suite/studio%2F2",
					"#cases?suite=router"} {
					visit(url, view)
					do(chromedp.Evaluate[chromedp.Void](unfold))
					Expect(value[[]string](misplaced)).To(BeEmpty(), fmt.Sprint(view, " at ", width))
				}
			}
		})

	It("stacks the accuracy and difference plots of variants if the page is too narrow for both, each above its own rows",
		func() {
			do(setScreen(768, "light"))
			visit(writeReport(generatedRun{name: plain}), "#suite/router")
			Expect(value[[]string]("[...document.querySelectorAll('.rows.two .cell')].filter((c) => c.closest('section[data-view]').checkVisibility()).map((c) => [c.getBoundingClientRect().top, c.classList[1] + ' ' + c.parentElement.className]).sort((a, b) => a[0] - b[0]).map((c) => c[1])")).To(Equal([]string{
				"c0 row heads", "c0 row", "c0 row", "c0 row axes", "c1 row heads", "c1 row", "c1 row", "c1 row axes"}))
		})

	It("cuts off nothing in print, and shows captions and plot texts no larger than the body text", func() {
		do(setScreen(720, "light"))
		visit(writeReport(generatedRun{name: plain}), "#suite/router")
		do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
		DeferCleanup(func() { do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})) })
		do(chromedp.Evaluate[chromedp.Void](unfold))
		Expect(value[[]string]("[...document.querySelectorAll('.scroll')].filter((e) => getComputedStyle(e).overflowX !== 'visible' || getComputedStyle(e).maxHeight !== 'none' || e.scrollWidth > document.body.clientWidth).map((e) => e.ariaLabel)")).To(BeEmpty())
		size := func(of string) float64 {
			return value[float64]("parseFloat(getComputedStyle(document.querySelector('" + of + "')).fontSize)")
		}
		Expect(size(".caption")).To(BeNumerically("<=", size("body")))
		Expect(size("svg text")).To(BeNumerically("<=", size("body")))
	})
})

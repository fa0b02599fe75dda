package browser_test

import (
	_ "embed"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// followed goes to every link to cases that begins with a number, and says where the list
// has another number of them.
//
//go:embed follow.js
var followed string

var _ = Describe("the report page of a run", func() {
	It("links from a cell of the confusion matrix to the timelines of its cases, and back to the suite", func() {
		do(setScreen(1280, "light"))
		visit(writeReport(generatedRun{name: plain}), "#overview")
		click(`header nav a[href="#suite/router"]`)
		waitForTitle("router")
		list := "#cases?suite=router&variant=rules&expected=search&predicted=image"
		Expect(text("a[href='" + list + "']")).To(HavePrefix("20"))
		click("a[href='" + list + "']")
		waitForTitle("Cases")
		Expect(text("#cases .count")).To(HavePrefix("20 of 60 cases, 20 wrong."))
		click("#cases .list li a")
		waitFor("document.querySelectorAll('#cases.opened .timeline tbody tr').length >= 1")
		click("#to-next")
		waitFor("document.querySelector('#case .steps').textContent.includes('2 of ')")
		click("#segment-all")
		waitForAddress(list)
		do(chromedp.Evaluate[chromedp.Void]("history.go(-4)"))
		waitForTitle("router")
	})

	It("lists as many cases as the text of each link to the list states", func() {
		visit(writeReport(generatedRun{name: plain}), "#overview")
		got := value[[]string](followed)
		Expect(got).NotTo(BeEmpty())
		Expect(got[0]).To(MatchRegexp(`^\d\d+ links$`))
		Expect(got[1:]).To(BeEmpty())
	})

	DescribeTable("prints only the current view, and of a case no list, filters and folded parts",
		func(address string, shown []string) {
			visit(writeReport(generatedRun{name: plain}), address)
			do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
			DeferCleanup(func() { do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})) })
			Expect(each("[data-view]", "e.checkVisibility() ? e.id : ''")).
				To(ContainElements(shown))
			Expect(each("[data-view]", "e.checkVisibility() ? e.id : ''")).
				To(HaveEach(BeElementOf(append(shown, ""))))
			Expect(each("#cases .list, #filters, button, details:not([open]) > summary, #case .steps",
				"e.checkVisibility()")).To(HaveEach("false"))
		},
		Entry("a suite", "#suite/router", []string{"suite/router"}),
		Entry("a comparison", "#compare", []string{"compare"}),
		Entry("a case", "#case/router/r-01?variant=llm", []string{"cases"}),
		Entry("the list, which shows its first case", "#cases", []string{"cases"}),
	)

	It("prints all views without a script", func() {
		do(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
		DeferCleanup(func() {
			do(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{}))
		})
		do(chromedp.Navigate(writeReport(generatedRun{name: plain})))
		do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
		DeferCleanup(func() { do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})) })
		Expect(each("[data-view]:not(#cases)", "e.checkVisibility()")).To(HaveEach("true"))
	})

	It("has as many elements with hostile names and texts as without them, and runs no script from them", func() {
		do(setScreen(390, "dark"))
		visit(writeReport(generatedRun{name: plain}), "#overview")
		plain := value[int](elements)
		url := writeReport(generatedRun{name: bad})
		visit(url, "#overview")
		Expect(value[int](elements)).To(Equal(plain))
		for _, link := range value[[]string](
			"[...document.querySelectorAll('header nav a')].map((a) => a.getAttribute('href'))") {
			visit(url, link)
			Expect(value[int]("document.documentElement.scrollWidth")).To(BeNumerically("<=", 390), link)
			Expect(value[string]("document.title")).NotTo(Equal("pwned"))
		}
	})
})

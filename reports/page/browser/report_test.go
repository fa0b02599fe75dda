package browser_test

import (
	_ "embed"
	"strings"

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

var _ = Describe("a run's report", func() {
	It("links from a confusion matrix cell to the timelines of its cases, and back to the suite", func() {
		do(screen(1280, "light"))
		opened(reported(play{name: plain}), "#overview")
		click(`header nav a[href="#suite/router"]`)
		title("router")
		list := "#cases?suite=router&variant=rules&expected=search&predicted=image"
		Expect(text("a[href='" + list + "']")).To(HavePrefix("20"))
		click("a[href='" + list + "']")
		title("Cases")
		Expect(text("#cases .count")).To(HavePrefix("20 of 60 cases, 20 wrong."))
		click("#cases tbody a")
		when("document.querySelectorAll('#case .timeline li').length >= 3")
		click("#to-next")
		when("document.querySelector('#case .steps').textContent.includes('2 of ')")
		click("#to-list")
		at(strings.Replace(list, "&variant=rules", "", 1)) // it is the default
		do(chromedp.Evaluate[chromedp.Void]("history.go(-4)"))
		title("router")
	})

	It("shows as many cases as the text of each link states", func() {
		opened(reported(play{name: plain}), "#overview")
		got := value[[]string](followed)
		Expect(got).NotTo(BeEmpty())
		Expect(got[0]).To(MatchRegexp(`^\d\d+ links$`))
		Expect(got[1:]).To(BeEmpty())
	})

	It("prints all suites, but not the list", func() {
		opened(reported(play{name: plain}), "#cases")
		do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
		DeferCleanup(func() { do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})) })
		Expect(value[[]string]("[...document.querySelectorAll('[data-view]')].filter((v) => v.checkVisibility()).map((v) => v.id)")).To(Equal([]string{"overview", "suite/router", "suite/studio%2F2"}))
	})

	It("has the same number of elements and runs no script if every name and text is hostile", func() {
		do(screen(390, "dark"))
		opened(reported(play{name: plain}), "#overview")
		plain := value[int](elements)
		url := reported(play{name: bad})
		opened(url, "#overview")
		Expect(value[int](elements)).To(Equal(plain))
		for _, link := range value[[]string]("[...document.querySelectorAll('header nav a')].map((a) => a.getAttribute('href'))") {
			opened(url, link)
			Expect(value[int]("document.documentElement.scrollWidth")).To(BeNumerically("<=", 390), link)
			Expect(value[string]("document.title")).NotTo(Equal("pwned"))
		}
	})
})

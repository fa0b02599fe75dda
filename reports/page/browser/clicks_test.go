package browser_test

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Actions of a person who reads the page. Clicks are real mouse events.
func click(selector string) {
	GinkgoHelper()
	do(chromedp.Click(chromedp.CSS(selector)))
}

func press(key string) {
	GinkgoHelper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown,
		input.DispatchKeyEventTypeKeyUp} {
		do(call(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Text: key}))
	}
}

func typeText(text string) {
	GinkgoHelper()
	do(call(input.InsertText, input.InsertTextParams{Text: text}))
}

func choose(id, words string) {
	GinkgoHelper()
	selected := value[bool](fmt.Sprintf(`(() => {
		const s = document.getElementById(%q);
		s.focus();
		s.selectedIndex = [...s.options].findIndex((o) => o.textContent === %q);
		s.dispatchEvent(new Event('change'));
		return s.selectedIndex >= 0;
	})()`, id, words))
	Expect(selected).To(BeTrue(), words)
}

func waitForAddress(address string) {
	GinkgoHelper()
	waitFor(fmt.Sprintf("location.hash === %q", address))
}

func text(selector string) string {
	GinkgoHelper()
	return value[string](fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

func count(selector string) int {
	GinkgoHelper()
	return value[int](fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}

// waitForTitle waits until the heading of the current view is h1.
func waitForTitle(h1 string) {
	GinkgoHelper()
	waitFor(fmt.Sprintf("document.querySelector('[data-view]:not([hidden]) h1')?.textContent === %q", h1))
}

var _ = Describe("a person who reads a report page", Ordered, ContinueOnFailure, func() {
	var url string

	BeforeAll(func() { url = writePage(report().parts()) })
	BeforeEach(func() {
		do(setScreen(1280, "light"))
		visit(url, "")
	})

	It("opens the cases of a confusion matrix cell and their timelines, and returns to the list, which has the same filters",
		func() {
			click(`nav a[href="#suite/router"]`)
			waitForTitle("router")
			Expect(text("header [aria-current]")).To(Equal("router"))
			click("#cell")
			waitForTitle("Cases")
			Expect(text("#cases .count")).To(HavePrefix("77 of 230 cases, 77 wrong."))
			click("#cases tbody tr:nth-child(2) a")
			waitForTitle("tr-005")
			Expect(count("#case .timeline li")).To(Equal(5))
			Expect(text("#case .steps")).To(ContainSubstring("2 of 77 in the list"))
			click("#to-previous")
			waitForTitle("tr-002")
			click("#to-next")
			waitForTitle("tr-005")
			Expect(value[string]("document.title")).To(Equal("tr-005 · evalctl"))
			Expect(value[string]("document.activeElement.tagName")).To(Equal("H1"))
			click("#case .turn button")
			Expect(count("#case .timeline li")).To(Equal(6))
			click("#to-list")
			waitForAddress("#cases?suite=router&expected=search&predicted=chat")
			Expect(count("#cases tbody tr")).To(Equal(77))
			do(chromedp.Evaluate[chromedp.Void]("history.go(-5)"))
			waitForTitle("router")
		})

	It("opens a case that changed since the baseline run", func() {
		click(`nav a[href="#suite/router"]`)
		click("#gained")
		waitForTitle("Cases")
		Expect(text("#cases .count")).To(HavePrefix("69 of 230 cases, 0 wrong."))
		Expect(value[[]string]("[...document.querySelectorAll('#cases .badge')].map((b) => b.textContent).filter((t) => !['fixed', 'broken', 'newly passing', 'newly failing'].includes(t))")).To(BeEmpty())
		click("#cases tbody tr:nth-child(1) a")
		waitForTitle("tr-005")
		click("#case .chip:not([aria-current])")
		waitFor("document.querySelector('#case .chip[aria-current]').textContent.includes('101') || document.querySelector('#case p.verdict').textContent.includes('rules')")
		Expect(text("#case p.verdict")).To(HavePrefix("✗ expected search, got chat · rules"))
	})

	It("filters the list of cases by each filter, and removes the filters again", func() {
		click(`nav a[href="#cases"]`)
		waitForTitle("Cases")
		choose("by-variant", "llm")
		waitForAddress("#cases?suite=router&variant=llm")
		choose("by-tag", "en (115)")
		waitForAddress("#cases?suite=router&variant=llm&tag=en")
		waitFor("document.querySelector('#cases .count').textContent.startsWith('115 of 230')")
		choose("by-result", "wrong (9)")
		waitForAddress("#cases?suite=router&variant=llm&result=wrong&tag=en")
		waitFor("document.activeElement.id === 'by-result'")
		Expect(text("#cases .count")).To(MatchRegexp(`^\d of 230 cases, \d wrong`))
		click("#cases .count a")
		waitForAddress("#cases?suite=router&variant=llm")
		waitFor("document.querySelector('#cases .count').textContent.startsWith('230 cases')")
		choose("by-change", "newly passing")
		waitFor("document.querySelector('#cases .badge.right')")
		choose("by-fault", "search:timeout")
		waitFor("document.querySelector('#cases .badge.warn')")
		Expect(text("#cases .count")).To(HavePrefix("230 cases, 0 wrong, 230 unscored"))
		choose("by-sort", "slowest first")
		waitForAddress("#cases?suite=router&variant=llm&fault=search%3Atimeout&sort=slowest")
	})

	It("searches ids and texts of cases, without additional entries in the browser history", func() {
		click(`nav a[href="#cases"]`)
		waitForTitle("Cases")
		before := value[int]("history.length")
		press("/")
		waitFor("document.activeElement.id === 'by-q'")
		typeText("搜一下 NUMBER 17")
		waitForAddress("#cases?suite=router&q=" + "%E6%90%9C%E4%B8%80%E4%B8%8B%20NUMBER%2017")
		waitFor("document.querySelectorAll('#cases tbody tr').length === 13")
		Expect(value[string]("document.activeElement.id")).To(Equal("by-q"))
		Expect(value[int]("history.length")).To(Equal(before))
		press("j") // typed into the search box, where it is not a shortcut
		waitFor("document.querySelector('#by-q').value.endsWith('17j')")
	})

	It("gets more cases in the list with a button, and the same number of cases after a reload", func() {
		click(`nav a[href="#cases"]`)
		waitForTitle("Cases")
		Expect(count("#cases tbody tr")).To(Equal(200))
		click("#cases .more")
		Expect(count("#cases tbody tr")).To(Equal(manyCases))
		Expect(value[bool]("document.querySelector('#cases .more').hidden")).To(BeTrue())
		do(chromedp.Reload())
		waitFor(fmt.Sprintf("document.querySelectorAll('#cases tbody tr').length === %d", manyCases))
	})

	It("returns from a case to the same position in the list", func() {
		visit(url, "#cases")
		do(chromedp.Evaluate[chromedp.Void]("scrollTo({ top: 3000, behavior: 'instant' })"))
		waitFor("history.state?.top === 3000")
		do(chromedp.Evaluate[chromedp.Void]("document.querySelector('#cases tbody tr:nth-child(100) a').click()"))
		waitForTitle("tr-100")
		Expect(value[float64]("scrollY")).To(BeZero())
		do(chromedp.Evaluate[chromedp.Void]("history.back()"))
		waitForTitle("Cases")
		waitFor("scrollY === 3000")
	})

	It("goes to the next and the previous case with the keys j and k", func() {
		visit(url, "#case/router/tr-001?variant=llm")
		press("j")
		waitForTitle("tr-002")
		press("j")
		waitForTitle("tr-003")
		press("k")
		waitForTitle("tr-002")
	})

	It("sees the epochs of a case summarized in the list, and each one in the case", func() {
		visit(url, "#cases?suite=studio%2F2&result=inconsistent")
		Expect(count("#cases tbody tr")).To(Equal(1))
		Expect(text("#cases .epochs")).To(Equal("2 of 3"))
		Expect(count("#cases .spread .dot-right")).To(Equal(2))
		Expect(count("#cases .spread .dot-wrong")).To(Equal(1))
		click("#cases tbody a")
		waitForTitle("st-1")
		Expect(text("#case .bubble.agent .text")).To(ContainSubstring("第 1 张"))
		click("#case .tabs a:nth-child(2)")
		waitForAddress("#case/studio%2F2/st-1?result=inconsistent&epoch=2")
		waitFor("document.querySelector('#case .bubble.agent .text').textContent.includes('第 2 张')")
		Expect(text("#case p.verdict")).To(HavePrefix("✗ expected draw, got write"))
		Expect(text("#case .command code")).To(HaveSuffix("--variant v1 --epoch 2"))
	})

	It("sees two replies to the same case next to each other, with their differences marked", func() {
		visit(url, "#case/studio%2F2/st-1")
		choose("with", "v2")
		waitForAddress("#case/studio%2F2/st-1?with=v2")
		waitFor("document.querySelector('#case .pair')")
		Expect(value[[]string]("[...document.querySelectorAll('#case mark')].map((m) => m.textContent)")).
			To(Equal([]string{"主体明确", "风格到位"}))
		left, right := value[float64]("document.querySelectorAll('#case .side')[0].getBoundingClientRect().top"),
			value[float64]("document.querySelectorAll('#case .side')[1].getBoundingClientRect().top")
		Expect(left).To(Equal(right))
		Expect(value[[]string]("[...document.querySelectorAll('#case p.verdict')].map((p) => p.innerText)")).
			To(Equal([]string{
				"✓ expected draw, got draw · v1 · 10.0 ms", "✓ expected draw, got draw · v2 · 11.0 ms"}))
	})

	It("sees equal durations with equal widths in two timelines", func() {
		width := "document.querySelector('#case .timeline rect.call').getAttribute('width')"
		visit(url, "#case/router/tr-001")
		Expect(value[string](width)).To(Equal("38.100%"))
		visit(url, "#case/router/tr-001?with=llm")
		Expect(value[[]string]("[...document.querySelectorAll('#case .side')].slice(0, 2).map((s) => s.querySelector('rect.call').getAttribute('width'))")).To(Equal([]string{"19.050%", "19.050%"}))
	})

	It("sees the session of a turn next to the user, and no empty columns", func() {
		visit(url, "#case/studio%2F2/st-1")
		Expect(text("#case .bubble.user .who")).To(Equal("user · session s1"))
		Expect(text("#case summary")).To(Equal("The same case in both conditions"))
		visit(url, "#cases?suite=router")
		Expect(count("#cases thead th")).To(Equal(5))
		visit(url, "#cases?suite=router&variant=llm&fault=search%3Atimeout")
		Expect(count("#cases thead th")).To(Equal(6))
		Expect(text("#cases .way .wrong")).To(Equal("2 fallbacks"))
	})

	It("sees the path of agents with proposed and executed steps, and the images in the file", func() {
		visit(url, "#case/studio%2F2/st-1")
		Expect(value[[]string]("[...document.querySelectorAll('#case .path li')].map((l) => l.innerText.replaceAll('\\n', '|'))")).To(Equal([]string{
			"Researcher|llm · needs sources · 0.480 s", "END → Writer|precondition · end_rejected · 0.900 s",
			"END → (refused) ×2|precondition · end_rejected", "END|llm",
		}))
		Expect(value[[]bool]("[...document.querySelectorAll('#case .turn:first-of-type img')].map((i) => i.alt !== '' && i.naturalWidth === 5)")).To(Equal([]bool{true, true}))
		Expect(text("#case .bubble.user")).To(ContainSubstring("https://example.com/a.png"))
		Expect(text("#case .bubble.agent")).To(ContainSubstring("data:image/svg+xml"))
		Expect(text("#case")).To(ContainSubstring("… 1,200 more characters"))
	})

	It("sees a note that the file does not contain a trace, and copies the command that shows the trace", func() {
		visit(url, "#case/router/tr-100?variant=llm&fault=search%3Atimeout")
		Expect(text("#case")).To(
			ContainSubstring("the full trace of 30 of 702 trials, and of this one its verdict alone"))
		Expect(text("#case .command code")).
			To(Equal(`evalctl show 'runs/it'\''s here' tr-100 --variant llm --fault search:timeout`))
		click("#case .command button")
		waitFor("document.querySelector('#case .command button').textContent === 'Copied' || !getSelection().isCollapsed")
	})

	It("selects a color theme, which is stored in the URL", func() {
		ground := "getComputedStyle(document.body).backgroundColor"
		Expect(value[string](ground)).To(Equal("rgb(255, 255, 255)"))
		click("#theme")
		click("#theme")
		Expect(value[string](ground)).To(Equal("rgb(13, 17, 23)"))
		Expect(value[string]("location.search")).To(Equal("?theme=dark"))
		do(chromedp.Reload())
		waitFor(ground + " === 'rgb(13, 17, 23)'")
		click("#theme")
		Expect(value[string](ground)).To(Equal("rgb(255, 255, 255)"))
		do(setScreen(1280, "dark"))
		Expect(value[string](ground)).To(Equal("rgb(13, 17, 23)"))
	})

	It("sees a message if the case or the suite of an address is unknown", func() {
		visit(url, "#case/router/none")
		Expect(text("#cases #notice")).To(Equal("No such case: none"))
		visit(url, "#suite/none")
		Expect(text("#overview #notice")).To(Equal("No such suite: none"))
		visit(url, "#overview")
		Expect(count("#notice")).To(BeZero())
	})

	DescribeTable("sees one valid view for an invalid address:", func(address, settles string) {
		do(chromedp.Navigate("about:blank"))
		visit(url, address)
		Expect(text("[data-view]:not([hidden]) h1")).To(Equal(settles))
		Expect(count("[data-view]:not([hidden])")).To(Equal(1))
	},
		Entry("the name of an unknown view", "#nowhere", "Overview"),
		Entry("an element that is not a view", "#theme", "Overview"),
		Entry("a suite that the run does not have", "#suite/none", "Overview"),
		Entry("a section of a suite", "#suite/router/confusion", "router"),
		Entry("a case that the suite does not have", "#case/router/none", "Cases"),
		Entry("a case of an unknown suite", "#case/none/tr-001", "Cases"),
		Entry("an address of a case without the suite and the id", "#case", "Cases"),
		Entry("filters with unknown values",
			"#cases?suite=x&variant=y&fault=z&result=a&change=b&expected=c&predicted=d&tag=e&sort=f&epoch=g&with=h",
			"Cases"),
		Entry("invalid percent-encoding", "#cases?suite=%E4%ZZ&q=%", "Cases"),
		Entry("filters with the names of built-in object properties",
			"#cases?change=constructor&sort=toString&result=__proto__",
			"Cases"),
	)
})

var _ = Describe("a browser that cannot decompress data", func() {
	It("shows a message with the command that shows a case", func() {
		url := writePage(report().parts())
		visit(url, "#overview")
		do(chromedp.Evaluate[chromedp.Void]("delete window.DecompressionStream; location.hash = '#cases'"))
		waitForTitle("Cases")
		Expect(text("#cases")).To(ContainSubstring("evalctl show"))
	})
})

var _ = Describe("a report page with corrupt data", func() {
	It("shows a message, and still shows its figures", func() {
		parts := report().parts()
		parts["meta"] = strings.Repeat("x", 10)
		visit(writePage(parts), "#cases")
		Expect(text("#cases")).To(ContainSubstring("cannot be read"))
		click(`nav a[href="#suite/router"]`)
		waitForTitle("router")
	})
})

package browser_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/page"
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

// each returns the value of a JavaScript expression about e, for each element e with the selector.
func each(selector, expression string) []string {
	GinkgoHelper()
	return value[[]string](fmt.Sprintf("[...document.querySelectorAll(%q)].map((e) => String(%s))", selector,
		expression))
}

// waitForTitle waits until the heading of the current view is h1.
func waitForTitle(h1 string) {
	GinkgoHelper()
	waitFor(fmt.Sprintf("document.querySelector('[data-view]:not([hidden]) h1')?.textContent === %q", h1))
}

// waitForCase waits until the case is open.
func waitForCase(id string) {
	GinkgoHelper()
	waitFor(fmt.Sprintf("document.querySelector('#cases.opened:not([hidden]) #case h2')?.textContent === %q", id))
}

var _ = Describe("a person who reads a report page", Ordered, ContinueOnFailure, func() {
	var url string

	BeforeAll(func() { url = writePage(report().parts()) })
	BeforeEach(func() {
		do(setScreen(1280, "light"))
		visit(url, "")
	})

	It("opens the cases of a confusion matrix cell and their timelines next to the list, which has the same filters",
		func() {
			click(`nav a[href="#suite/router"]`)
			waitForTitle("router")
			Expect(text("header [aria-current]")).To(Equal("router"))
			click("#cell")
			waitForTitle("Cases")
			Expect(text("#cases .count")).To(HavePrefix("77 of 230 cases, 77 wrong."))
			click("#cases .list li:nth-child(2) a")
			waitForCase("tr-005")
			Expect(text("#cases .list [aria-current] .id")).To(Equal("tr-005"))
			Expect(count("#case .timeline td.node")).To(Equal(3))
			Expect(text("#case .steps")).To(HavePrefix("2 of 77"))
			click("#to-previous")
			waitForCase("tr-002")
			click("#to-next")
			waitForCase("tr-005")
			Expect(value[string]("document.title")).To(Equal("tr-005 · evalctl"))
			Expect(value[string]("document.activeElement.tagName")).To(Equal("H2"))
			click("#case .more-events")
			Expect(count("#case .timeline td.node")).To(Equal(6))
			click("#segment-all")
			waitForAddress("#cases?suite=router&variant=rules&expected=search&predicted=chat")
			Expect(count("#cases .list li")).To(Equal(77))
			do(chromedp.Evaluate[chromedp.Void]("history.go(-5)"))
			waitForTitle("router")
		})

	It("opens a case that changed since the baseline run, and another condition of it", func() {
		click(`nav a[href="#suite/router"]`)
		click("#gained")
		waitForTitle("Cases")
		Expect(text("#cases .count")).To(HavePrefix("69 of 230 cases, 0 wrong."))
		Expect(text("#segment-fixed")).To(Equal("Fixed 69"))
		Expect(value[string]("document.querySelector('#segment-fixed').getAttribute('aria-current')")).To(Equal("true"))
		click("#cases .list li:nth-child(1) a")
		waitForCase("tr-005")
		Expect(text("#case p.verdict")).To(Equal("✓ search, as expected"))
		Expect(each("#case .conditions tbody tr", "[...e.children].map((c) => c.innerText).join('|')")).To(
			Equal([]string{
				"rules|no fault|✗ chat|0.104|", "llm|no fault|✓ search|5.00|",
				"llm|search:timeout|– (none)|12.0|error reply TIMED_OUT"}))
		click("#condition-0")
		waitFor("document.querySelector('#condition-0[aria-current]')")
		Expect(value[string]("document.activeElement.id")).To(Equal("condition-0"))
		Expect(text("#case p.verdict")).To(Equal("✗ chat, expected search, before: ✓ search"))
		Expect(each("#case .meta span", "e.textContent")).To(Equal([]string{
			"rules", "no fault", "decided by rules", "0.104 s", "1,656 tokens in, 129 out", "2 calls", "USD 0.00047"}))
	})

	It("filters the list of cases by each filter, and removes the filters again", func() {
		visit(url, "#cases?suite=router&variant=rules")
		choose("by-variant", "llm")
		waitForAddress("#cases?suite=router&variant=llm")
		choose("by-tag", "en (115)")
		waitForAddress("#cases?suite=router&variant=llm&tag=en")
		waitFor("document.querySelector('#cases .count').textContent.startsWith('115 of 230')")
		choose("by-result", "right (221)")
		waitForAddress("#cases?suite=router&variant=llm&result=correct&tag=en")
		waitFor("document.activeElement.id === 'by-result'")
		click("#segment-wrong")
		waitForAddress("#cases?suite=router&variant=llm&result=wrong&tag=en")
		waitFor("document.querySelector('#segment-wrong[aria-current]')")
		Expect(text("#segment-wrong")).To(MatchRegexp(`^Wrong \d$`))
		Expect(text("#cases .count")).To(MatchRegexp(`^\d of 230 cases, \d wrong`))
		click("#cases .count a")
		waitForAddress("#cases?suite=router&variant=llm")
		waitFor("document.querySelector('#cases .count').textContent.startsWith('230 cases')")
		choose("by-result", "another label than rules")
		waitForAddress("#cases?suite=router&variant=llm&change=different")
		click("#segment-new_pass")
		waitForAddress("#cases?suite=router&variant=llm&change=new_pass")
		waitFor("document.querySelector('#segment-new_pass[aria-current]')")
		Expect(each("#cases .buttons .name", "e.textContent")).
			To(Equal([]string{"Result", "Compared with rules", "Compared with baseline run"}))
		Expect(text("#cases .count")).To(HavePrefix(strings.TrimPrefix(text("#segment-new_pass"),
			"Fixed ") + " of 230"))
		Expect(each("#cases .list li:first-child .tag", "e.textContent")).To(ContainElement("fixed vs baseline run"))
		choose("by-fault", "search:timeout")
		waitFor("document.querySelector('#cases .list .tag.wn')")
		Expect(text("#cases .count")).To(HavePrefix("230 cases, 0 wrong, 230 not scored"))
		choose("by-sort", "slowest first")
		waitForAddress("#cases?suite=router&variant=llm&fault=search%3Atimeout&sort=slowest")
	})

	It("searches ids and texts of cases, without additional entries in the browser history", func() {
		visit(url, "#cases?variant=rules")
		before := value[int]("history.length")
		press("/")
		waitFor("document.activeElement.id === 'by-q'")
		typeText("搜一下 NUMBER 17")
		waitForAddress("#cases?suite=router&variant=rules&q=" + "%E6%90%9C%E4%B8%80%E4%B8%8B%20NUMBER%2017")
		waitFor("document.querySelectorAll('#cases .list li').length === 13")
		Expect(value[string]("document.activeElement.id")).To(Equal("by-q"))
		Expect(value[int]("history.length")).To(Equal(before))
		press("j") // typed into the search box, where it is not a shortcut
		waitFor("document.querySelector('#by-q').value.endsWith('17j')")
	})

	It("gets more cases in the list with a button, and the same number of cases after a reload", func() {
		visit(url, "#cases?variant=rules")
		Expect(count("#cases .list li")).To(Equal(100))
		click("#more-cases")
		Expect(count("#cases .list li")).To(Equal(200))
		click("#more-cases")
		Expect(count("#cases .list li")).To(Equal(manyCases))
		Expect(value[bool]("document.querySelector('#more-cases').hidden")).To(BeTrue())
		do(chromedp.Reload())
		waitFor(fmt.Sprintf("document.querySelectorAll('#cases .list li').length === %d", manyCases))
	})

	It("sees an open case first on a narrow screen, without the list, and returns to the same position in the list",
		func() {
			do(setScreen(390, "light"))
			visit(url, "#cases?variant=rules")
			Expect(value[bool]("document.querySelector('#case').childElementCount === 0")).To(BeTrue())
			do(chromedp.Evaluate[chromedp.Void]("scrollTo({ top: 3000, behavior: 'instant' })"))
			waitFor("history.state?.top === 3000")
			do(chromedp.Evaluate[chromedp.Void]("document.querySelector('#cases .list li:nth-child(50) a').click()"))
			waitForCase("tr-050")
			Expect(each("#cases .list, #filters", "e.checkVisibility()")).To(HaveEach("false"))
			Expect(text("#to-list")).To(Equal("← list (50 of 230)"))
			Expect(value[float64]("document.querySelector('#case h2').getBoundingClientRect().top")).
				To(BeNumerically("<", 120))
			do(chromedp.Evaluate[chromedp.Void]("history.back()"))
			waitFor("!document.querySelector('#cases.opened')")
			waitFor("scrollY === 3000")
		})

	It("goes to the next and the previous case with the keys j and k, also beyond the rendered part of the list",
		func() {
			visit(url, "#case/router/tr-001?variant=llm")
			press("j")
			waitForCase("tr-002")
			press("j")
			waitForCase("tr-003")
			press("k")
			waitForCase("tr-002")
			visit(url, "#case/router/tr-200?variant=llm")
			Expect(text("#cases .list [aria-current] .id")).To(Equal("tr-200"))
			press("j")
			waitForCase("tr-201")
			box := "e.getBoundingClientRect()"
			Expect(each("#cases .list li [aria-current]", box+".top >= 0 && "+box+".bottom <= innerHeight")).
				To(Equal([]string{"true"}))
			visit(url, "#cases?variant=llm") // the first case is shown without being opened
			waitFor("document.querySelector('#case h2')?.textContent === 'tr-001'")
			press("j")
			waitForCase("tr-002")
		})

	It("sorts the cases with a menu that stays visible while the list scrolls; the order is part of the address",
		func() {
			visit(url, "#cases?variant=llm&sort=most_expensive")
			Expect(each("#by-sort option", "e.textContent")).To(Equal([]string{"by case id", "slowest first",
				"least confident first", "most expensive first"}))
			Expect(text("#cases .list li:first-child .id")).To(Equal("tr-200"))
			Expect(text("#cases .list li:first-child .note")).To(ContainSubstring("USD 0.00020"))
			do(chromedp.Evaluate[chromedp.Void]("document.querySelector('#cases .rows').scrollTop = 2000"))
			Expect(value[float64]("document.querySelector('#by-sort').getBoundingClientRect().top")).
				To(BeNumerically(">", 0))
			do(chromedp.Evaluate[chromedp.Void]("document.querySelector('#by-sort').focus()"))
			press("s")
			waitForAddress("#cases?suite=router&variant=llm&sort=slowest")
			waitFor("document.querySelector('#cases .list li .id').textContent === 'tr-001'")
			Expect(value[string]("document.activeElement.id")).To(Equal("by-sort"))
			choose("by-sort", "least confident first")
			waitFor("document.querySelector('#cases .list li:nth-child(2) .id').textContent === 'tr-041'")
			visit(url, "#cases?variant=rules") // has neither confidences nor costs
			Expect(each("#by-sort option", "e.textContent")).To(Equal([]string{"by case id", "slowest first"}))
		})

	It("sees the cases of the filters as a grid with a column for each variant, and opens one with the keyboard", func() {
		visit(url, "#cases?variant=rules")
		click("#view-grid")
		waitForAddress("#cases?suite=router&variant=rules&view=grid")
		waitFor("document.querySelector('#cases .rows table')")
		Expect(each("#cases .rows thead th", "e.innerText")).To(Equal([]string{"case", "llm", "rules"}))
		Expect(count("#cases .rows tbody tr")).To(Equal(200))
		click("#more-cases")
		Expect(count("#cases .rows tbody tr")).To(Equal(manyCases))
		click("#segment-wrong")
		waitFor("document.querySelectorAll('#cases .rows tbody tr').length === 77")
		Expect(text("#cases .count")).To(HavePrefix("77 of 230 cases, 77 wrong."))
		Expect(each("#cases .rows tbody tr:nth-child(1) > *", `e.innerText.replace(/\s+/g, " ")`)).To(Equal([]string{
			"tr-002 搜一下 number 2, would you? expected search", "✗ chat", "✗ chat"}))
		Expect(each("#cases .rows tbody tr:nth-child(2) td [role=img]", "e.ariaLabel")).
			To(Equal([]string{"llm: right", "rules: wrong"}))
		do(chromedp.Evaluate[chromedp.Void]("document.querySelector('#cases .rows tbody a').focus()"))
		do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowRight))
		Expect(text(":focus")).To(Equal("✓ search"))
		do(chromedp.KeyEvent(kb.Enter))
		waitForCase("tr-005")
		waitForAddress("#case/router/tr-005?variant=llm&result=wrong&view=grid")
		click("#to-list")
		waitForAddress("#cases?suite=router&variant=llm&result=wrong&view=grid")
		waitFor("document.querySelectorAll('#cases .rows tbody tr').length === 9")
		visit(url, "#cases?suite=studio%2F2&variant=v1&view=grid")
		Expect(each("#cases .rows tbody tr:nth-child(1) td", "e.innerText")).
			To(Equal([]string{"✓ draw 3 of 3", "~ draw 2 of 3"}))
	})

	It("scrolls a grid that is wider than the screen inside its box", func() {
		d := report()
		for n := range 6 {
			d.meta.Suites[0].Conditions = append(d.meta.Suites[0].Conditions,
				page.Condition{Variant: fmt.Sprintf("variant-%d", n), Fault: "none"})
			d.trials[0].Conditions = append(d.trials[0].Conditions, d.trials[0].Conditions[n%2])
		}
		do(setScreen(390, "light"))
		visit(writePage(d.parts()), "#cases?variant=rules&view=grid")
		Expect(count("#cases .rows tbody tr:first-child td")).To(Equal(8))
		Expect(value[int]("document.documentElement.scrollWidth")).To(Equal(390))
		Expect(value[bool]("(() => { const e = document.querySelector('#cases .rows'); return e.scrollWidth > e.clientWidth && e.tabIndex === 0; })()")).
			To(BeTrue())
	})

	It("sees the id and the verdict of each case that is opened, also if a scroll ends while the case is loaded", func() {
		visible := func(selector string) bool {
			box := fmt.Sprintf("document.querySelector(%q).getBoundingClientRect()", selector)
			return value[bool](box + ".top >= document.querySelector('header.bar').offsetHeight && " +
				box + ".bottom <= innerHeight")
		}
		for _, width := range []int64{390, 1280, 1680} {
			do(setScreen(width, "light"))
			visit(writePage(report().parts()), "#case/router/tr-010?variant=llm")
			do(chromedp.Evaluate[chromedp.Void]("scrollTo({ top: 10000, behavior: 'instant' })"))
			waitFor("history.state?.top > 200")
			do(chromedp.Evaluate[chromedp.Void]("addEventListener('hashchange', () => " +
				"dispatchEvent(new Event('scrollend')), { once: true }); location.hash = '#case/studio%2F2/st-1?variant=v1'"))
			waitFor("document.documentElement.dataset.shown?.includes('st-1')")
			Expect(visible("#case h2")).To(BeTrue(), "%d px", width)
			Expect(visible("#case p.verdict")).To(BeTrue(), "%d px", width)
		}
	})

	It("keeps the case open when another variant or a text is selected", func() {
		visit(url, "#case/router/tr-004?variant=rules")
		choose("by-variant", "llm")
		waitForAddress("#case/router/tr-004?variant=llm")
		waitFor("document.querySelector('#case p.verdict').innerText === '✗ image, expected chat, before: ✗ chat'")
		do(chromedp.Evaluate[chromedp.Void]("document.activeElement.blur()")) // a select uses the keys itself
		press("/")
		waitFor("document.activeElement.id === 'by-q'")
		typeText("number 4")
		waitForAddress("#case/router/tr-004?variant=llm&q=number%204")
		waitFor("document.querySelector('#case .steps').textContent.includes('1 of 41')")
	})

	It("starts with the wrong cases of the most accurate variant that is no baseline model", func() {
		d := report()
		d.meta.Suites[0].Conditions[1].BaselineModel, d.meta.Suites[0].Conditions[2].BaselineModel = true, true
		for _, one := range []struct{ url, variant, wrong string }{
			{url, "llm", "9"},
			{writePage(d.parts()), "rules", "77"}, // llm is more accurate, but a baseline model
		} {
			visit(one.url, "#overview")
			click(`nav a[href="#cases"]`)
			waitForTitle("Cases")
			Expect(value[string]("document.querySelector('#by-variant').selectedOptions[0].textContent")).
				To(Equal(one.variant))
			Expect(text("#cases .segments [aria-current]")).To(Equal("Wrong " + one.wrong))
			Expect(text("#cases .count")).To(HavePrefix(one.wrong + " of 230 cases, " + one.wrong + " wrong."))
			click("#segment-all")
			waitForAddress("#cases?suite=router&variant=" + one.variant)
			waitFor("document.querySelector('#segment-all[aria-current]')")
		}
	})

	It("sees the whole label that a filter selects, and separators only after facts", func() {
		d := report()
		d.meta.Suites[0].Labels[0] = "balance_not_updated_after"
		visit(writePage(d.parts()), "#cases?variant=rules&expected=balance_not_updated_after")
		Expect(value[bool](`(() => {
			const s = document.querySelector('#by-expected');
			const c = document.createElement('canvas').getContext('2d');
			c.font = getComputedStyle(s).font;
			return c.measureText(s.selectedOptions[0].textContent).width + 16 < s.clientWidth;
		})()`)).To(BeTrue())
		Expect(each("#case .meta > span", "getComputedStyle(e, '::before').content")).To(HaveEach("none"))
		Expect(each("#case .meta > span", "getComputedStyle(e, '::after').content")).To(ContainElement(`"·"`))
	})

	It("has all filters in one row at 1,280 px", func() {
		visit(url, "#cases?suite=router&variant=llm")
		Expect(value[int]("new Set([...document.querySelectorAll('#filters .field')].map((e) => " +
			"Math.round(e.getBoundingClientRect().bottom))).size")).To(Equal(1))
	})

	It("sees one confidence everywhere, and the confidence of a rejected model as such", func() {
		d := report()
		for i := range 3 {
			d.trials[0].Conditions[0].Confidence = append(d.trials[0].Conditions[0].Confidence, 83)
			d.trials[0].Conditions[0].Rejected = append(d.trials[0].Conditions[0].Rejected, 1-2*(i%2))
		}
		d.blocks[0].Cases[0].Trials[0].Turns[0].Decision.IsRejected = true
		d.blocks[0].Cases[0].Trials[0].Turns[0].Decision.Confidence = "0.83"
		visit(writePage(d.parts()), "#case/router/tr-001?variant=rules")
		Expect(text("#case .meta")).To(ContainSubstring("model 0.83, rejected"))
		Expect(text("#cases .list li:nth-child(1) .note")).To(ContainSubstring(", model 0.83, rejected"))
		press("j")
		waitForCase("tr-002")
		Expect(text("#case .meta")).To(ContainSubstring("confidence 0.83"))
		Expect(text("#cases .list li:nth-child(2) .note")).To(ContainSubstring(", 0.83"))
	})

	It("sees the first 200 calls of a case, and more on request", func() {
		d := report()
		turn := &d.blocks[0].Cases[0].Trials[0].Turns[0]
		for n := range 500 {
			turn.Events = append(turn.Events, page.Event{At: float64(n), Duration: 1, Node: "tool", Kind: "call",
				Call: &page.Call{Model: "m"}})
		}
		visit(writePage(d.parts()), "#case/router/tr-001?variant=rules")
		Expect(count("#case .timeline td.node")).To(Equal(200))
		Expect(text("#case .more-rows")).To(Equal("Show 200 more of 303"))
		click("#case .more-rows")
		click("#case .more-rows")
		Expect(count("#case .timeline td.node")).To(Equal(503))
		Expect(each("#case .more-rows", "e.hidden")).To(HaveEach("true"))
		click("#case .more-events")
		Expect(count("#case .timeline td.node")).To(Equal(200))
	})

	It("sees the first 12 of many conditions, those with another result first", func() {
		d := report()
		s, t := &d.meta.Suites[0], &d.trials[0]
		for n := range 20 {
			s.Conditions = append(s.Conditions, page.Condition{Variant: "llm", Fault: fmt.Sprintf("f:%02d", n)})
			t.Conditions = append(t.Conditions, t.Conditions[n%2]) // tr-002: even faults as rules, odd ones as llm
		}
		d.trials[0].Conditions[0].Predicted[0] = 1 // rules and the even faults have another result in tr-001
		visit(writePage(d.parts()), "#case/router/tr-001?variant=llm")
		Expect(each("#case .conditions tbody tr", "e.children[2].innerText")).
			To(Equal(append([]string{"✓ chat", "✓ search", "– (none)"}, slices.Repeat([]string{"✓ search"}, 9)...)))
		click("#case .more-conditions")
		Expect(count("#case .conditions tbody tr")).To(Equal(23))
		Expect(count("#case .more-conditions")).To(BeZero())
	})

	It("shows the list from its top if the address selects it, also while the file loads", func() {
		for _, address := range []string{"#cases", "#cases?suite=router", "#suite/router"} {
			do(chromedp.Navigate("about:blank"))
			visit(url, address)
			Expect(value[float64]("new Promise((done) => setTimeout(() => done(scrollY), 50))")).To(BeZero(), address)
		}
	})

	It("sees the marks of all variants of a case with their names, the most accurate variant first", func() {
		visit(url, "#cases?variant=rules")
		Expect(text("#cases .order")).To(Equal("Signs, most accurate first: llm, rules"))
		Expect(each("#cases .list li:nth-child(5) .marks span", "e.textContent + e.ariaLabel")).
			To(Equal([]string{"✓llm: right", "✗rules: wrong"}))
		visit(url, "#cases?suite=studio%2F2&variant=v1")
		Expect(each("#cases .list li:nth-child(1) .marks span", "e.textContent + e.ariaLabel")).
			To(ContainElement("~v1: right in 2 of 3 epochs"))
	})

	It("sees the prompts and the replies of the calls; only the call that decided is unfolded", func() {
		visit(url, "#case/router/tr-001?variant=llm")
		Expect(each("#case .prompts details", "e.open + ' ' + e.querySelector('summary').innerText")).
			To(Equal([]string{"true router: deepseek/deepseek-chat, 429 tokens in, 26 out, 0.762 s"}))
		Expect(each("#case .prompts pre", "e.innerText")).To(Equal([]string{
			"system (prompt 0123456789ab)\nYou route messages. … 9 more characters\nuser\nwho won",
			`{"route":"search","confidence":0.62}`}))
	})

	It("sees the prompts and the replies of two variants next to each other, and below each other on narrow screens",
		func() {
			differ := func(edge string) bool {
				return value[bool]("(([a, b]) => a." + edge + " !== b." + edge + ")([...document.querySelectorAll(" +
					"'#case .prompts details[open] pre:last-child')].map((e) => e.getBoundingClientRect()))")
			}
			visit(url, "#case/router/tr-001?variant=llm&with=rules")
			Expect(each("#case .prompts .side", "e.querySelector('h4').innerText + e.querySelectorAll('pre').length")).
				To(Equal([]string{"llm2", "rules2"}))
			Expect(differ("top")).To(BeFalse())
			Expect(differ("left")).To(BeTrue())
			do(setScreen(1200, "light"))
			Expect(differ("top")).To(BeTrue())
			Expect(differ("left")).To(BeFalse())
		})

	It("sees the epochs of a case summarized in the list, and each one in the case", func() {
		visit(url, "#cases?suite=studio%2F2&variant=v1&result=inconsistent")
		Expect(count("#cases .list li")).To(Equal(1))
		Expect(text("#cases .list .epochs")).To(Equal("2 of 3"))
		Expect(count("#cases .list .dots .dot-right")).To(Equal(2))
		Expect(count("#cases .list .dots .dot-wrong")).To(Equal(1))
		click("#cases .list li a")
		waitForCase("st-1")
		Expect(text("#case .message.agent .text")).To(ContainSubstring("第 1 张"))
		click("#case .tabs a:nth-child(2)")
		waitForAddress("#case/studio%2F2/st-1?variant=v1&result=inconsistent&epoch=2")
		waitFor("document.querySelector('#case .message.agent .text').textContent.includes('第 2 张')")
		Expect(text("#case p.verdict")).To(Equal("✗ write, expected draw"))
		Expect(text("#case .command code")).To(HaveSuffix("--variant v1 --epoch 2"))
	})

	It("sees two replies to the same case next to each other, with their differences marked", func() {
		visit(url, "#case/studio%2F2/st-1?variant=v1")
		choose("with", "v2")
		waitForAddress("#case/studio%2F2/st-1?variant=v1&with=v2")
		waitFor("document.querySelector('#case .pair')")
		Expect(value[[]string]("[...document.querySelectorAll('#case mark')].map((m) => m.textContent)")).
			To(Equal([]string{"主体明确", "风格到位"}))
		left, right := value[float64]("document.querySelectorAll('#case .turn .side')[0].getBoundingClientRect().top"),
			value[float64]("document.querySelectorAll('#case .turn .side')[1].getBoundingClientRect().top")
		Expect(left).To(Equal(right))
		Expect(each("#case .result", "e.querySelector('.verdict').innerText + '|' + e.querySelector('.meta span').innerText")).
			To(Equal([]string{"✓ draw, as expected|v1", "✓ draw, as expected|v2"}))
	})

	It("sees all turns of a case on one axis, and two trials on the same axis", func() {
		bars := func() []string {
			return each("#case .timeline rect.call", "e.getAttribute('x') + ' ' + e.getAttribute('width')")
		}
		visit(url, "#case/router/tr-001?variant=rules")
		Expect(bars()).To(Equal([]string{"0.000% 38.100%"}))
		Expect(each("#case .axis text", "e.textContent")).To(Equal([]string{"0 s", "0.5", "1", "1.5", "2"}))
		Expect(count("#case .timeline rect.poll")).To(Equal(4))
		visit(url, "#case/router/tr-001?variant=rules&with=llm")
		Expect(bars()).To(Equal([]string{"0.000% 19.050%", "0.000% 19.050%"}))
		visit(url, "#case/studio%2F2/st-2?variant=v1")
		Expect(bars()).To(Equal([]string{"0.000% 28.986%", "34.783% 57.971%"}))
		Expect(each("#case .timeline .turn-row", "e.innerText")).
			To(Equal([]string{"Turn 1, 0.480 s", "Turn 2, 0.900 s"}))
		Expect(count("#case .timeline rect.gap")).To(Equal(1))
	})

	It("sees the turn that decides the verdict, the facts of a turn, and the fallbacks in the list", func() {
		visit(url, "#case/studio%2F2/st-1?variant=v1&epoch=2")
		Expect(text("#case .turn .facts")).To(Equal("session\ns1"))
		Expect(each("#case .turn > .head", `e.innerText.replace(/\s+/g, " ")`)).To(Equal([]string{
			"Turn 1 decides the verdict ✗ write expected draw · confidence 0.52 · 0.480 s", "Turn 2 0.900 s"}))
		Expect(text("#case .conditions .head")).To(ContainSubstring("2 conditions; epoch 2."))
		visit(url, "#cases?suite=router&variant=llm&fault=search%3Atimeout")
		Expect(text("#cases .list .fallbacks")).To(Equal("2 fallbacks"))
	})

	It("sees the path of agents with proposed and executed steps, and the images in the file", func() {
		visit(url, "#case/studio%2F2/st-1?variant=v1")
		Expect(each("#case .path li", `e.innerText.replaceAll("\n", "|")`)).To(Equal([]string{
			"Researcher|llm · needs sources · at 0.480 s", "END → Writer|precondition · end_rejected · at 0.900 s",
			"END → (refused) ×2|precondition · end_rejected", "END|llm",
		}))
		Expect(each("#case .turn img", "e.alt !== '' && e.naturalWidth === 5")).To(Equal([]string{"true", "true"}))
		Expect(text("#case .message.user")).To(ContainSubstring("https://example.com/a.png"))
		Expect(text("#case .message.agent")).To(ContainSubstring("data:image/svg+xml"))
		Expect(text("#case")).To(ContainSubstring("… 1,200 more characters"))
	})

	It("sees a note that the file does not contain a trace, and copies the command that shows the trace", func() {
		visit(url, "#case/router/tr-100?variant=llm&fault=search%3Atimeout")
		Expect(text("#case")).To(
			ContainSubstring("the full trace of 30 of 702 trials, but not of this one"))
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

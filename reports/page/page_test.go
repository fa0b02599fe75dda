package page_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/net/html"

	"evalctl/reports/page"
)

var _ = Describe("a report page", func() {
	var text string
	var all []*html.Node

	BeforeEach(func() {
		text, _ = written(testPage(plain))
		all = elements(text)
	})

	of := func(name string) (list []*html.Node) {
		for _, n := range all {
			if n.Data == name {
				list = append(list, n)
			}
		}
		return list
	}

	It("sends no requests, and its content security policy allows only its own style sheet and script", func() {
		for _, n := range all {
			for _, a := range n.Attr {
				Expect(a.Key).NotTo(Or(HavePrefix("on"), Equal("style"), Equal("srcdoc"), Equal("action")),
					"%s of %s", a.Key, n.Data)
				switch a.Key {
				case "href":
					Expect(a.Val).To(HavePrefix("#"))
				case "src":
					Expect(a.Val).To(HavePrefix("data:"))
				}
			}
			Expect(n.Data).NotTo(BeElementOf("link", "iframe", "object", "embed", "base", "form"))
		}
		style, scripts := of("style"), of("script")
		Expect(style).To(HaveLen(1))
		css := style[0].FirstChild.Data
		Expect(css).NotTo(ContainSubstring("@import"))
		for _, u := range regexp.MustCompile(`url\(([^)]*)\)`).FindAllStringSubmatch(css, -1) {
			Expect(u[1]).To(HavePrefix("#"))
		}
		script := scripts[len(scripts)-1]
		Expect(attribute(script, "type")).To(BeEmpty())
		policy := attribute(of("meta")[1], "content")
		Expect(policy).To(Equal(
			fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'",
				hashed(css), hashed(script.FirstChild.Data))))
	})

	It("has no smooth scrolling, and every scrollable area can be scrolled with the keyboard", func() {
		Expect(of("style")[0].FirstChild.Data).NotTo(ContainSubstring("smooth"))
		boxes := 0
		for _, n := range all {
			if attribute(n, "class") == "scroll" {
				boxes++
				Expect([]string{attribute(n, "tabindex"), attribute(n, "role")}).To(Equal([]string{"0", "region"}))
				Expect(attribute(n, "aria-label")).NotTo(BeEmpty())
			}
		}
		Expect(boxes).To(BeNumerically(">", 4))
	})

	It("contains only links to existing elements and to cases", func() {
		ids := map[string]bool{}
		for _, n := range all {
			if id := attribute(n, "id"); id != "" {
				Expect(ids[id]).To(BeFalse(), "%s twice", id)
				ids[id] = true
			}
		}
		links := 0
		for _, n := range of("a") {
			at := attribute(n, "href")
			if strings.HasPrefix(at, "#cases") || strings.HasPrefix(at, "#case/router/") {
				Expect(at).To(MatchRegexp(`^#(cases(\?suite=router[^ ]*)?|case/router/case-\d\d[^ ]*)$`))
				links++
				continue
			}
			Expect(ids[strings.TrimPrefix(at, "#")]).To(BeTrue(), at)
		}
		Expect(links).To(BeNumerically(">", 20))
	})

	It("has an overview and a view for each suite, each with one main heading, and landmarks for screen readers",
		func() {
			var views []string
			for _, n := range all {
				if view := attribute(n, "data-view"); view != "" {
					views = append(views, attribute(n, "id"))
					h1 := 0
					for c := range n.Descendants() {
						if c.Data == "h1" && c.Type == html.ElementNode {
							h1++
						}
					}
					Expect(h1).To(Equal(1))
				}
			}
			Expect(views).To(Equal([]string{"overview", "suite/router", "cases"}))
			for _, name := range []string{"header", "nav", "main", "footer", "title"} {
				Expect(of(name)).To(HaveLen(1), name)
			}
			for _, n := range of("th") {
				Expect(attribute(n, "scope")).NotTo(BeEmpty(), textOf(n))
			}
			for _, n := range of("svg") {
				Expect(attribute(n, "aria-hidden")).To(Equal("true"), "its value is next to it")
			}
		})

	It("lists failed gates first, each with its value", func() {
		var gates []string
		for _, n := range of("li") {
			if slices.Contains([]string{"passed", "undecided", "failed"}, attribute(n, "class")) {
				gates = append(gates, textOf(n))
			}
		}
		Expect(gates).To(Equal([]string{
			"✗ failed latency.p95 <= 1s3.80 s [3.70, 4.00]",
			"? undecided fallback.rate <= 0.17 of 40 120 cases are needed to decide it.",
			"✓ passed route.accuracy >= 0.780.0 %",
		}))
	})

	It("describes each suite, and counts the trials with a trace", func() {
		Expect(text).To(And(ContainSubstring("40 cases"), ContainSubstring("2 variants"), ContainSubstring("1 fault<"),
			ContainSubstring("models and time are simulated")))
		Expect(textOf(of("footer")[0])).
			To(HavePrefix("Made by evalctl from runs/1: 0 of 120 trials with their full trace. This file makes no network requests."))
	})

	It("contains no additional elements and no control characters if names are hostile", func() {
		worse, _ := written(testPage(hostile))
		got := elements(worse)
		Expect(kinds(got)).To(Equal(kinds(all)))
		for _, r := range worse {
			Expect(r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && r != '\u202e' && r != '\ufeff').
				To(BeTrue(), "%U", r)
		}
		Expect(worse).To(And(ContainSubstring("[U&#43;202E]"), Not(ContainSubstring("<img"))))
	})

	It("is identical for equal runs", func() {
		again, _ := written(testPage(plain))
		Expect(strings.ReplaceAll(again, " ", "")).To(HaveLen(len(strings.ReplaceAll(text, " ", ""))))
		Expect(again == text).To(BeTrue())
	})

	It("contains only figures if there is only a summary, and states if a run is partial", func() {
		p := testPage(plain)
		p.Run, p.Summary.Partial, p.Summary.Gates = nil, true, nil
		text, info := written(p)
		Expect(text).To(And(ContainSubstring("Partial:"), Not(ContainSubstring("<script")),
			Not(ContainSubstring(`href="#cases"`)), ContainSubstring("script-src &#39;none&#39;")))
		Expect(info.Traced).To(BeZero())
	})

	It("states in each view that the run is partial, with the number of completed trials", func() {
		p := testPage(plain)
		p.Summary.Partial = true
		p.Summary.Suites[0].Cases *= 100
		text, _ := written(p)
		for _, n := range elements(text) {
			if view := attribute(n, "data-view"); view == "overview" || view == "suite" {
				Expect(textOf(n)).To(MatchRegexp(
					`! Partial: the run did not end; .*: [0-9,]+ of [0-9,]+ trials, not a random sample\.`), view)
			}
		}
	})

	It("starts with the change since the baseline run, and names that run", func() {
		p := testPage(plain)
		p.BaselineRun = resultsRun(plain)
		text, _ := written(p)
		Expect(strings.Count(text, "make identical decisions in all 40 cases")).
			To(Equal(2), "on the overview and in the suite")
		for _, n := range elements(text) {
			if attribute(n, "id") == "overview" {
				Expect(textOf(n)).To(MatchRegexp(
					`^runs/1 120 trials · compared with \S+results.jsonl .*models and time are simulated ?Compared with \S+results.jsonl: rules and llm make identical decisions in all 40 cases\. `))
			}
		}
	})

	It("explains without a script why it shows no cases", func() {
		for _, n := range all {
			if attribute(n, "id") == "cases" {
				Expect(textOf(n)).To(ContainSubstring("Single cases require JavaScript, or use evalctl show"))
				return
			}
		}
		Fail("the link leads nowhere")
	})

	It("states that no suite ran", func() {
		text, _ := written(page.Page{Title: "evalctl run"})
		Expect(text).To(ContainSubstring("No suite ran:"))
	})

	It("is written even if it exceeds the maximum size; Write then returns by how much", func() {
		p := testPage(plain)
		p.MaxBytes = 10_000
		text, info := written(p)
		Expect(info.BytesOverLimit).To(BeEquivalentTo(len(text) - 10_000))
		Expect(info.Trials).To(BeEquivalentTo(3 * cases))
	})

	It("links each count to the cases that it counts", func() {
		var links []string
		for _, n := range of("a") {
			links = append(links, textOf(n)+" "+attribute(n, "href"))
		}
		// rules is wrong in 8 of 40 cases, and llm in 4 of these; under the fault, 10 trials of llm
		// fail
		Expect(links).To(ContainElements("+44 fixed #cases?suite=router&variant=llm&change=fixed",
			"10 of 40 cases #cases?suite=router&variant=llm&fault=router%3Atimeout&result=unscored",
			"20 degraded #cases?suite=router&variant=llm&fault=router%3Atimeout&result=degraded",
			"10 #cases?suite=router&variant=llm&fault=router%3Atimeout&result=error_reply"))
	})
})

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func kinds(list []*html.Node) (names []string) {
	for _, n := range list {
		names = append(names, n.Data)
	}
	return names
}

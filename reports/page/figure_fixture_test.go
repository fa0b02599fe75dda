package page_test

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"golang.org/x/net/html"

	"evalctl/eval"
	"evalctl/reports/page"
)

func share(k, n int64) eval.Estimate {
	v := float64(k) / float64(n)
	return eval.Estimate{Value: &v, Lo: new(max(v-0.1, 0)), Hi: new(min(v+0.1, 1)), N: n}
}

func value(v float64, n int64) eval.Estimate {
	return eval.Estimate{Value: &v, Lo: new(v * 0.9), Hi: new(v * 1.1), N: n}
}

// variant returns a condition with two labels and without a fault. The numbers are the counts of
// its confusion matrix.
func variant(name string, aa, ab, ba, bb int64) eval.ConditionSummary {
	return eval.ConditionSummary{Variant: name, Fault: eval.NoFault, Trials: aa + ab + ba + bb,
		Confusion: &eval.Confusion{Labels: []string{"chat", "web_search"}, ExpectedLabels: 2,
			Counts: [][]int64{{aa, ab}, {ba, bb}}},
		Metrics: map[string]eval.Estimate{
			"route.recall.chat": share(aa, aa+ab), "route.precision.chat": share(aa, aa+ba),
			"route.f1.chat":           {Value: new(0.9)},
			"route.recall.web_search": share(bb, ba+bb), "route.precision.web_search": share(bb, ab+bb),
			"route.f1.web_search": {Value: new(0.8)},
			"latency.p50":         value(960, 100), "latency.p95": value(10_800, 100),
		}}
}

func under(c eval.ConditionSummary, fault string) eval.ConditionSummary {
	c.Fault = fault
	return c
}

func parsed(fragment template.HTML) *html.Node {
	GinkgoHelper()
	root, err := html.Parse(strings.NewReader("<main>" + string(fragment) + "</main>"))
	Expect(err).NotTo(HaveOccurred())
	return root
}

func each(n *html.Node, visit func(*html.Node)) {
	visit(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		each(c, visit)
	}
}

func figureAttribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// count returns how many elements with this name and CSS class a fragment has; class "": any.
func count(fragment template.HTML, name, class string) (n int) {
	GinkgoHelper()
	each(parsed(fragment), func(e *html.Node) {
		if e.Type == html.ElementNode && e.Data == name &&
			(class == "" || strings.Contains(" "+figureAttribute(e, "class")+" ", " "+class+" ")) {
			n++
		}
	})
	return n
}

// links returns the targets of the links in a fragment by the text of the link.
func links(fragment template.HTML) map[string]string {
	GinkgoHelper()
	found := map[string]string{}
	each(parsed(fragment), func(e *html.Node) {
		if e.Type == html.ElementNode && e.Data == "a" {
			found[figureAttribute(e, "href")] = strings.TrimSpace(figureAttribute(e, "aria-label") + " " + text(e))
		}
	})
	return found
}

var blanks = regexp.MustCompile(`\s+`)

func text(n *html.Node) string {
	var b strings.Builder
	each(n, func(e *html.Node) {
		if e.Type == html.TextNode {
			b.WriteString(e.Data + " ")
		}
	})
	return strings.TrimSpace(blanks.ReplaceAllString(strings.ReplaceAll(b.String(), "\u00a0", " "), " "))
}

func words(fragment template.HTML) string {
	GinkgoHelper()
	return text(parsed(fragment))
}

// elements counts the elements of a fragment. It fails if an attribute contains a script or a
// style, or if a link leaves the page.
func figureElements(fragment template.HTML) (n int) {
	GinkgoHelper()
	each(parsed(fragment), func(e *html.Node) {
		if e.Type != html.ElementNode {
			return
		}
		n++
		Expect(e.Data).NotTo(BeElementOf("script", "style", "img", "iframe"))
		for _, a := range e.Attr {
			Expect(a.Key).NotTo(Or(HavePrefix("on"), Equal("style")))
			if a.Key == "href" {
				Expect(a.Val).To(HavePrefix("#"))
			}
		}
	})
	return n
}

func figureHostile(n int) string {
	return fmt.Sprintf("<script>alert(%d)</script>\"'&\x1b[31m\u202e onload=x href=//evil", n)
}

func spreadOf(s eval.SuiteSummary, results ...eval.Result) *page.SuiteDistribution {
	all := page.NewCollector([]eval.SuiteSummary{s})
	for _, r := range results {
		all.Add(r)
	}
	return all.Finish(s)
}

// trial returns a trial that expects chat and takes ms milliseconds.
func trial(variant string, n int, ms float64) eval.Result {
	return eval.Result{Suite: "s", Case: fmt.Sprintf("c%03d", n), Variant: variant, Fault: eval.NoFault,
		Epoch: 1, AnsweredBy: "x",
		Turns: []eval.TurnSummary{{Answered: true, Duration: eval.Millis(ms * float64(time.Millisecond))}},
		Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Expected: eval.OneOf{"chat"}, Actual: "chat",
			Verdict: eval.Pass}}}
}

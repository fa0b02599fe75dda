package reports_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/net/html"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports"
	"evalctl/reports/page"
)

// asIs returns a name unchanged; withMarkup adds markup, control characters and invisible characters
// to it.
func asIs(text string) string { return text }

func withMarkup(text string) string {
	return `</script><img src=x onerror=alert(1)>"'` + "`{{.}}]]>--> &amp;\u202e\x1b[31m\x00\ufeff" + text
}

// pageCases is the number of cases of the generated run.
const pageCases = 40

// pageResults returns the results of two variants, with and without a fault. The first variant is
// wrong in every fifth case, the second in every tenth. Under the fault, every fourth trial of the
// second variant is unscored and every other fourth is an error reply. Every trial has a path and a
// Critic loop of two rounds. The critic rejects the first attempts, which are bad, and two of the second
// attempts, which are good.
func pageResults(name func(string) string) (list []eval.Result) {
	for _, c := range []struct {
		variant, fault string
		wrong          int
	}{{"rules", eval.NoFault, 5}, {"llm", eval.NoFault, 10}, {"llm", "router:timeout", 10}} {
		for n := range pageCases {
			list = append(list, pageResult(name, c.variant, c.fault, n, n%c.wrong == 0))
		}
	}
	return list
}

func pageResult(name func(string) string, variant, fault string, n int, wrong bool) eval.Result {
	labels := []string{"chat", "search", "image"}
	want := name(labels[n%3])
	got := want
	if wrong {
		got = name(labels[(n+1)%3])
	}
	duration := eval.Millis(n+1) * 1e8
	r := eval.Result{
		Key: fmt.Sprintf("%s-%s-%04d", variant, fault, n), Suite: name("router"),
		Case: name(fmt.Sprintf("case-%02d", n)), Variant: name(variant), Fault: fault, Epoch: 1,
		Text: name("what of it?"), Tags: []string{name("short")}, Language: "en", Predicted: got,
		Expected: eval.OneOf{want}, AnsweredBy: got, DecidedBy: "llm", Duration: duration,
		Turns: []eval.TurnSummary{{Answered: true, Duration: duration, HasDecisionSequence: true,
			Steps: []agent.Step{{Proposed: name("END"), Executed: name("Writer"), DecidedBy: "guard"},
				{Proposed: name("END"), Executed: name("END")}}}},
		Calls: 2, Correct: new(!wrong),
		Nodes: []eval.NodeVisit{{Node: name("model"), Turn: 1, Duration: duration / 2, Calls: 2,
			CallDurations: []eval.Millis{duration / 2}, Cost: new(0.001)}},
		LoopRounds: []eval.LoopRound{{Turn: 1, Round: 1, Reviewer: "llm", Acceptable: new(false),
			CriticInput: trace.CriticInputImage},
			{Turn: 1, Round: 2, Passed: true, Reviewer: "llm", Acceptable: new(true),
				CriticInput: trace.CriticInputImage}},
		Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Actual: got,
			Expected: eval.OneOf{want}, Verdict: eval.PassIf(!wrong)},
			{Name: page.PathScore, Turn: 1, Verdict: eval.Fail,
				Expected: eval.OneOf{name("Researcher") + " → " + name("END")}}},
	}
	if n%20 == 7 {
		r.LoopRounds[1].Passed, r.LoopRounds[1].Exhausted = false, true
	}
	switch {
	case fault != eval.NoFault && n%4 == 0:
		r.Error = &eval.Error{Kind: eval.ProviderError, Message: name("gone")}
		r.Scores[0].Verdict, r.Correct, r.Turns[0].Answered = eval.Unscored, nil, false
	case fault != eval.NoFault && n%4 == 2:
		r.ErrorReply = name("BUSY")
	}
	return r
}

func pageSummary(name func(string) string) eval.Summary {
	GinkgoHelper()
	suite := eval.SuiteSummary{Name: name("router"), Target: "toolrouter", Dataset: name("mine"), Cases: pageCases,
		Epochs: 1, Clock: "simulated",
		Models: []eval.ModelInfo{{Component: name("router"), Kind: "simulated", Note: name("labelled")}}}
	for _, c := range [][2]string{{"rules", eval.NoFault}, {"llm", eval.NoFault}, {"llm", "router:timeout"}} {
		suite.Conditions = append(suite.Conditions, eval.ConditionSummary{Variant: name(c[0]), Fault: c[1]})
	}
	table := metric.NewCollector([]eval.SuiteSummary{suite})
	for _, r := range pageResults(name) {
		Expect(table.Add(r)).To(Succeed())
	}
	sum := table.Summarize()
	sum.Gates = []eval.GateVerdict{
		{Rule: "route.accuracy{variant=" + strconv.Quote(name("llm")) + "} >= 0.7", Verdict: eval.GatePassed, Passed: true, Reason: name("80.0 %"),
			Conditions: []eval.GateCondition{{Suite: name("router"), Variant: name("llm"), Value: "80.0 %"}}},
		{Rule: "latency.p95 <= 1s", Verdict: eval.GateFailed, Reason: "3.80 s [3.70, 4.00]",
			Conditions: []eval.GateCondition{{Value: "3.80 s [3.70, 4.00]"}}},
		{Rule: "fallback.rate <= 0.1", Verdict: eval.GateUndecided, Reason: "7 of 40", CasesNeeded: 120,
			Conditions: []eval.GateCondition{{Value: "7 of 40", Detail: "120 cases are needed to decide it"}}},
	}
	return sum
}

// pageRun returns a run that consists of a file with the generated results.
func pageRun(name func(string) string) *runs.Run {
	GinkgoHelper()
	var lines bytes.Buffer
	for _, r := range pageResults(name) {
		Expect(json.NewEncoder(&lines).Encode(r)).To(Succeed())
	}
	path := filepath.Join(GinkgoT().TempDir(), "results.jsonl")
	Expect(os.WriteFile(path, lines.Bytes(), 0o600)).To(Succeed())
	r, err := runs.Open(path)
	Expect(err).NotTo(HaveOccurred())
	return r
}

func pageReport(name func(string) string) reports.Report {
	GinkgoHelper()
	return reports.Report{Summary: pageSummary(name), Dir: name("runs/1"), Notes: []string{name("a remark")},
		Run: pageRun(name)}
}

func writtenPage(r reports.Report) (text string, info page.WriteInfo) {
	GinkgoHelper()
	var out bytes.Buffer
	info, err := reports.WriteHTML(&out, r, page.Server{})
	Expect(err).NotTo(HaveOccurred())
	Expect(info.Bytes).To(BeEquivalentTo(out.Len()))
	return out.String(), info
}

// htmlElements returns all elements of a page in document order.
func htmlElements(text string) (list []*html.Node) {
	GinkgoHelper()
	text = strings.ReplaceAll(text, "<wbr>", "") // permitted line breaks within names
	root, err := html.Parse(strings.NewReader(text))
	Expect(err).NotTo(HaveOccurred())
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			list = append(list, n)
		}
	}
	return list
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// textOf returns the texts of an element, with blanks between them.
func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(" " + c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// block returns the text of the block with a heading.
func block(text, heading string) string {
	GinkgoHelper()
	for _, n := range htmlElements(text) {
		if attribute(n, "class") != "block" {
			continue
		}
		for c := range n.Descendants() {
			if c.Type == html.ElementNode && c.Data == "h2" && textOf(c) == heading {
				return textOf(n)
			}
		}
	}
	Fail("no block " + heading)
	return ""
}

var _ = Describe("the HTML page of a report", func() {
	var text string
	var all []*html.Node

	BeforeEach(func() {
		text, _ = writtenPage(pageReport(asIs))
		all = htmlElements(text)
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
		Expect(css).NotTo(Or(ContainSubstring("@import"), ContainSubstring("url("), ContainSubstring("smooth")))
		hashed := func(text string) string {
			sum := sha256.Sum256([]byte(text))
			return base64.StdEncoding.EncodeToString(sum[:])
		}
		var sources []string
		for _, n := range scripts {
			if attribute(n, "type") == "" {
				sources = append(sources, "'sha256-"+hashed(n.FirstChild.Data)+"'")
			}
		}
		Expect(attribute(of("meta")[1], "content")).To(Equal(fmt.Sprintf(
			"default-src 'none'; style-src 'sha256-%s'; script-src %s; img-src data:; base-uri 'none'; form-action 'none'",
			hashed(css), strings.Join(sources, " "))))
	})

	It("has landmarks, one main heading a view, scopes of heads and boxes that the keyboard can scroll", func() {
		var views []string
		boxes := 0
		for _, n := range all {
			if view := attribute(n, "data-view"); view != "" {
				views = append(views, view)
				headings := 0
				for c := range n.Descendants() {
					if c.Data == "h1" && c.Type == html.ElementNode {
						headings++
					}
				}
				Expect(headings).To(Equal(1), view)
			}
			if attribute(n, "class") == "scroll" {
				boxes++
				Expect([]string{attribute(n, "tabindex"), attribute(n, "role")}).To(Equal([]string{"0", "region"}))
				Expect(attribute(n, "aria-label")).NotTo(BeEmpty())
			}
		}
		Expect(views).To(Equal([]string{"suite/router", "cases"}))
		Expect(boxes).To(BeNumerically(">", 4))
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
		Expect(links).To(BeNumerically(">", 10))
	})

	It("shows what the suite found, its gates, key figures and variants with links to the cases", func() {
		Expect(text).To(And(ContainSubstring("40 cases"), ContainSubstring("2 variants"), ContainSubstring("1 fault<"),
			ContainSubstring("models and time are simulated")))
		Expect(textOf(of("footer")[0])).To(HavePrefix(
			"Made by evalctl from runs/1: 0 of 120 trials with their full trace. This file makes no network requests."))
		Expect(block(text, "Gates: 1 failed, 1 undecided, 1 passed")).To(MatchRegexp(
			`✗ latency p95 failed latency.p95 <= 1s ≤ 1 s 3.80 s .*\? fell back undecided fallback.rate <= 0.1 · 120 cases are needed ` +
				`.* ≤ 10 % 7 of 40 ✓ accuracy, llm ≥ 70 % 80.0 %`))
		Expect(block(text, "Variants")).To(And(ContainSubstring("llm 90.0 % [76.9, 96.0]"), ContainSubstring("+10.0"),
			MatchRegexp(`rules reference 80.0 % .* reference`)))
		var links []string
		for _, n := range of("a") {
			links = append(links, textOf(n)+" "+attribute(n, "href"))
		}
		// rules is wrong in 8 of 40 cases, llm in 4 of these; under the fault, 10 trials of llm fail
		Expect(links).To(ContainElements("+4 #cases?suite=router&variant=llm&change=fixed",
			"10 #cases?suite=router&variant=llm&fault=router%3Atimeout&result=now_error_reply",
			"10 #cases?suite=router&variant=llm&fault=router%3Atimeout&result=now_unscored"))
	})

	It("names what each gate measures and requires, whatever the rule compares", func() {
		r := pageReport(asIs)
		r.Summary.Gates = nil
		for _, rule := range []string{"drop(route.accuracy{fault=none}) <= 1pp common_cases", "ratio(cost.total_usd) <= 1.1",
			"new_failures <= 0", "[tag=zh] route.macro_f1 >= 0.9 at 95%", "tone.score != 0.25", "not a rule"} {
			r.Summary.Gates = append(r.Summary.Gates, eval.GateVerdict{Rule: rule, Verdict: eval.GatePassed, Passed: true, Reason: "value"})
		}
		text, _ := writtenPage(r)
		Expect(block(text, "Gates: 6 passed")).To(HaveSuffix("✓ loss of accuracy, no fault ≤ 1 point value " +
			"✓ USD, total, ratio to the baseline run ≤ 1.10 value ✓ newly wrong cases ≤ 0 value " +
			"✓ macro-F1, tag zh ≥ 0.900, 95 % bound value ✓ tone.score ≠ 25 % value ✓ not a rule value"))
	})

	It("shows each fault beside the condition without it, with the same cases and counts", func() {
		Expect(text).To(MatchRegexp(`(?s)<h3>no fault</h3>.*<h3>router:<wbr>timeout</h3>`))
		Expect(block(text, "Faults, llm")).To(ContainSubstring("The same 40 cases with one fault injected."))
		Expect(text).To(MatchRegexp(`(?s)Latency per turn, p50, llm</dt>`))
		Expect(text).To(MatchRegexp(`(?s)Not scored</dt>.*>0<.*of 80 scorable trials without a fault`))
		Expect(text).To(MatchRegexp(`(?s)Worst fault</dt>.*20<small>of 40 cases worse \(50.0 %\)`))
		Expect(text).To(MatchRegexp(`(?s)unchanged.*>20<.*error reply.*>10<.*failed or unscored.*>10<`))
		charts := text[strings.Index(text, "<h3>no fault</h3>"):]
		Expect(charts).To(MatchRegexp(`10 of 40 error replies.*10 of 40 failed or unscored`))
		Expect(charts).To(MatchRegexp(`p50 .* s, p95 .*, of \d+ answered<`), "no ratio, because half of the turns have no answer")
	})

	It("shows times and costs of components, loops, and paths with the first step that differs", func() {
		Expect(block(text, "Time and cost by component")).To(MatchRegexp(`model 80 1.00 s / 1.90 s 100 % 1.00 40`))
		Expect(block(text, "Critic loops")).To(And(ContainSubstring("1 40 0 40"),
			MatchRegexp(`rejected, but good .* 2 40 38 0 2 2 `)), "good attempts of exhausted loops are rejected, too")
		Expect(block(text, "Latency")).To(MatchRegexp(`turns p50 p95 p99 llm 40 2.0\d s 3.\d\d s`))
		Expect(text).To(ContainSubstring(`<b class="dn">Writer</b>`))
		Expect(regexp.MustCompile(`[0-9]+ turns · [^<]*`).FindString(text)).To(
			Equal("40 turns · 0 on the labeled path, 40 not"))
	})

	It("contains no additional elements and no control characters if names are hostile", func() {
		worse, _ := writtenPage(pageReport(withMarkup))
		kinds := func(list []*html.Node) (names []string) {
			for _, n := range list {
				names = append(names, n.Data)
			}
			return names
		}
		Expect(kinds(htmlElements(worse))).To(Equal(kinds(all)))
		for _, r := range worse {
			Expect(r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && r != '\u202e' && r != '\ufeff').To(BeTrue(),
				"%U", r)
		}
		Expect(worse).NotTo(ContainSubstring("<img"))
	})

	It("is identical for equal runs", func() {
		again, _ := writtenPage(pageReport(asIs))
		Expect(again == text).To(BeTrue())
	})

	It("contains only figures if there is only a summary, and states in each view if a run is partial", func() {
		r := pageReport(asIs)
		r.Run, r.Summary.Partial, r.Summary.Gates = nil, true, nil
		r.Summary.Suites[0].Cases *= 100
		second := r.Summary.Suites[0]
		second.Name = "other"
		r.Summary.Suites = append(r.Summary.Suites, second)
		text, info := writtenPage(r)
		Expect(text).To(And(Not(ContainSubstring("<script")), Not(ContainSubstring(`href="#cases"`)),
			ContainSubstring("script-src &#39;none&#39;")))
		Expect(info.Traced).To(BeZero())
		for _, n := range htmlElements(text) {
			if view := attribute(n, "data-view"); view != "" {
				Expect(textOf(n)).To(MatchRegexp(
					`! Partial: the run did not end; .*: [0-9,]+ of [0-9,]+ trials, not a random sample\.`), view)
			}
		}
	})

	It("explains without a script why it shows no cases, and states that no suite ran", func() {
		Expect(text).To(ContainSubstring("Single cases require JavaScript"))
		empty, _ := writtenPage(reports.Report{})
		Expect(empty).To(ContainSubstring("No suite ran: nothing was measured."))
	})

	It("is written even if it exceeds the maximum size; the result states by how much", func() {
		r := pageReport(asIs)
		r.HTMLMaxBytes = 10_000
		text, info := writtenPage(r)
		Expect(info.BytesOverLimit).To(BeEquivalentTo(len(text) - 10_000))
		Expect(info.Trials).To(BeEquivalentTo(3 * pageCases))
	})

	It("lists several suites on an overview with a row for each", func() {
		r := pageReport(asIs)
		second := r.Summary.Suites[0]
		second.Name = "other"
		r.Summary.Suites = append(r.Summary.Suites, second)
		r.Run = nil
		text, _ := writtenPage(r)
		Expect(block(text, "Suites")).To(MatchRegexp(`router llm 90.0 % .* of 40 .* other llm 90.0 %`))
	})

	It("shows the setup of the run from its manifest", func() {
		r := pageReport(asIs)
		r.Run.Manifest = journal.Manifest{Version: "v1.2", Toolchain: "go1.26", Seed: 7,
			Args:     []string{"run", "router"},
			Datasets: []journal.DatasetInfo{{Hash: "9b34"}}, Suites: []json.RawMessage{json.RawMessage(
				`{"name":"router","variants":[{"name":"llm","router":"llm","threshold":0.6,"faults":["a","b"]}]}`)}}
		text, _ := writtenPage(r)
		shown := regexp.MustCompile(`(?s)<summary>Setup.*`).FindString(text)
		for _, want := range []string{"faults a, b · router llm · threshold 0.6", "9b34", "go1.26", "evalctl run router", ">7<"} {
			Expect(shown).To(ContainSubstring(want))
		}
	})
})

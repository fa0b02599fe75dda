package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/net/html"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports/page"
)

// plain returns a name unchanged; hostile adds markup, control characters and invisible characters
// to it.
func plain(text string) string { return text }

func hostile(text string) string {
	return `</script><img src=x onerror=alert(1)>"'` + "`{{.}}]]>--> &amp;\u202e\x1b[31m\x00\ufeff" + text
}

// cases is the number of cases in the generated run; labels are its labels.
const cases = 40

var labels = []string{"chat", "search", "image"}

// results returns the results of two variants, with and without a fault. The first variant is wrong
// in every fifth case, the second in every tenth. Under the fault, every fourth trial of the second
// variant is unscored and every other fourth is an error reply.
func results(name func(string) string) (list []eval.Result) {
	for i, v := range []string{"rules", "llm"} {
		for j, fault := range []string{eval.NoFault, "router:timeout"} {
			if i == 0 && j == 1 {
				continue
			}
			for n := range cases {
				list = append(list, result(name, v, fault, n, n%(5+5*i) == 0))
			}
		}
	}
	return list
}

func result(name func(string) string, variant, fault string, n int, wrong bool) eval.Result {
	want := name(labels[n%3])
	got := want
	if wrong {
		got = name(labels[(n+1)%3])
	}
	r := eval.Result{
		Key: fmt.Sprintf("%s-%s-%04d", variant, fault, n), Suite: name("router"),
		Case: name(fmt.Sprintf("case-%02d", n)), Variant: name(variant), Fault: fault, Epoch: 1,
		Text: name("what of it?"), Tags: []string{name("short")}, Language: "en", Predicted: got,
		Expected: eval.OneOf{want}, AnsweredBy: got, DecidedBy: "llm",
		Duration: eval.Millis(n+1) * 1e8, Turns: []eval.TurnSummary{{Answered: true, Duration: eval.Millis(n+1) * 1e8}},
		Calls:   2,
		Correct: new(!wrong), Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Actual: got,
			Expected: eval.OneOf{want}, Verdict: eval.PassIf(!wrong)}},
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

func summary(name func(string) string) eval.Summary {
	GinkgoHelper()
	suite := eval.SuiteSummary{Name: name("router"), Target: "toolrouter", Dataset: name("mine"), Cases: cases,
		Epochs: 1, Clock: "simulated",
		Models: []eval.ModelInfo{{Component: "router", Kind: "simulated", Note: name("labelled")}}}
	for _, c := range [][2]string{{"rules", eval.NoFault}, {"llm", eval.NoFault}, {"llm", "router:timeout"}} {
		suite.Conditions = append(suite.Conditions, eval.ConditionSummary{Variant: name(c[0]), Fault: c[1]})
	}
	table := metric.NewCollector([]eval.SuiteSummary{suite})
	for _, r := range results(name) {
		Expect(table.Add(r)).To(Succeed())
	}
	sum := table.Close()
	sum.Gates = []eval.GateVerdict{
		{Rule: name("route.accuracy >= 0.7"), Verdict: eval.GatePassed, Passed: true, Reason: name("80.0 %")},
		{Rule: "latency.p95 <= 1s", Verdict: eval.GateFailed, Reason: "3.80 s [3.70, 4.00]"},
		{Rule: "fallback.rate <= 0.1", Verdict: eval.GateUndecided, Reason: "7 of 40", CasesNeeded: 120},
	}
	return sum
}

// resultsRun returns a run that consists of a file with the generated results.
func resultsRun(name func(string) string) *runs.Run {
	GinkgoHelper()
	var lines bytes.Buffer
	for _, r := range results(name) {
		Expect(json.NewEncoder(&lines).Encode(r)).To(Succeed())
	}
	path := filepath.Join(GinkgoT().TempDir(), "results.jsonl")
	Expect(os.WriteFile(path, lines.Bytes(), 0o600)).To(Succeed())
	r, err := runs.Open(path)
	Expect(err).NotTo(HaveOccurred())
	return r
}

// testPage returns the page of the generated run.
func testPage(name func(string) string) page.Page {
	GinkgoHelper()
	return page.Page{Summary: summary(name), Dir: name("runs/1"), Notes: []string{name("a remark")},
		Run: resultsRun(name)}
}

func written(p page.Page) (text string, info page.WriteInfo) {
	GinkgoHelper()
	var out bytes.Buffer
	info, err := page.Write(&out, p)
	Expect(err).NotTo(HaveOccurred())
	Expect(info.Bytes).To(BeEquivalentTo(out.Len()))
	return out.String(), info
}

// elements returns all elements of a page in document order.
func elements(text string) (list []*html.Node) {
	GinkgoHelper()
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

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

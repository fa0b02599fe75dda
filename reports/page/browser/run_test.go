package browser_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports"
	"evalctl/reports/page"
)

// generatedRun describes a generated run with two suites: router, and studio with three epochs. The
// function name makes each name plain or hostile.
type generatedRun struct {
	name          func(string) string
	hasRegression bool  // one variant is wrong in other cases than in the baseline run
	cases         int64 // number of cases of router; 0: 60
}

var decisions = []string{"chat", "search", "image"}

func plain(text string) string { return text }

func bad(text string) string { return poison + text }

func (p generatedRun) conditions() (list []eval.ConditionSummary) {
	for _, c := range [][2]string{{"rules", eval.NoFault}, {"llm", eval.NoFault}, {"llm", "router:timeout"}} {
		list = append(list, eval.ConditionSummary{Variant: p.name(c[0]), Fault: c[1]})
	}
	return list
}

func (p generatedRun) suites() []eval.SuiteSummary {
	return []eval.SuiteSummary{
		{Name: p.name("router"), Target: "toolrouter", Dataset: p.name("mine"), Cases: cmp.Or(p.cases, 60), Epochs: 1,
			Clock:      "simulated",
			Conditions: p.conditions()},
		{Name: p.name("studio/2"), Target: "studio", Dataset: p.name("mine"), Cases: 8, Epochs: 3, Clock: "simulated",
			Conditions: p.conditions()},
	}
}

// run writes the run to a directory and returns it with its summary.
func (p generatedRun) run() (*runs.Run, eval.Summary) {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	m, err := journal.Manifest{Suites: []json.RawMessage{json.RawMessage(`{}`)},
		Datasets: []journal.DatasetInfo{{}}}.WithHash()
	Expect(err).NotTo(HaveOccurred())
	Expect(m.Write(dir)).To(Succeed())
	log, err := journal.Resume(dir, func(string) {})
	Expect(err).NotTo(HaveOccurred())
	table := metric.NewCollector(p.suites())
	for s, suite := range p.suites() {
		for condition := range suite.Conditions {
			for n := range int(suite.Cases) {
				for epoch := range suite.Epochs {
					r := p.trial(s, condition, n, epoch+1)
					Expect(log.Add(r)).To(Succeed())
					Expect(table.Add(r)).To(Succeed())
				}
			}
		}
	}
	Expect(log.Close()).To(Succeed())
	sum := table.Summarize()
	Expect(journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), sum)).To(Succeed())
	r, err := runs.Open(dir)
	Expect(err).NotTo(HaveOccurred())
	return r, sum
}

// trial returns the result of a trial. The first variant is wrong in every third case, the second
// in every tenth. With hasRegression, the second is wrong in other cases, and one case is wrong in
// only one epoch. Under the fault, every fourth trial is an error reply and every other fourth has
// no answer.
func (p generatedRun) trial(s, condition, n, epoch int) eval.Result {
	suite := p.suites()[s]
	c := suite.Conditions[condition]
	want, wrong := p.name(decisions[n%3]), n%3 == epoch%3
	if condition > 0 {
		wrong = n%10 == 1 || p.hasRegression && (n%7 == 3 || s == 1 && n == 4 && epoch == 1)
	}
	got, accepted := want, eval.OneOf{want}
	switch {
	case wrong:
		got = p.name(decisions[(n+1)%3])
	case s == 0 && n%10 == 4: // the case accepts another label, too
		got = p.name(decisions[(n+2)%3])
		accepted = append(accepted, got)
	}
	r := eval.Result{
		Key: fmt.Sprintf("%d-%d-%04d-%d", s, condition, n, epoch), Suite: suite.Name,
		Case: p.name(fmt.Sprintf("%c-%02d", "rs"[s], n)), Variant: c.Variant, Fault: c.Fault, Epoch: epoch,
		Text: p.name("搜一下天气"), Tags: []string{p.name("short")}, Language: "zh", Predicted: got, Expected: accepted,
		AnsweredBy: got, DecidedBy: "llm",
		Duration: eval.Millis(n+1) * 1e8, Turns: []eval.TurnSummary{{Answered: true, Duration: eval.Millis(n+1) * 1e8}},
		Calls: 2, Correct: new(!wrong),
		Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Actual: got, Expected: accepted,
			Verdict: eval.PassIf(!wrong)}},
	}
	switch {
	case c.Fault == eval.NoFault:
	case n%4 == 0:
		r.Error = &eval.Error{Kind: eval.ProviderError, Message: p.name("gone")}
		r.Scores[0].Verdict, r.Correct, r.Turns[0].Answered = eval.Unscored, nil, false
	case n%4 == 2:
		r.ErrorReply, r.Fallbacks = "BUSY", []eval.Fallback{{From: "llm", To: "rules", Reason: "timeout"}}
	}
	if s == 1 && n%2 == 0 { // a conversation whose first and third turn have the same decision
		score := &r.Scores[0]
		first := eval.TurnScore{Turn: 1, Expected: accepted, Actual: got, Verdict: score.Verdict}
		third := first
		third.Turn = 3
		other := eval.OneOf{p.name(decisions[(n+2)%3])}
		score.Turns = []eval.TurnScore{first, {Turn: 2, Expected: other, Actual: other[0], Verdict: eval.Pass}, third}
	}
	r.Outcome = p.outcome(r)
	return r
}

func (p generatedRun) outcome(r eval.Result) eval.Outcome {
	duration := time.Duration(r.Duration)
	return eval.Outcome{Duration: duration, Turns: []eval.TurnResult{{
		Input: agent.Turn{Text: r.Text, Images: []string{anImage},
			History: []agent.Message{{Role: "user", Content: p.name("你好")}}}, Duration: duration,
		Reply: agent.Reply{Content: p.name(fmt.Sprintf("%s says: here is number %d.", r.Variant, r.Epoch)),
			Predicted: r.Predicted, AnsweredBy: r.AnsweredBy, DecidedBy: "llm", GeneratedImageURL: anImage,
			Steps: []agent.Step{{Proposed: "Writer", Executed: "Writer", DecidedBy: "llm"},
				{Proposed: "END", DecidedBy: "precondition", Reason: "end_rejected"},
				{Proposed: "END", Executed: "END", DecidedBy: "llm"}}},
		Events: []trace.Event{
			{Offset: duration / 2, Kind: trace.KindSpan, Node: "router",
				Span: &trace.Span{Provider: "deepseek", Model: "deepseek-chat", Duration: duration / 2, Attempt: 1}},
			{Offset: duration / 2, Kind: trace.KindRoute, Node: "router", To: r.Predicted,
				Text: p.name("as it is said")},
			{Offset: duration, Kind: trace.KindDone, Text: p.name("done")},
		},
	}}}
}

// writeReport writes the report page of the run, compared with a baseline run, and returns its URL.
func writeReport(p generatedRun) (url string) {
	GinkgoHelper()
	run, sum := p.run()
	earlier, _ := generatedRun{name: p.name, hasRegression: true}.run()
	var file bytes.Buffer
	_, err := reports.WriteHTML(&file, reports.Report{Summary: sum, Title: "a run", Dir: p.name("runs/1"), Run: run,
		BaselineRun: earlier}, page.Server{})
	Expect(err).NotTo(HaveOccurred())
	path := filepath.Join(GinkgoT().TempDir(), "report.html")
	Expect(os.WriteFile(path, file.Bytes(), 0o600)).To(Succeed())
	return "file://" + path
}

package export_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/secret"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports/export"
	"evalctl/reports/export/otlptest"
)

var began = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const ms = time.Millisecond

func callEvent(node string, s trace.Span) trace.Event {
	s.Attempt = max(s.Attempt, 1)
	return trace.Event{Offset: s.Start + s.Duration, Kind: trace.KindSpan, Node: node, Span: &s}
}

func tracedTrial(key string, got string, events ...trace.Event) eval.Result {
	r := eval.Result{Key: key, Suite: "toolrouter", Case: "case " + key, Variant: "llm", Fault: eval.NoFault, Epoch: 1,
		Text: "the question", Expected: eval.OneOf{"chat"}, Predicted: got,
		AnsweredBy: got, Correct: new(got == "chat"), Duration: eval.Millis(3 * time.Second),
		Turns: []eval.TurnSummary{{Duration: eval.Millis(3 * time.Second), Answered: true}},
		Scores: []eval.Score{{Name: eval.RouteScore, Verdict: eval.PassIf(got == "chat"), Turn: 1, Actual: got,
			Expected: eval.OneOf{"chat"}}}}
	for _, e := range events {
		if e.Span != nil {
			r.Calls++
			r.Tokens.In, r.Tokens.Out = r.Tokens.In+e.Span.Tokens.In, r.Tokens.Out+e.Span.Tokens.Out
		}
	}
	r.Outcome = eval.Outcome{Duration: 3 * time.Second,
		Turns: []eval.TurnResult{{Input: agent.Turn{Text: "the question"}, Reply: agent.Reply{Content: "the answer"},
			Events: events, Duration: 3 * time.Second}}}
	return r
}

// stored writes the results to a directory and returns the run and its summary.
func storedRun(rows ...eval.Result) (*runs.Run, eval.Summary) {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	suites := []eval.SuiteSummary{{Name: "toolrouter", Target: "toolrouter", Cases: int64(len(rows)), Epochs: 1,
		Conditions: []eval.ConditionSummary{{Variant: "llm", Fault: eval.NoFault}}}}
	table := metric.NewCollector(suites)
	m, err := journal.Manifest{Version: "v1", Started: began, Finished: new(began.Add(time.Minute)), Clock: "simulated",
		Suites: []json.RawMessage{json.RawMessage(`{}`)}, Datasets: []journal.DatasetInfo{{}}}.WithHash()
	Expect(err).NotTo(HaveOccurred())
	Expect(m.Write(dir)).To(Succeed())
	log, err := journal.Resume(dir, func(string) {})
	Expect(err).NotTo(HaveOccurred())
	for _, r := range rows {
		Expect(log.Add(r)).To(Succeed())
		Expect(table.Add(r)).To(Succeed())
	}
	Expect(log.Close()).To(Succeed())
	sum := table.Summarize()
	Expect(journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), sum)).To(Succeed())
	run, err := runs.Open(dir)
	Expect(err).NotTo(HaveOccurred())
	return run, sum
}

func noEnv(string) string { return "" }

// send exports a run. It does not wait before retries, but returns how long it would have waited.
func send(url string, run *runs.Run, sum eval.Summary,
	change ...func(*export.OTLPConfig)) (sent export.OTLPResult, waits []time.Duration, err error) {
	GinkgoHelper()
	cfg := export.OTLPConfig{Secrets: &secret.Set{}}
	cfg.SetWait(func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil })
	cfg.Endpoint, err = export.ParseEndpoint(url, noEnv, cfg.Secrets)
	Expect(err).NotTo(HaveOccurred())
	for _, f := range change {
		f(&cfg)
	}
	sent, err = export.SendOTLP(context.Background(), run, sum, cfg)
	return sent, waits, err
}

func withContent(c *export.OTLPConfig) { c.IncludeTexts = true }

var chatSpan = trace.Span{Provider: "deepseek", Model: "deepseek-chat", Duration: 700 * ms, TTFT: 100 * ms,
	Tokens: trace.Tokens{In: 405, Out: 25}}

func failing() trace.Span {
	return trace.Span{Provider: "deepseek", Model: "deepseek-chat", Start: 700 * ms, Duration: 2 * time.Second,
		Error: "timeout", Message: "it said: the question"}
}

var _ = Describe("A run that is exported to a collector", func() {
	It("has a trace for each trial with a span for each call, as the OpenTelemetry conventions require", func() {
		c := otlptest.Start(nil)
		run, sum := storedRun(tracedTrial("1", "chat", callEvent("router", chatSpan),
			callEvent("search", trace.Span{Provider: "tavily", Duration: ms}),
			callEvent("router", failing()),
			trace.Event{Offset: 2700 * ms, Kind: trace.KindFallback, Node: "router", From: "llm", To: "rules",
				Reason: "timeout", Text: "the words"},
			trace.Event{Offset: 2700 * ms, Kind: trace.KindChunk, Text: "x"}), tracedTrial("2", "image_gen"))
		sent, _, err := send(c.URL, run, sum)
		Expect(err).NotTo(HaveOccurred())
		c.Received().ExpectValid()
		spans := c.Received().Spans()
		Expect(spans).To(HaveLen(5))
		points := int64(len(c.Received().Points()))
		Expect([]int64{sent.Trials, sent.Spans, sent.MetricPoints}).To(Equal([]int64{2, 5, points}))
		Expect([]string{spans[0].Name, spans[1].Name, spans[2].Name, spans[3].Name, spans[4].Name}).To(Equal([]string{
			"chat deepseek-chat", "execute_tool search", "chat deepseek-chat", "invoke_agent toolrouter",
			"invoke_agent toolrouter"}))
		Expect(spans[0].Attributes).
			To(And(HaveKeyWithValue("gen_ai.usage.input_tokens", int64(405)),
				HaveKeyWithValue("gen_ai.usage.output_tokens", int64(25)),
				HaveKeyWithValue("gen_ai.response.time_to_first_chunk", 0.1),
				HaveKeyWithValue("evalctl.node", "router")))
		Expect(spans[2].Attributes).
			To(And(HaveKeyWithValue("error.type", "timeout"), Not(HaveKey("gen_ai.usage.input_tokens"))))
		Expect(time.Unix(0, int64(spans[2].StartTimeUnixNano)).UTC()).To(Equal(began.Add(700 * ms)))
		root := spans[3]
		Expect(root.Attributes).
			To(And(HaveKeyWithValue("evalctl.verdict", "right"), HaveKeyWithValue("evalctl.expected", []any{"chat"}),
				HaveKeyWithValue("evalctl.predicted", "chat"),
				HaveKeyWithValue("evalctl.case", "case 1"), HaveKeyWithValue("evalctl.epoch", int64(1))))
		Expect(root.Events).To(HaveLen(1))
		Expect(root.Events[0].Name).To(Equal("evalctl.fallback"))
		Expect(spans[4].Attributes).To(HaveKeyWithValue("evalctl.verdict", "wrong"))
		Expect(spans[4].TraceId).NotTo(Equal(root.TraceId))
	})

	It("is not duplicated if it is exported again", func() {
		run, sum := storedRun(tracedTrial("1", "chat", callEvent("router", chatSpan)))
		var ids [2][]string
		for i := range ids {
			c := otlptest.Start(nil)
			_, _, err := send(c.URL, run, sum)
			Expect(err).NotTo(HaveOccurred())
			c.Received().ExpectValid()
			for _, s := range c.Received().Spans() {
				ids[i] = append(ids[i], fmt.Sprintf("%x %x", s.TraceId, s.SpanId))
			}
		}
		Expect(ids[0]).To(HaveLen(2))
		Expect(ids[1]).To(Equal(ids[0]))
	})

	It("includes the texts of turns and replies only if Content is set", func() {
		run, sum := storedRun(tracedTrial("1", "chat", callEvent("router", failing()),
			trace.Event{Kind: trace.KindError, Text: "the words"}))
		for _, content := range []bool{false, true} {
			c := otlptest.Start(nil)
			var change []func(*export.OTLPConfig)
			if content {
				change = append(change, withContent)
			}
			_, _, err := send(c.URL, run, sum, change...)
			Expect(err).NotTo(HaveOccurred())
			c.Received().ExpectValid()
			for _, text := range []string{"the question", "the answer", "the words"} {
				Expect(strings.Contains(fmt.Sprint(c.Received().Spans()), text)).To(Equal(content), text)
			}
		}
	})

	It("has call durations and tokens in the histograms of the conventions, and its metrics as gauges", func() {
		c := otlptest.Start(nil)
		run, sum := storedRun(tracedTrial("1", "chat", callEvent("router", chatSpan), callEvent("chat", chatSpan),
			callEvent("router", failing())), tracedTrial("2", "image_gen", callEvent("router", chatSpan)))
		_, _, err := send(c.URL, run, sum)
		Expect(err).NotTo(HaveOccurred())
		c.Received().ExpectValid()
		got := map[string]float64{}
		for _, m := range c.Received().Points() {
			of := strings.ReplaceAll(fmt.Sprintf("%v/%v/%v", m.Attributes["gen_ai.token.type"],
				m.Attributes["error.type"], m.Attributes["evalctl.statistic"]), "<nil>", "")
			got[m.Name+" "+of] = m.Value
			if m.Histogram != nil {
				got[m.Name+" "+of+" n"] = float64(m.Histogram.Count)
			}
		}
		Expect(got).To(And(
			HaveKeyWithValue("gen_ai.client.operation.duration //", BeNumerically("~", 2.1, 1e-9)),
			HaveKeyWithValue("gen_ai.client.operation.duration // n", 3.0),
			HaveKeyWithValue("gen_ai.client.operation.duration /timeout/ n", 1.0),
			HaveKeyWithValue("gen_ai.client.token.usage input//", 3*405.0),
			HaveKeyWithValue("gen_ai.client.token.usage output//", 3*25.0),
			HaveKeyWithValue("evalctl.route.accuracy //value", 0.5),
			HaveKeyWithValue("evalctl.route.accuracy //lower",
				*sum.Suites[0].Conditions[0].Metrics["route.accuracy"].Lo)))
	})

	It("is sent in messages of at most 1 MiB, with little memory, even if it has 20,000 spans", func() {
		var rows []eval.Result
		for i := range 400 {
			var events []trace.Event
			for range 50 {
				events = append(events, callEvent("router", chatSpan))
			}
			rows = append(rows, tracedTrial(fmt.Sprint("k", i), "chat", events...))
		}
		run, sum := storedRun(rows...)
		rows = nil
		var most uint64
		got := 0
		c := otlptest.Start(func(w http.ResponseWriter, r *http.Request) bool {
			got++
			if got%5 == 0 {
				runtime.GC()
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				most = max(most, now.HeapAlloc)
			}
			return got%2 == 1 // accept every other request without decoding it, to save time
		})
		runtime.GC()
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		sent, _, err := send(c.URL, run, sum)
		Expect(err).NotTo(HaveOccurred())
		Expect(sent.Spans).To(BeEquivalentTo(20_400))
		Expect(c.Received().LargestMessage).To(And(BeNumerically(">", 100<<10), BeNumerically("<", 1<<20+4<<10)))
		// the limit includes the spans that the test collector stores
		Expect(int64(most) - int64(before.HeapAlloc)).To(BeNumerically("<", 60<<20))
	})

	It("has a result that states how many trials have no trace, so that their calls are not exported", func() {
		c := otlptest.Start(nil)
		run, sum := storedRun(tracedTrial("1", "chat", callEvent("router", chatSpan)))
		Expect(journalRemove(run.Path)).To(Succeed())
		sent, _, err := send(c.URL, run, sum)
		Expect(err).NotTo(HaveOccurred())
		c.Received().ExpectValid()
		Expect([]int64{sent.Spans, sent.WithoutTrace}).To(Equal([]int64{1, 1}))
	})

	It("must have a start time in its manifest", func() {
		run, sum := storedRun(tracedTrial("1", "chat"))
		bare, err := runs.Open(filepath.Join(run.Path, journal.ResultsFile))
		Expect(err).NotTo(HaveOccurred())
		_, _, err = send("http://127.0.0.1:1", bare, sum)
		Expect(err).To(MatchError("requires a run folder: its manifest has the start time"))
	})
})

var _ = Describe("The OpenTelemetry metric of a metric in the catalogue", func() {
	It("has the unit of the catalogue, and is a sum only for totals", func() {
		instruments := map[string]string{}
		points := map[string]bool{}
		for _, d := range metric.BuiltIn() {
			key := strings.NewReplacer("{", "", "}", "").Replace(d.Key)
			name, unit, isTotal, attribute, _ := export.InstrumentOf(key)
			Expect(name).To(MatchRegexp(`^evalctl(\.[a-z0-9_]+)+$`), d.Key)
			Expect(isTotal).To(Equal(d.Kind == metric.Total), d.Key)
			Expect(unit == "ms").To(Equal(d.Unit == metric.Time), d.Key)
			Expect(points).NotTo(HaveKey(name+attribute), "two metrics have the same points")
			points[name+attribute] = true
			Expect(instruments[name]).To(Or(BeEmpty(), Equal(unit)), "%s has two units", name)
			instruments[name] = unit
		}
	})

	DescribeTable("is one for all members of a family, which are values of an attribute:",
		func(key, wantName, wantAttribute, wantValue string) {
			name, _, _, attribute, value := export.InstrumentOf(key)
			Expect([]any{name, attribute, value}).To(Equal([]any{wantName, wantAttribute, wantValue}))
		},
		Entry("a label", "route.f1.chat", "evalctl.route.f1", "evalctl.label", "chat"),
		Entry("a Chinese label", "route.f1.图片", "evalctl.route.f1", "evalctl.label", "图片"),
		Entry("a node with dots", "node.mcp.search.p95", "evalctl.node.p95", "evalctl.node", "mcp.search"),
		Entry("a field at the start of the key", "back.accuracy", "evalctl.accuracy", "evalctl.field", "back"),
		Entry("a custom metric whose name OpenTelemetry does not permit", "评分.x", "evalctl.metric",
			"evalctl.metric.name", "评分.x"),
		Entry("a custom metric whose name looks like a family", "a{b}.c", "evalctl.metric", "evalctl.metric.name",
			"a{b}.c"),
	)
})

var _ = Describe("A results file with extreme values", func() {
	It("is exported as valid spans", func() {
		c := otlptest.Start(nil)
		wild := trace.Span{Provider: "\xff<script>", Model: strings.Repeat("画", 5000), Start: -time.Hour,
			Duration: 1 << 62, TTFT: -1, Tokens: trace.Tokens{In: 1 << 62, Out: 1 << 62}}
		two := tracedTrial("1", "chat", callEvent("router", wild), callEvent("router", wild),
			callEvent("", trace.Span{Tokens: trace.Tokens{In: -1}}),
			trace.Event{Offset: 1 << 62, Kind: trace.KindRetry, Reason: "\x00\xfe"})
		for range 300 {
			two.Outcome.Turns[0].Events = append(two.Outcome.Turns[0].Events, trace.Event{Kind: trace.KindRetry})
		}
		two.Calls, two.Tokens = 0, eval.Tokens{} // otherwise the results could not be read
		run, sum := storedRun(two)
		_, _, err := send(c.URL, run, sum, withContent)
		Expect(err).NotTo(HaveOccurred())
		c.Received().ExpectValid()
		Expect(c.Received().Spans()).To(HaveLen(4))
		Expect(c.Received().Spans()[3].DroppedEventsCount).To(BeEquivalentTo(301 - 128))
	})
})

package foreign_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

var _ = DescribeTable("The label of an answer is found at its path", func(path, doc, want string) {
	paths := foreign.DefaultPaths()
	paths.Label = path
	d, err := foreign.ParseDocument([]byte(doc))
	Expect(err).NotTo(HaveOccurred())
	a, err := d.Answer(paths)
	Expect(err).NotTo(HaveOccurred())
	Expect(a.Label).To(Equal(want))
	Expect(a.HasLabel).To(Equal(want != ""))
},
	Entry("by a JSON Pointer", "/choices/1/label", `{"choices":[{"label":"a"},{"label":"b"}]}`, "b"),
	Entry("by a JSON Pointer with escapes", "/a~1b/~0c", `{"a/b":{"~c":"x"}}`, "x"),
	Entry("by a JSON Pointer with elements that look like gjson", "/a.b/#", `{"a.b":{"#":"x"}}`, "x"),
	Entry("not by a JSON Pointer to a missing value", "/a/0/b", `{"a":[]}`, ""),
	Entry("not by an invalid list index", "/a/01", `{"a":["x","y"]}`, ""),
	Entry("by a gjson path", "choices.#(ok==true).label",
		`{"choices":[{"ok":false,"label":"a"},{"ok":true,"label":"b"}]}`,
		"b"),
	Entry("if it is a number", "/label", `{"label":5}`, "5"),
	Entry("not if it is null", "/label", `{"label":null}`, ""),
	Entry("not if its member occurs twice", "/label", `{"label":"a","text":"","l\u0061bel":"b"}`, ""),
	Entry("not if a member on the path occurs twice", "/out/0/label", `{"out":[{"label":"a"}],"out":[{"label":"b"}]}`,
		""),
	Entry("not by a gjson path if its member occurs twice", "label", `{"label":"a","text":"","l\u0061bel":"b"}`, ""),
	Entry("not by a gjson path if a member on the path occurs twice", "out.#(ok==true).label",
		` {"out":[{"ok":true,"label":"a"}],"out":[]}`, ""),
	Entry("not by a gjson path if its member occurs twice in an object of a list", "out.#(ok==true).label",
		`{"out":[{"ok":false},{"ok":true,"label":"a","label":"b"}]}`, ""),
	Entry("by a gjson path if only other members occur twice", "label", ` {"text":"x","text":"y","label":"a"}`, "a"),
	Entry("if only other members occur twice", "/label", `{"label":"a","text":"x","text":"y"}`, "a"),
)

var _ = DescribeTable("30.5: The label of an answer is found under a usual name without a path",
	func(doc, want string) {
		d, err := foreign.ParseDocument([]byte(doc))
		Expect(err).NotTo(HaveOccurred())
		a, err := d.Answer(foreign.DefaultPaths())
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Label).To(Equal(want))
		Expect(a.HasLabel).To(Equal(want != ""))
		Expect(a.MissingLabel).To(Equal(want == "" && !a.DuplicateLabel && !strings.Contains(doc, "null")))
		Expect(a.Confidence != nil).To(Equal(strings.Contains(doc, "confidence")))
	},
	Entry("label", `{"label":"a"}`, "a"), Entry("intent", `{"intent":"a"}`, "a"),
	Entry("class", `{"class":"a"}`, "a"), Entry("category", `{"category":"a"}`, "a"),
	Entry("prediction", `{"prediction":"a"}`, "a"), Entry("output", `{"output":"a"}`, "a"),
	Entry("answer, which is a number", `{"answer":7}`, "7"),
	Entry("the first of several names", `{"answer":"Sure!","category":"c","intent":"a"}`, "a"),
	Entry("in an object with any name", `{"result":{"intent":"a"},"usage":{"in":1}}`, "a"),
	Entry("in an object with a usual name, before others", `{"result":{"label":"b"},"output":{"class":"a"}}`, "a"),
	Entry("in an object with a usual name, with the confidence", `{"intent":{"name":"a","confidence":0.9}}`, "a"),
	Entry("of the document, before those of its objects", `{"result":{"label":"b"},"class":"a"}`, "a"),
	Entry("before a text", `{"answer":"Sure!","output":"Yes","result":{"class":"a"}}`, "a"),
	Entry("in an object, if there is only a text name", `{"result":{"output":"a"},"text":"b"}`, "a"),
	Entry("the first of several names in objects", `{"user":{"class":"vip"},"result":{"label":"a"}}`, "a"),
	Entry("not if it is null", `{"label":null,"intent":"b"}`, ""),
	Entry("not if two objects have one", `{"x":{"label":"a"},"y":{"label":"b"}}`, ""),
	Entry("not if it occurs twice", `{"intent":"a","intent":"b"}`, ""),
	Entry("not if its object occurs twice", `{"x":{"intent":"a"},"x":{"intent":"b"}}`, ""),
	Entry("not deeper", `{"x":{"y":{"label":"a"}}}`, ""), Entry("not in a list", `{"label":["a"]}`, ""),
	Entry("not if there is none", `{"text":"a","tag":"b"}`, ""), Entry("not in a text", `"label"`, ""),
)

var _ = Describe("An answer", func() {
	read := func(doc string) (foreign.Answer, error) {
		GinkgoHelper()
		d, err := foreign.ParseDocument([]byte(doc))
		Expect(err).NotTo(HaveOccurred())
		return d.Answer(foreign.DefaultPaths())
	}

	DescribeTable("has no confidence and no token counts if they are absent or invalid", func(doc string) {
		a, err := read(doc)
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Confidence).To(BeNil())
		Expect(a.Tokens).To(BeNil())
	},
		Entry(nil, `{"label":"a"}`), Entry(nil, `{"confidence":1.1,"usage":{"in":1}}`),
		Entry(nil, `{"confidence":"high","usage":{"in":-1,"out":2}}`),
		Entry(nil, `{"confidence":null,"usage":{"in":1.5,"out":2}}`),
		Entry(nil, `{"confidence":-0.1,"usage":{"in":1e300,"out":2}}`),
		Entry(nil, `{"usage":{"in":1000000001,"out":2}}`), Entry(nil, `[]`), Entry(nil, `"a"`))

	It("contains all values that the agent reports", func() {
		a, err := read(`{"label":"a","confidence":0,"text":"好","usage":{"in":7,"out":0},"events":[{"kind":"fallback","from":"x","to":"y"}]}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(*a.Confidence).To(BeZero())
		Expect(*a.Tokens).To(Equal(trace.Tokens{In: 7}))
		Expect(a.Text).To(Equal("好"))
		Expect(a.Events).To(HaveLen(1))
	})

	It("can report an error of the agent", func() {
		_, err := read(`{"error":{"message":"no quota"}}`)
		Expect(err).To(MatchError(llm.KindServerError))
		Expect(err).To(MatchError(ContainSubstring("no quota")))
	})

	It("has its text truncated at a whole character", func() {
		a, err := read(`{"label":"a","text":"` + strings.Repeat("好", 1<<20) + `"}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(len(a.Text)).To(And(BeNumerically("<=", 1<<20), BeNumerically(">", 1<<20-3)))
		Expect(len(a.Raw)).To(BeNumerically("<=", trace.MaxRawAnswer))
	})

	DescribeTable("causes an error if it cannot be read", func(doc string) {
		_, err := foreign.ParseDocument([]byte(doc))
		Expect(err).To(MatchError(llm.KindMalformedResponse))
	},
		Entry(nil, ""), Entry(nil, "<html>"), Entry(nil, `{"label":"a"`), Entry(nil, `{"label":"a"}{"label":"b"}`),
		Entry(nil, "{\"label\":\"\xff\"}"),
		Entry("because of a million nested lists", strings.Repeat("[", 1<<20)),
		Entry("because of too many objects", "["+strings.Repeat("{},", 1<<20)+"{}]"))
})

// fakeTransport is a transport whose agent always sends the same events and answer.
type fakeTransport struct {
	emitted  []foreign.Event
	answer   foreign.Answer
	err      error
	requests []foreign.Request
}

func (*fakeTransport) Policy(foreign.Request) llm.CallPolicy {
	return llm.CallPolicy{Node: foreign.Node, Retries: llm.NoRetries}
}

func (a *fakeTransport) Exchange(ctx context.Context, q foreign.Request, t *foreign.EventReader) (foreign.Answer,
	error) {
	a.requests = append(a.requests, q)
	for _, e := range a.emitted {
		if err := t.Emit(ctx, e); err != nil {
			return a.answer, err
		}
	}
	return a.answer, a.err
}

var _ = Describe("An external agent", func() {
	respond := func(a *fakeTransport, t agent.Turn) (r agent.Reply, events []trace.Event, err error) {
		one := &foreign.Agent{Transport: a, Labels: foreign.NewValidLabels(labels, nil), Session: "usual"}
		r, err = one.Respond(context.Background(), t, func(e trace.Event) { events = append(events, e) })
		return r, events, err
	}

	DescribeTable("makes a wrong decision, but has not failed, if its answer contains no valid label",
		func(said foreign.Answer, reason llm.ErrorKind) {
			r, events, err := respond(&fakeTransport{answer: said}, agent.Turn{})
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Predicted).To(Equal("invalid"))
			Expect(r.AnsweredBy).To(BeEmpty())
			Expect(r.DecidedBy).To(Equal(foreign.DecisionSource))
			Expect(r.ModelDecision).To(BeNil())
			Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindRoute),
				HaveField("Reason", string(reason)))))
			Expect(events[len(events)-1].Kind).To(Equal(trace.KindDone))
		},
		Entry("because the label is unknown", foreign.Answer{Label: "cake", HasLabel: true, Raw: "{}"},
			llm.KindUnknownLabel),
		Entry("because the label is missing", foreign.Answer{Raw: `{"text":"hm"}`}, llm.KindWrongSchema),
	)

	It("may return a label in another case or width, without a confidence", func() {
		r, _, err := respond(&fakeTransport{answer: foreign.Answer{Label: " ＲＥＦＵＮＤ", HasLabel: true}}, agent.Turn{})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("refund"))
		Expect(r.Content).To(Equal("refund"))
		Expect(r.ModelDecision.Confidence).To(BeNil())
	})

	It("receives the session id of the turn or else of the conversation, and a unique id for each request", func() {
		a := &fakeTransport{answer: foreign.Answer{Label: "refund", HasLabel: true}}
		for _, session := range []string{"", "mine", ""} {
			_, _, err := respond(a, agent.Turn{Session: session})
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(a.requests[0].Session).To(Equal("usual"))
		Expect(a.requests[1].Session).To(Equal("mine"))
		Expect(a.requests[0].ID).NotTo(Equal(a.requests[2].ID))
	})

	It("emits the event done even if it fails", func() {
		_, events, err := respond(&fakeTransport{err: &llm.Error{Kind: llm.KindTimeout}}, agent.Turn{})
		Expect(err).To(MatchError(llm.KindTimeout))
		Expect(events).To(HaveExactElements(HaveField("Kind", trace.KindSpan), HaveField("Kind", trace.KindTimeout),
			HaveField("Kind", trace.KindDone)))
	})
})

var _ = Describe("Events that an external agent reports", func() {
	// tell runs an agent that reports these events and then answers. s is the span of the call.
	tell := func(nodes *foreign.NodeNames, list ...string) (events []trace.Event, s trace.Span, err error) {
		GinkgoHelper()
		a := &fakeTransport{answer: foreign.Answer{Label: "refund", HasLabel: true}}
		for _, one := range list {
			d, err := foreign.ParseDocument([]byte(`{"event":` + one + `}`))
			Expect(err).NotTo(HaveOccurred())
			e, ok := d.Event()
			Expect(ok).To(BeTrue())
			a.emitted = append(a.emitted, e)
		}
		one := &foreign.Agent{Transport: a, Labels: foreign.NewValidLabels(labels, nil), Nodes: nodes}
		_, err = one.Respond(context.Background(), agent.Turn{}, func(e trace.Event) {
			switch {
			case e.Kind == trace.KindSpan && e.Node == foreign.Node:
				Expect(s.Attempt).To(BeZero(), "one call to the agent")
				s = *e.Span
			case e.Kind != trace.KindRoute && e.Kind != trace.KindDone:
				events = append(events, e)
			}
		})
		return events, s, err
	}

	It("are emitted, and the token counts of reported calls replace the usage of the whole answer", func() {
		events, s, err := tell(&foreign.NodeNames{}, `{"kind":"chunk","text":"好"}`,
			`{"kind":"fallback","node":"rules","from":"llm","to":"rules","reason":"timeout"}`,
			`{"kind":"span","node":"llm","model":"m","duration_ms":0,"in":10,"out":2}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(events).To(HaveLen(3))
		Expect(events[0]).To(And(HaveField("Kind", trace.KindChunk), HaveField("Node", foreign.Node)))
		Expect(events[1]).To(And(HaveField("Kind", trace.KindFallback), HaveField("To", "rules")))
		Expect(events[2].Span).To(And(HaveField("Tokens", trace.Tokens{In: 10, Out: 2}),
			HaveField("UsageUnreported", false)))
		Expect(s.UsageUnreported).To(BeFalse())
		Expect(s.TTFT).To(BeNumerically(">", 0))
	})

	It("leave the usage unreported if they contain no token counts", func() {
		_, s, err := tell(&foreign.NodeNames{})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.UsageUnreported).To(BeTrue())
		Expect(s.TTFT).To(BeZero())
	})

	It("lose their token counts if the total would be impossibly large", func() {
		events, _, err := tell(&foreign.NodeNames{}, `{"kind":"span","in":1000000000,"out":0}`,
			`{"kind":"span","in":1,"out":1}`, `{"kind":"span","in":0,"out":1}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(events).To(HaveExactElements(HaveField("Span.UsageUnreported", false),
			HaveField("Span.UsageUnreported", true), HaveField("Span.UsageUnreported", false)))
	})

	It("are never confused with the call of the agent itself", func() {
		events, _, err := tell(&foreign.NodeNames{}, `{"kind":"span","error":"timeout"}`,
			`{"kind":"span","node":"agent","error":"timeout"}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(events).To(HaveEach(HaveField("Node", Not(Equal(foreign.Node)))))
	})

	It("share one node name if there are too many names", func() {
		nodes, seen := &foreign.NodeNames{}, map[string]bool{}
		for i := range 200 {
			events, _, err := tell(nodes, fmt.Sprintf(`{"kind":"thought_log","node":"n%d"}`, i))
			Expect(err).NotTo(HaveOccurred())
			seen[events[0].Node] = true
		}
		Expect(len(seen)).To(Equal(51))
	})

	It("cause an error if there are too many or they are too large", func() {
		_, _, err := tell(&foreign.NodeNames{}, slicesOf(`{"kind":"retry"}`, foreign.MaxEvents+1)...)
		Expect(err).To(MatchError(llm.KindMalformedResponse))
		_, _, err = tell(&foreign.NodeNames{},
			slicesOf(`{"kind":"chunk","text":"`+strings.Repeat("x", 1000)+`"}`, 2000)...)
		Expect(err).To(MatchError(llm.KindMalformedResponse))
	})
})

func slicesOf(one string, n int) []string {
	return strings.Split(strings.TrimSuffix(strings.Repeat(one+"\n", n), "\n"), "\n")
}

// FuzzAnswer checks that any answer and path can be read without a panic or an invalid confidence.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"label":"a","confidence":0.5,"usage":{"in":1,"out":2},"events":[{"kind":"span","duration_ms":1}]}`,
		"/label")
	f.Add(`{"a":[{"b":1}]}`, "a.#.b")
	f.Add(`[1,2]`, "/0")
	f.Fuzz(func(t *testing.T, doc, path string) {
		d, err := foreign.ParseDocument([]byte(doc))
		if err != nil || foreign.CheckPath(path) != nil {
			return
		}
		p := foreign.DefaultPaths()
		p.Label = path
		a, err := d.Answer(p)
		if err == nil && a.Confidence != nil && !(*a.Confidence >= 0 && *a.Confidence <= 1) {
			t.Fatalf("the confidence %v", *a.Confidence)
		}
		d.Event()
	})
}

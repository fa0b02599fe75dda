package fault_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
)

var _ = Describe("Parse", func() {
	It("reads all forms", func() {
		got, err := fault.Parse("router:timeout + chat:slow=2s@3+image:task_failed%12.5", nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal([]fault.Fault{
			{Part: "router", Kind: fault.Timeout},
			{Part: "chat", Kind: fault.Slow, Nth: 3, Delay: 2 * time.Second},
			{Part: "image", Kind: fault.TaskFailed, Percent: 12.5},
		}))
	})

	It("reads back every kind of every component", func() {
		for _, c := range component.All() {
			for _, k := range fault.Kinds() {
				f := fault.Fault{Part: string(c), Kind: k, Nth: 2}
				got, err := fault.Parse(f.String(), nil)
				if !k.Suits(c) {
					Expect(err).To(MatchError(ContainSubstring("makes no sense for " + string(c))))
					continue
				}
				Expect(err).NotTo(HaveOccurred())
				Expect(got).To(Equal([]fault.Fault{f}))
			}
		}
	})

	It("reads faults of an agent that names its parts, by the work they do", func() {
		parts := component.Parts{"pick": component.Router, "painter": component.Image}
		got, err := fault.Parse("pick:low_confidence@2+painter:task_failed+poll:reset", parts)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal([]fault.Fault{
			{Part: "pick", Kind: fault.LowConfidence, Nth: 2}, {Part: "painter", Kind: fault.TaskFailed}, {Part: "poll", Kind: fault.Reset},
		}))
		for spec, message := range map[string]string{
			"router:timeout":   `fault "router:timeout": unknown component "router": known are pick, painter, poll`,
			"pick:task_failed": `fault "pick:task_failed": kind "task_failed" makes no sense for pick: known are timeout, slow, reset, rate_limited, rate_limited_bare, server_error, overloaded, auth, no_balance, malformed_json, wrong_schema, empty_content, low_confidence, residual_label, truncated_stream, stalled_stream, error_in_stream, content_blocked`,
			"pick":             `fault "pick": want COMPONENT:KIND, then =DURATION, @N or %P; components are pick, painter, poll`,
			"pick:timeout=2s":  `fault "pick:timeout=2s": kind "timeout" takes no duration: only slow and rate_limited do`,
		} {
			_, err := fault.Parse(spec, parts)
			Expect(err).To(MatchError(message))
		}
	})

	DescribeTable("names the token and what is known",
		func(spec string, parts ...string) {
			_, err := fault.Parse(spec, nil)
			for _, p := range parts {
				Expect(err).To(MatchError(ContainSubstring(p)))
			}
		},
		Entry(nil, "", `fault ""`, "COMPONENT:KIND"),
		Entry(nil, "router", `fault "router"`, "router, chat, writer, vision"),
		Entry(nil, "rooter:timeout", `"rooter"`, "known are router, chat"),
		Entry(nil, "router:timeut", `"timeut"`, "timeout, slow, reset"),
		Entry(nil, "router:timeout+", `fault ""`),
		Entry(nil, "embedding:task_failed", `"task_failed"`, "makes no sense for embedding"),
		Entry(nil, "router:timeout@0", `"0"`, "call number"),
		Entry(nil, "router:timeout@x", `"x"`),
		Entry(nil, "router:timeout%0", `"0"`, "chance"),
		Entry(nil, "router:timeout%101", `"101"`),
		Entry(nil, "router:timeout%NaN", `"NaN"`),
		Entry(nil, "router:timeout@1%5", "both"),
		Entry(nil, "router:timeout@1@2", `"@" is given twice`),
		Entry(nil, "router:timeout=2s", "takes no duration"),
		Entry(nil, "router:slow=soon", `"soon"`),
	)
})

var _ = Describe("Kind", func() {
	It("knows that nobody but who decides says how sure it is", func() {
		_, err := fault.Parse("critic:low_confidence", nil)
		Expect(err).To(MatchError(`fault "critic:low_confidence": kind "low_confidence" makes no sense for critic: known are timeout, slow, reset, rate_limited, rate_limited_bare, server_error, overloaded, auth, no_balance, malformed_json, wrong_schema, empty_content, truncated_stream, stalled_stream, error_in_stream, content_blocked`))
	})

	It("knows what can be wrong with the JSON of who writes, who decides nothing", func() {
		var kinds []fault.Kind
		for _, k := range fault.Kinds() {
			if k.Suits(component.Writer) != k.Suits(component.Chat) {
				kinds = append(kinds, k)
			}
		}
		Expect(kinds).To(Equal([]fault.Kind{fault.MalformedJSON, fault.WrongSchema}))
	})

	It("knows which kinds suit a store", func() {
		var kinds []fault.Kind
		for _, k := range fault.Kinds() {
			if k.Suits(component.Knowledge) {
				kinds = append(kinds, k)
			}
		}
		Expect(kinds).To(Equal([]fault.Kind{fault.Timeout, fault.Slow, fault.Reset, fault.ServerError, fault.Overloaded}))
	})

	DescribeTable("X3: malformed_json leaves no object of an answer whole", func(answer, spoilt string) {
		Expect(fault.MalformedJSON.Spoil(model.Answer{Content: answer}, false, 1).Content).To(Equal(
			"I would call the " + spoilt + `, but I am not sure which one fits: {"maybe": [`))
	},
		Entry("flat", `{"intent":"chat","confidence":0.9}`, "intent chat"),
		Entry("a text with braces", `{"text":"a {b}"}`, "text a {b}"),
		Entry("nested", `{"draft":{"title":"t","parts":[{"n":1}]},"score":2}`, `draft "title":"t","parts":["n":1]`),
		Entry("a list", `{"slots":[{"n":1},{"n":2}]}`, `slots ["n":1,"n":2]`),
	)
})

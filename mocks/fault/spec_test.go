package fault_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
)

var _ = Describe("fault.Parse", func() {
	It("accepts all documented forms", func() {
		got, err := fault.Parse("router:timeout + chat:slow=2s@3+image:task_failed%12.5", nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal([]fault.Fault{
			{Component: "router", Kind: fault.Timeout},
			{Component: "chat", Kind: fault.Slow, CallNumber: 3, Delay: 2 * time.Second},
			{Component: "image", Kind: fault.TaskFailed, Percent: 12.5},
		}))
	})

	It("parses the String of every kind of fault for every role that it applies to", func() {
		for _, c := range component.Roles() {
			for _, k := range fault.Kinds() {
				f := fault.Fault{Component: string(c), Kind: k, CallNumber: 2}
				got, err := fault.Parse(f.String(), nil)
				if !k.AppliesTo(c) {
					Expect(err).To(MatchError(ContainSubstring("makes no sense for " + string(c))))
					continue
				}
				Expect(err).NotTo(HaveOccurred())
				Expect(got).To(Equal([]fault.Fault{f}))
			}
		}
	})

	It("accepts components with custom names, and kinds that apply to their roles", func() {
		parts := component.Components{"pick": component.Router, "painter": component.Image}
		got, err := fault.Parse("pick:low_confidence@2+painter:task_failed+poll:reset", parts)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal([]fault.Fault{
			{Component: "pick", Kind: fault.LowConfidence, CallNumber: 2},
			{Component: "painter", Kind: fault.TaskFailed},
			{Component: "poll", Kind: fault.Reset},
		}))
		for spec, message := range map[string]string{
			"router:timeout":   `fault "router:timeout": unknown component "router": known are pick, painter, poll`,
			"pick:task_failed": `fault "pick:task_failed": kind "task_failed" makes no sense for pick: known are timeout, slow, reset, rate_limited, rate_limited_no_retry_after, server_error, overloaded, auth, no_balance, malformed_json, wrong_schema, empty_content, low_confidence, fallback_label, truncated_stream, stalled_stream, error_in_stream, content_blocked`,
			"pick":             `fault "pick": want COMPONENT:KIND, then =DURATION, @N or %P; components are pick, painter, poll`,
			"pick:timeout=2s":  `fault "pick:timeout=2s": kind "timeout" takes no duration: only slow and rate_limited do`,
		} {
			_, err := fault.Parse(spec, parts)
			Expect(err).To(MatchError(message))
		}
	})

	DescribeTable("rejects an invalid spec; the error names the invalid part and the valid values",
		func(spec string, parts ...string) {
			_, err := fault.Parse(spec, nil)
			for _, p := range parts {
				Expect(err).To(MatchError(ContainSubstring(p)))
			}
		},
		Entry(nil, "", `fault ""`, "COMPONENT:KIND"),
		Entry(nil, "router", `fault "router"`, "router, chat, structured, vision"),
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

var _ = Describe("a kind of fault", func() {
	It("applies only to a router if it is low_confidence or fallback_label", func() {
		_, err := fault.Parse("critic:low_confidence", nil)
		Expect(err).To(MatchError(
			`fault "critic:low_confidence": kind "low_confidence" makes no sense for critic: known are timeout, slow, reset, rate_limited, rate_limited_no_retry_after, server_error, overloaded, auth, no_balance, malformed_json, wrong_schema, empty_content, truncated_stream, stalled_stream, error_in_stream, content_blocked`))
	})

	It("applies to structured answers but not to chat if it is malformed_json or wrong_schema", func() {
		var kinds []fault.Kind
		for _, k := range fault.Kinds() {
			if k.AppliesTo(component.RoleStructured) != k.AppliesTo(component.Chat) {
				kinds = append(kinds, k)
			}
		}
		Expect(kinds).To(Equal([]fault.Kind{fault.MalformedJSON, fault.WrongSchema}))
	})

	It("applies to a store only if it is timeout, slow, reset, server_error or overloaded", func() {
		var kinds []fault.Kind
		for _, k := range fault.Kinds() {
			if k.AppliesTo(component.RoleStore) {
				kinds = append(kinds, k)
			}
		}
		Expect(kinds).To(Equal([]fault.Kind{fault.Timeout, fault.Slow, fault.Reset, fault.ServerError,
			fault.Overloaded}))
	})

	DescribeTable("15.14: malformed_json leaves invalid JSON that no parser can repair", func(answer string) {
		for seed := range uint64(500) {
			got := fault.MalformedJSON.Corrupt(model.Answer{Content: answer}, false, seed).Content
			Expect(json.Valid([]byte(got))).To(BeFalse(), got)
			Expect(strings.TrimSpace(got)).NotTo(BeEmpty())
			raw, err := llm.ExtractJSON(got, "")
			Expect(err).To(HaveOccurred(), "%s is read as %s", got, raw)
		}
	},
		Entry("a flat object", `{"intent":"chat","confidence":0.9,"reason":"r, \"s\""}`),
		Entry("an object with braces inside a text", `{"text":"a {\"b\":1}, {c","n":1}`),
		Entry("a nested object", `{"draft":{"title":"t","parts":[{"n":1}]},"score":2}`),
		Entry("an object with a list", `{"slots":[{"n":1},{"n":2}]}`),
		Entry("an object with a number", `{"score":7}`), Entry("an object with empty texts", `{"":""}`),
		Entry("an empty object", `{}`), Entry("a text without an object", `refund`),
	)

	const plan = `{"action":"generate_image","confidence":0.9,"subject":"一只猫","style":"水彩"}`

	// readable returns the share of damaged answers that still contain the whole action.
	readable := func(kind fault.Kind) float64 {
		n := 0
		for seed := range uint64(4000) {
			if strings.Contains(kind.Corrupt(model.Answer{Content: plan}, false, seed).Content, "generate_image") {
				n++
			}
		}
		return float64(n) / 4000
	}

	It("15.14: malformed_json leaves the first value readable as often as a cut at a random position", func() {
		end := strings.Index(plan, "generate_image") + len("generate_image")
		want := float64(len(plan)-end) / float64(len(plan)-1)
		Expect(readable(fault.TruncatedStream)).To(BeNumerically("~", want, 0.03))
		Expect(readable(fault.MalformedJSON)).To(BeNumerically("~", want, 0.03))
	})

	It("15.14: truncated_stream cuts an answer at any position, but never inside a character", func() {
		ends := map[int]int{}
		for seed := range uint64(4000) {
			a := fault.TruncatedStream.Corrupt(model.Answer{Content: plan}, false, seed)
			Expect(a.FinishReason).To(Equal("length"))
			Expect(plan).To(HavePrefix(a.Content))
			Expect(utf8.ValidString(a.Content)).To(BeTrue(), "%q", a.Content)
			ends[len([]rune(a.Content))]++
		}
		Expect(ends).To(HaveLen(len([]rune(plan)) - 1))
		Expect(ends).NotTo(HaveKey(0))
	})

	It("15.14: malformed_json has several forms of damage, selected by the seed only", func() {
		forms := map[string]*regexp.Regexp{
			"cut within the first value": regexp.MustCompile(`^\{"action":"gen`),
			"no opening brace":           regexp.MustCompile(`^"action":"generate_image"`),
			"doubled quotes":             regexp.MustCompile(`^""action"":""generate_image""`),
			"no quotes":                  regexp.MustCompile(`^action: generate_image,`),
			"prose":                      regexp.MustCompile(`^Here is the JSON:\n`),
			"a fence":                    regexp.MustCompile("^```json\n"),
			"a trailing comma":           regexp.MustCompile(`,$`),
		}
		for seed := range uint64(2000) {
			got := fault.MalformedJSON.Corrupt(model.Answer{Content: plan}, false, seed)
			Expect(fault.MalformedJSON.Corrupt(model.Answer{Content: plan}, true, seed)).To(Equal(got))
			for name, form := range forms {
				if form.MatchString(got.Content) {
					delete(forms, name)
				}
			}
		}
		Expect(forms).To(BeEmpty())
	})
})

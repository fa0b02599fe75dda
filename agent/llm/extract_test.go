package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

var _ = Describe("Extract", func() {
	DescribeTable("X3: finds the object",
		func(text, want string) {
			raw, err := llm.Extract(text, "route")
			if want == "" {
				Expect(err).To(HaveOccurred(), "got %s", raw)
				return
			}
			Expect(err).NotTo(HaveOccurred())
			Expect(raw).To(MatchJSON(want))
		},
		Entry("bare", `{"route":"chat"}`, `{"route":"chat"}`),
		Entry("in prose", `Sure! {"route":"chat"} Hope it helps {really}.`, `{"route":"chat"}`),
		Entry("fenced", "```json\n{\"route\":\"chat\"}\n```", `{"route":"chat"}`),
		Entry("after reasoning", `<think>{"route":"image_gen"}</think>{"route":"chat"}`, `{"route":"chat"}`),
		Entry("after reasoning without an opening tag", `maybe {"route":"image_gen"}?</think>{"route":"chat"}`,
			`{"route":"chat"}`),
		Entry("only in reasoning", `<think>{"route":"image_gen"}</think> sorry`, ``),
		Entry("only in reasoning without an end", `<think>{"route":"image_gen"}`, ``),
		Entry("a tag inside a string", `{"route":"chat","reason":"<think> is a tag"}`,
			`{"route":"chat","reason":"<think> is a tag"}`),
		Entry("the last of several", `{"route":"chat"} no: {"route":"time_query"}`, `{"route":"time_query"}`),
		Entry("the last with the key", `{"route":"chat"} {"other":1}`, `{"route":"chat"}`),
		Entry("nested", `{"result":{"route":"chat"}}`, `{"route":"chat"}`),
		Entry("with a nested one that also has the key", `{"route":"chat","others":[{"route":"image_gen"}]}`,
			`{"route":"chat","others":[{"route":"image_gen"}]}`),
		Entry("in a list", `[{"route":"chat"},{"route":"time_query"}]`, `{"route":"time_query"}`),
		Entry("trailing commas", `{"route":"chat","tags":["a",],}`, `{"route":"chat","tags":["a"]}`),
		Entry("the key only as a value", `{"x":"route"}`, ``),
		Entry("cut in a string", `{"route":"image_gen","reason":"because`, `{"route":"image_gen"}`),
		Entry("cut in the required value", `{"route":"ima`, ``),
		Entry("cut at a number", `{"route":"image_gen","confidence":0.9`, `{"route":"image_gen"}`),
		Entry("cut after a decimal point", `{"route":"image_gen","confidence":0.`, `{"route":"image_gen"}`),
		Entry("cut after a number and a space", `{"route":"image_gen","confidence":0.9 `,
			`{"route":"image_gen","confidence":0.9}`),
		Entry("cut in a word", `{"route":"chat","ok":tru`, `{"route":"chat"}`),
		Entry("cut after a word", `{"route":"chat","ok":true`, `{"route":"chat","ok":true}`),
		Entry("cut in a list", `{"route":"chat","tags":["a","b`, `{"route":"chat"}`),
		Entry("cut in a nested object", `{"route":"chat","x":{"y":1,"z":2}, "w":{"y":1`,
			`{"route":"chat","x":{"y":1,"z":2}}`),
		Entry("cut after a colon", `{"route":`, ``),
		Entry("cut in an escape", `{"route":"chat","r":"\u4f`, `{"route":"chat"}`),
		Entry("no end before the end of the code fence", "```json\n{\"route\":\"chat\",\"confidence\":0.9\n```",
			`{"route":"chat","confidence":0.9}`),
		Entry("single quotes", `{'route': 'chat', 'confidence': 0.9}`, `{"route":"chat","confidence":0.9}`),
		Entry("single quotes and an apostrophe", `{'route': 'chat', 'reason': 'it\'s late'}`,
			`{"route":"chat","reason":"it's late"}`),
		Entry("typographic quotes", `{“route”: “chat”, “reason”: “他说‘好’”}`, `{"route":"chat","reason":"他说‘好’"}`),
		Entry("comments", "{\"route\":\"chat\", // obvious\n \"confidence\":0.9 /* or so */}",
			`{"route":"chat","confidence":0.9}`),
		Entry("names without quotes", `{route: "chat", confidence: 0.9}`, `{"route":"chat","confidence":0.9}`),
		Entry("Python's constants", `{'route': 'chat', 'ok': True, 'x': None}`, `{"route":"chat","ok":true,"x":null}`),
		Entry("raw newlines in a string", "{\"route\":\"chat\",\"reason\":\"a\nb\"}",
			`{"route":"chat","reason":"a\nb"}`),
		Entry("bare quotes in a string", `{"route":"chat","reason":"he said "draw" twice"}`,
			`{"route":"chat","reason":"he said \"draw\" twice"}`),
		Entry("single quotes, cut", `{'route': 'chat', 'confidence': 0.`, `{"route":"chat"}`),
		Entry("single quotes, cut in the required value", `{'route': 'ima`, ``),
		Entry("after an unmatched brace", `{ hm: {'route': 'chat'}`, `{"route":"chat"}`),
		Entry("a missing value, which is not invented", `{"route":}`, ``),
		Entry("an invalid number", `{"route":"chat","confidence":0.}`, ``),
		Entry("empty", ``, ``),
		Entry("prose", `I cannot decide.`, ``),
	)

	It("X3: returns the last object if no key is required", func() {
		Expect(llm.Extract(`{"a":1} {"b":2} {`, "")).To(MatchJSON(`{"b":2}`))
		_, err := llm.Extract(`none`, "")
		Expect(err).To(MatchError("no JSON object in the answer"))
	})

	It("X3: limits depth and size, in linear time", func() {
		deep := strings.Repeat(`{"a":`, 1<<17)
		long := strings.Repeat(`{"a":"`, 1<<17)
		begin := time.Now()
		for _, text := range []string{
			deep, long, strings.Repeat("{", 1<<20), strings.Repeat(`<think>`, 1<<17), strings.Repeat("{'", 1<<19),
			strings.Repeat(`{"route":"`, 1<<16), strings.Repeat(`{'route':[`, 1<<16), strings.Repeat(`"{`, 1<<19),
			strings.Repeat("[", 1<<20),
			// The repairer takes minutes for these:
			`{'route':[` + strings.Repeat(`x'y,`, 4000) + `]}`, `{'route':[` + strings.Repeat(`x“y,`, 600) + `]}`,
			`{route:` + strings.Repeat(`http:,`, 4000) + `}`,
		} {
			_, err := llm.Extract(text, "route")
			Expect(err).To(HaveOccurred())
		}
		Expect(time.Since(begin)).To(BeNumerically("<", 5*time.Second))
		_, err := llm.Extract(strings.Repeat(" ", 1<<20)+`{"route":1}`, "route")
		Expect(err).To(MatchError(ContainSubstring("longer than")))
	})
})

type decision struct {
	Route      string   `json:"route"`
	Confidence float64  `json:"confidence"`
	Reason     string   `json:"reason,omitempty"`
	Steps      []step1  `json:"steps,omitempty"`
	Hint       *float64 `json:"hint"`
}

type step1 struct {
	Name string `json:"name"`
}

var form = llm.Form{Key: "route", Labels: label.NewSet("chat", "image_gen"), Confidence: llm.RequiredConfidence}

var _ = Describe("JSON", func() {
	DescribeTable("X3: validates the object strictly",
		func(content string, kind llm.ErrorKind, problem string) {
			s := &script{steps: []step{says(content)}}
			d, a, err := llm.JSON[decision](context.Background(), client(s), ask("json please"), form)
			Expect(a.Content).To(Equal(content))
			Expect(s.asked).To(HaveLen(1))
			if kind == "" {
				Expect(err).NotTo(HaveOccurred())
				Expect(d.Route).To(Equal("chat"))
				return
			}
			Expect(err).To(MatchError(kind))
			Expect(err).To(MatchError(ContainSubstring(problem)))
			Expect(d).To(BeZero())
			Expect(kind.IsInvalidAnswer()).To(Equal(kind != llm.KindEmptyContent))
			if kind.IsInvalidAnswer() {
				var field *llm.FieldError
				Expect(errors.As(err, &field)).To(BeTrue())
				Expect(field.Field).To(Equal(strings.SplitN(problem, ":", 2)[0]))
			}
		},
		Entry("valid", `{"route":"chat","confidence":0.9,"more":1}`, llm.ErrorKind(""), ""),
		Entry("unknown value", `{"route":"Chats","confidence":0.9}`, llm.KindLabel, `route: unknown "Chats"`),
		Entry("not a label", `{"route":["chat"],"confidence":0.9}`, llm.KindSchema,
			`route: ["chat"] in place of a label`),
		Entry("missing", `{"route":"chat"}`, llm.KindSchema, `confidence: missing`),
		Entry("missing because of the cut", `{"route":"chat","confidence":0.9`, llm.KindSchema, `confidence: missing`),
		Entry("two names that differ in case", `{"route":"chat","Confidence":0.9,"CONFIDENCE":0.1}`, llm.KindSchema,
			`confidence: missing`),
		Entry("null", `{"route":"chat","confidence":null}`, llm.KindSchema, `confidence: missing`),
		Entry("wrong type", `{"route":"chat","confidence":"high"}`, llm.KindSchema,
			`confidence: "high" in place of a number`),
		Entry("NaN in quotes", `{"route":"chat","confidence":"NaN"}`, llm.KindSchema,
			`confidence: "NaN" in place of a number`),
		Entry("two numbers", `{"route":"chat","confidence":[0.1,0.2]}`, llm.KindSchema,
			`confidence: [0.1,0.2] in place of a number`),
		Entry("above 1", `{"route":"chat","confidence":1.01}`, llm.KindSchema, `confidence: 1.01 is not in 0..1`),
		Entry("negative", `{"route":"chat","confidence":-0.1}`, llm.KindSchema, `confidence: -0.1`),
		Entry("NaN", `{"route":"chat","confidence":NaN}`, llm.KindSchema, `confidence: `),
		Entry("beyond float64", `{"route":"chat","confidence":1e999}`, llm.KindSchema,
			`confidence: 1e999 in place of a number`),
		Entry("in a list", `{"route":"chat","confidence":1,"steps":[{"name":"a"},{}]}`, llm.KindSchema,
			`steps[1].name: missing`),
		Entry("not a list", `{"route":"chat","confidence":1,"steps":{}}`, llm.KindSchema, `steps: not a list`),
		Entry("no object", `chat`, llm.KindMalformedJSON, `route: no JSON object has it`),
		Entry("an object without the key", `{"answer":"chat"}`, llm.KindSchema, `route: missing`),
		Entry("an object only in the reasoning", `<think>{"answer":1}</think>chat`, llm.KindMalformedJSON,
			`route: no JSON object has it`),
		Entry("empty", " \n", llm.KindEmptyContent, `nothing`),
	)

	DescribeTable("15.25: distinguishes a complete answer without a decision from a failed one, in every wire format",
		func(message, finish string, kind llm.ErrorKind) {
			body := fmt.Sprintf(`{"choices":[{"message":{"role":"assistant",%s},"finish_reason":%q}]}`, message, finish)
			_, _, err := llm.JSON[decision](context.Background(), client(&script{steps: []step{status(200, body)}}),
				ask("json please"), form)
			Expect(llm.KindOf(err)).To(Equal(kind))
			Expect(kind.IsInvalidAnswer()).To(Equal(kind == llm.KindRefusal || kind == llm.KindNoContent))
		},
		Entry("a refusal", `"content":null,"refusal":"I cannot help with that."`, "stop", llm.KindRefusal),
		Entry("a refusal with an empty text", `"content":"","refusal":"no"`, "stop", llm.KindRefusal),
		Entry("a refusal as a part", `"content":[{"type":"refusal","refusal":"no"}]`, "stop", llm.KindRefusal),
		Entry("an answer that ends with a refusal", `"content":"I can't"`, "refusal", llm.KindRefusal),
		Entry("a refusal without text", `"content":null`, "refusal", llm.KindRefusal),
		Entry("a decision with a refusal", `"content":"{\"route\":\"chat\",\"confidence\":0.9}","refusal":"no"`,
			"stop", llm.ErrorKind("")),
		Entry("a call of an unknown tool",
			`"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"route","arguments":"{}"}}]`,
			"tool_calls", llm.KindNoContent),
		Entry("a decision with such a call",
			`"content":"{\"route\":\"chat\",\"confidence\":0.9}","tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"{}"}}]`, "tool_calls", llm.ErrorKind("")),
		Entry("separate reasoning", `"content":"","reasoning_content":"hm"`, "stop", llm.KindNoContent),
		Entry("reasoning under another name", `"content":null,"reasoning":"hm"`, "stop", llm.KindNoContent),
		Entry("reasoning as a part", `"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`,
			"stop", llm.KindNoContent),
		Entry("reasoning in tags", `"content":"<think>{\"route\":\"chat\"}</think>\n"`, "stop", llm.KindNoContent),
		Entry("reasoning without an end", `"content":"<think>{\"route\":\"chat\"}"`, "stop", llm.KindNoContent),
		Entry("reasoning cut by the token limit", `"content":"","reasoning_content":"hm"`, "length", llm.KindTruncated),
		Entry("reasoning without a finish_reason", `"content":"","reasoning_content":"hm"`, "", llm.KindEmptyContent),
		Entry("nothing", `"content":""`, "stop", llm.KindEmptyContent),
		Entry("a filtered answer", `"content":null,"refusal":"no"`, "content_filter", llm.KindContentBlocked),
		Entry("a decision in parts",
			`"content":[{"type":"text","text":"{\"route\":\"chat\","},{"type":"text","text":"\"confidence\":0.9}"}]`,
			"stop", llm.ErrorKind("")),
		Entry("a decision in a text part, after reasoning and an image",
			`"content":[{"type":"thinking","thinking":"hm"},{"type":"image_url","image_url":{"url":"u"}},"{\"route\":\"chat\",\"confidence\":0.9}"]`, "stop", llm.ErrorKind("")),
		Entry("no parts", `"content":[]`, "stop", llm.KindEmptyContent),
		Entry("content of another type", `"content":{"a":1}`, "stop", llm.KindMalformedResponse),
	)

	DescribeTable("X3: reads complete values of an answer at the token limit, and otherwise reports it as truncated",
		func(content string, kind llm.ErrorKind) {
			s := &script{steps: []step{finishes(content, "length")}}
			d, _, err := llm.JSON[decision](context.Background(), client(s), ask("json please"), form)
			Expect(llm.KindOf(err)).To(Equal(kind))
			Expect(d.Route == "chat").To(Equal(kind == ""))
		},
		Entry("a decision before the cut", `{"route":"chat","confidence":0.9,"reason":"beca`, llm.ErrorKind("")),
		Entry("a value cut", `{"confidence":0.9,"route":"cha`, llm.KindTruncated),
		Entry("a field missing", `{"route":"chat","conf`, llm.KindTruncated),
		Entry("prose", "I think that", llm.KindTruncated),
		Entry("nothing", "", llm.KindTruncated),
	)

	DescribeTable("X3: reports an answer as truncated only if something is missing, for valid and invalid labels",
		func(content, reason string, kind llm.ErrorKind) {
			for _, finish := range strings.Split(reason, "|") {
				body := fmt.Sprintf(`{"choices":[{"message":{"content":%s}%s}]}`, quoted(content), finish)
				_, a, err := llm.JSON[decision](context.Background(), client(&script{steps: []step{status(200, body)}}),
					ask("json please"), form)
				Expect(llm.KindOf(err)).To(Equal(kind), finish)
				Expect(a.Text()).To(Equal(content))
			}
		},
		Entry("prose after a known label", `{"route":"chat","confidence":0.9} Because`, limits, llm.ErrorKind("")),
		Entry("prose after an unknown label", `{"route":"music","confidence":0.9} Because`, limits, llm.KindLabel),
		Entry("prose after a value out of range", `{"route":"chat","confidence":7} Because`, limits, llm.KindSchema),
		Entry("an unknown label before the cut", `{"route":"music","confidence":0.9,"reason":"beca`,
			limits, llm.KindLabel),
		Entry("an object without an end", `{"route":"chat","confid`, limits+"|"+noReason, llm.KindTruncated),
		Entry("an object without an end in single quotes", `{'route': 'chat', 'confid`, limits+"|"+noReason,
			llm.KindTruncated),
		Entry("prose, without a finish_reason", `I think {it} is chat`, noReason, llm.KindMalformedJSON),
		Entry("an object without a field, without a finish_reason", `{"route":"chat"}`, noReason, llm.KindSchema),
		Entry("a complete answer, without a finish_reason", `{"route":"chat","confidence":0.9}`, noReason,
			llm.ErrorKind("")),
		Entry("an unknown label, without a finish_reason", `{"route":"music","confidence":0.9}`,
			noReason, llm.KindLabel),
		Entry("an object without an end, with finish_reason stop", `{"route":"chat","confid`, `,"finish_reason":"stop"`,
			llm.KindSchema),
	)

	DescribeTable("X3: accepts other notations, with an event for each",
		func(content string, want ...string) {
			var d decision
			var a llm.Response
			var err error
			events, _ := simulate(func(ctx context.Context) {
				d, a, err = llm.JSON[decision](ctx, client(&script{steps: []step{says(content)}}), ask("json"), form)
			})
			Expect(err).NotTo(HaveOccurred())
			Expect([]any{d.Route, d.Confidence}).To(Equal([]any{"chat", 0.9}))
			var got, names []string
			for _, e := range events {
				if e.Kind != trace.KindNormalized {
					continue
				}
				Expect(e.Node).To(Equal("router"))
				Expect(e.Text).NotTo(BeEmpty())
				got, names = append(got, strings.TrimSpace(e.Reason+" "+e.From+" "+e.To)), append(names, e.Reason)
			}
			Expect(got).To(HaveExactElements(want))
			Expect(a.Normalized).To(Equal(slices.Compact(names)))
		},
		Entry("the exact form", `{"route":"chat","confidence":0.9}`),
		Entry("with spaces and further members", " {\"confidence\": 0.9, \"route\": \"chat\", \"Route2\": 1}\n"),
		Entry("a fence", "```json\n{\"route\":\"chat\",\"confidence\":0.9}\n```", "code_fence"),
		Entry("prose", `Sure: {"route":"chat","confidence":0.9} {really}`, "surrounding_text"),
		Entry("thoughts", `<think>{"route":"image_gen"}</think>{"route":"chat","confidence":0.9}`, "thoughts"),
		Entry("an enclosing object", `{"result":{"route":"chat","confidence":0.9},"n":1}`, "wrapped"),
		Entry("an enclosing list, in a code fence after reasoning",
			"<think>?</think>```\n[{\"route\":\"chat\",\"confidence\":0.9}]```", "thoughts", "code_fence", "wrapped"),
		Entry("two decisions", `[{"route":"image_gen","confidence":0.1},{"route":"chat","confidence":0.9}]`, "wrapped",
			"several_objects"),
		Entry("trailing commas", `{"route":"chat","confidence":0.9,}`, "trailing_comma"),
		Entry("a cut", `{"route":"chat","confidence":0.9,"reason":"be`, "truncated_tail"),
		Entry("single quotes", `{'route':'chat','confidence':0.9}`, "notation"),
		Entry("a full-width colon", `{"route"："chat","confidence":0.9}`, "notation"),
		Entry("a name in capitals, with spaces and in full width", `{" Route ":"chat","ＣＯＮＦＩＤＥＮＣＥ":0.9}`,
			"key  Route  route", "key ＣＯＮＦＩＤＥＮＣＥ confidence"),
		Entry("a label in capitals, with spaces and in full width", `{"route":" ＣHAT","confidence":0.9}`,
			`label " ＣHAT" chat`),
		Entry("a number in quotes", `{"route":"chat","confidence":" 0.9"}`, `number " 0.9" 0.9`),
		Entry("a percentage", `{"route":"chat","confidence":"90%"}`, `number "90%" 0.9`),
		Entry("a bare fraction", `{"route":"chat","confidence":9/10}`, `number "9/10" 0.9`),
		Entry("a list of one number", `{"route":"chat","confidence":[0.9]}`, `number [0.9] 0.9`),
	)

	It("X4: shows the reasoning of an answer without content", func() {
		body := `{"choices":[{"message":{"content":"","reasoning_content":"hm"},"finish_reason":"length"}]}`
		_, a, err := llm.JSON[decision](context.Background(), client(&script{steps: []step{status(200, body)}}),
			ask("json"), form)
		Expect(err).To(MatchError(llm.KindTruncated))
		Expect(a.Text()).To(Equal("<think>hm"))
	})

	It("X3: returns the error of the call", func() {
		s := &script{steps: []step{status(401, `{}`)}}
		_, _, err := llm.JSON[decision](context.Background(), client(s), ask("json"), form)
		Expect(err).To(MatchError(llm.KindAuth))
		Expect(llm.KindOf(fmt.Errorf("route: %w", err))).To(Equal(llm.KindAuth))
		Expect(llm.KindOf(errors.New("x"))).To(BeEmpty())
	})
})

// Notations of services for an answer cut by the token limit, and for no reason.
const (
	limits   = `,"finish_reason":"length"|,"finish_reason":"max_tokens"|,"finish_reason":"MAX_TOKENS"|,"finish_reason":"model_length"`
	noReason = `|,"finish_reason":null|,"finish_reason":""|,"finish_reason":"null"`
)

// quoted returns a text as JSON.
func quoted(text string) string {
	b, err := json.Marshal(text)
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

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

var _ = Describe("llm.ExtractJSON", func() {
	DescribeTable("X3: returns the JSON object with the key route, or an error if the text contains none",
		func(text, want string) {
			raw, err := llm.ExtractJSON(text, "route")
			if want == "" {
				Expect(err).To(HaveOccurred(), "got %s", raw)
				return
			}
			Expect(err).NotTo(HaveOccurred())
			Expect(raw).To(MatchJSON(want))
		},
		Entry("only the object", `{"route":"chat"}`, `{"route":"chat"}`),
		Entry("an object inside prose", `Sure! {"route":"chat"} Hope it helps {really}.`, `{"route":"chat"}`),
		Entry("an object in a code fence", "```json\n{\"route\":\"chat\"}\n```", `{"route":"chat"}`),
		Entry("an object after reasoning in <think> tags", `<think>{"route":"image_gen"}</think>{"route":"chat"}`,
			`{"route":"chat"}`),
		Entry("an object after reasoning without an opening tag",
			`maybe {"route":"image_gen"}?</think>{"route":"chat"}`,
			`{"route":"chat"}`),
		Entry("an error for an object only inside the reasoning", `<think>{"route":"image_gen"}</think> sorry`, ``),
		Entry("an error for an object only inside reasoning that is not closed", `<think>{"route":"image_gen"}`, ``),
		Entry("an object with a <think> tag inside a string", `{"route":"chat","reason":"<think> is a tag"}`,
			`{"route":"chat","reason":"<think> is a tag"}`),
		Entry("two objects with the key; the last one is returned", `{"route":"chat"} no: {"route":"time_query"}`,
			`{"route":"time_query"}`),
		Entry("an object before one without the key", `{"route":"chat"} {"other":1}`, `{"route":"chat"}`),
		Entry("the inner object if only that one has the key", `{"result":{"route":"chat"}}`, `{"route":"chat"}`),
		Entry("the outer object if both have the key",
			`{"route":"chat","others":[{"route":"image_gen"}]}`,
			`{"route":"chat","others":[{"route":"image_gen"}]}`),
		Entry("the last of several objects in a list", `[{"route":"chat"},{"route":"time_query"}]`,
			`{"route":"time_query"}`),
		Entry("an object with trailing commas", `{"route":"chat","tags":["a",],}`, `{"route":"chat","tags":["a"]}`),
		Entry("an error for an object that contains the key only as a value", `{"x":"route"}`, ``),
		Entry("the complete members of an object that is cut off in a string", `{"route":"image_gen","reason":"because`,
			`{"route":"image_gen"}`),
		Entry("an error for an object that is cut off in the required value", `{"route":"ima`, ``),
		Entry("the complete members of an object that is cut off in a number", `{"route":"image_gen","confidence":0.9`,
			`{"route":"image_gen"}`),
		Entry("the complete members of an object that is cut off after a decimal point",
			`{"route":"image_gen","confidence":0.`,
			`{"route":"image_gen"}`),
		Entry("all members of an object that is cut off after a number and a space",
			`{"route":"image_gen","confidence":0.9 `,
			`{"route":"image_gen","confidence":0.9}`),
		Entry("the complete members of an object that is cut off in the word true", `{"route":"chat","ok":tru`,
			`{"route":"chat"}`),
		Entry("all members of an object that is cut off after the word true", `{"route":"chat","ok":true`,
			`{"route":"chat","ok":true}`),
		Entry("the complete members of an object that is cut off in a list", `{"route":"chat","tags":["a","b`,
			`{"route":"chat"}`),
		Entry("the complete members of an object that is cut off in a nested object",
			`{"route":"chat","x":{"y":1,"z":2}, "w":{"y":1`,
			`{"route":"chat","x":{"y":1,"z":2}}`),
		Entry("an error for an object that is cut off after a colon", `{"route":`, ``),
		Entry("the complete members of an object that is cut off in an escape sequence", `{"route":"chat","r":"\u4f`,
			`{"route":"chat"}`),
		Entry("an object without its end, in a complete code fence",
			"```json\n{\"route\":\"chat\",\"confidence\":0.9\n```",
			`{"route":"chat","confidence":0.9}`),
		Entry("an object in single quotes", `{'route': 'chat', 'confidence': 0.9}`,
			`{"route":"chat","confidence":0.9}`),
		Entry("an object in single quotes with an apostrophe in a string", `{'route': 'chat', 'reason': 'it\'s late'}`,
			`{"route":"chat","reason":"it's late"}`),
		Entry("an object in typographic quotes", `{“route”: “chat”, “reason”: “他说‘好’”}`,
			`{"route":"chat","reason":"他说‘好’"}`),
		Entry("an object with comments", "{\"route\":\"chat\", // obvious\n \"confidence\":0.9 /* or so */}",
			`{"route":"chat","confidence":0.9}`),
		Entry("an object with member names without quotes", `{route: "chat", confidence: 0.9}`,
			`{"route":"chat","confidence":0.9}`),
		Entry("an object with Python's True and None", `{'route': 'chat', 'ok': True, 'x': None}`,
			`{"route":"chat","ok":true,"x":null}`),
		Entry("an object with a line break in a string", "{\"route\":\"chat\",\"reason\":\"a\nb\"}",
			`{"route":"chat","reason":"a\nb"}`),
		Entry("an object with quotes that are not escaped in a string",
			`{"route":"chat","reason":"he said "draw" twice"}`,
			`{"route":"chat","reason":"he said \"draw\" twice"}`),
		Entry("the complete members of an object in single quotes that is cut off in a number",
			`{'route': 'chat', 'confidence': 0.`,
			`{"route":"chat"}`),
		Entry("an error for an object in single quotes that is cut off in the required value", `{'route': 'ima`, ``),
		Entry("an object after an unmatched brace", `{ hm: {'route': 'chat'}`, `{"route":"chat"}`),
		Entry("an error for an object without the required value, which must not be invented", `{"route":}`, ``),
		Entry("an error for an object with an invalid number", `{"route":"chat","confidence":0.}`, ``),
		Entry("an error for an empty text", ``, ``),
		Entry("an error for prose without an object", `I cannot decide.`, ``),
	)

	It("X3: returns the last object if the key is empty", func() {
		Expect(llm.ExtractJSON(`{"a":1} {"b":2} {`, "")).To(MatchJSON(`{"b":2}`))
		_, err := llm.ExtractJSON(`none`, "")
		Expect(err).To(MatchError("no JSON object in the answer"))
	})

	It("X3: limits the nesting depth and the size of a text, and takes linear time", func() {
		deep := strings.Repeat(`{"a":`, 1<<17)
		long := strings.Repeat(`{"a":"`, 1<<17)
		begin := time.Now()
		for _, text := range []string{
			deep, long, strings.Repeat("{", 1<<20), strings.Repeat(`<think>`, 1<<17), strings.Repeat("{'", 1<<19),
			strings.Repeat(`{"route":"`, 1<<16), strings.Repeat(`{'route':[`, 1<<16), strings.Repeat(`"{`, 1<<19),
			strings.Repeat("[", 1<<20),
			// The library jsonrepair takes minutes for these texts.
			`{'route':[` + strings.Repeat(`x'y,`, 4000) + `]}`, `{'route':[` + strings.Repeat(`x“y,`, 600) + `]}`,
			`{route:` + strings.Repeat(`http:,`, 4000) + `}`,
		} {
			_, err := llm.ExtractJSON(text, "route")
			Expect(err).To(HaveOccurred())
		}
		Expect(time.Since(begin)).To(BeNumerically("<", 5*time.Second))
		_, err := llm.ExtractJSON(strings.Repeat(" ", 1<<20)+`{"route":1}`, "route")
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

var form = llm.AnswerSpec{Key: "route", Labels: label.NewSet("chat", "image_gen"), Confidence: llm.RequiredConfidence}

var _ = Describe("llm.ChatJSON", func() {
	DescribeTable("X3: returns the decision if the JSON answer is valid, and otherwise an error that names the field",
		func(content string, kind llm.ErrorKind, problem string) {
			s := &script{steps: []step{says(content)}}
			d, a, err := llm.ChatJSON[decision](context.Background(), client(s), ask("json please"), form)
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
		Entry("a valid answer with an additional member", `{"route":"chat","confidence":0.9,"more":1}`,
			llm.ErrorKind(""), ""),
		Entry("a label that is not in the list", `{"route":"Chats","confidence":0.9}`, llm.KindUnknownLabel,
			`route: unknown "Chats"`),
		Entry("a list where the label belongs", `{"route":["chat"],"confidence":0.9}`, llm.KindWrongSchema,
			`route: ["chat"] in place of a label`),
		Entry("an answer without the confidence", `{"route":"chat"}`, llm.KindWrongSchema, `confidence: missing`),
		Entry("an answer that is cut off in the confidence", `{"route":"chat","confidence":0.9`, llm.KindWrongSchema,
			`confidence: missing`),
		Entry("two confidences whose names differ in case", `{"route":"chat","Confidence":0.9,"CONFIDENCE":0.1}`,
			llm.KindWrongSchema,
			`confidence: missing`),
		Entry("a confidence that is null", `{"route":"chat","confidence":null}`, llm.KindWrongSchema,
			`confidence: missing`),
		Entry("a word as the confidence", `{"route":"chat","confidence":"high"}`, llm.KindWrongSchema,
			`confidence: "high" in place of a number`),
		Entry("NaN in quotes as the confidence", `{"route":"chat","confidence":"NaN"}`, llm.KindWrongSchema,
			`confidence: "NaN" in place of a number`),
		Entry("a list of two numbers as the confidence", `{"route":"chat","confidence":[0.1,0.2]}`, llm.KindWrongSchema,
			`confidence: [0.1,0.2] in place of a number`),
		Entry("a confidence above 1", `{"route":"chat","confidence":1.01}`, llm.KindWrongSchema,
			`confidence: 1.01 is not in 0..1`),
		Entry("a negative confidence", `{"route":"chat","confidence":-0.1}`, llm.KindWrongSchema, `confidence: -0.1`),
		Entry("NaN as the confidence", `{"route":"chat","confidence":NaN}`, llm.KindWrongSchema, `confidence: `),
		Entry("a confidence that exceeds the range of float64", `{"route":"chat","confidence":1e999}`,
			llm.KindWrongSchema,
			`confidence: 1e999 in place of a number`),
		Entry("a list element without a required member", `{"route":"chat","confidence":1,"steps":[{"name":"a"},{}]}`,
			llm.KindWrongSchema,
			`steps[1].name: missing`),
		Entry("an object where a list belongs", `{"route":"chat","confidence":1,"steps":{}}`, llm.KindWrongSchema,
			`steps: not a list`),
		Entry("a label without an object", `chat`, llm.KindMalformedJSON, `route: no JSON object has it`),
		Entry("an object without the key", `{"answer":"chat"}`, llm.KindWrongSchema, `route: missing`),
		Entry("an object only inside the reasoning", `<think>{"answer":1}</think>chat`, llm.KindMalformedJSON,
			`route: no JSON object has it`),
		Entry("an answer without text", " \n", llm.KindEmptyContent, `nothing`),
	)

	DescribeTable("15.25: distinguishes an answer without a decision from a failed call, for each form of message content",
		func(message, finish string, kind llm.ErrorKind) {
			body := fmt.Sprintf(`{"choices":[{"message":{"role":"assistant",%s},"finish_reason":%q}]}`, message, finish)
			_, _, err := llm.ChatJSON[decision](context.Background(), client(&script{steps: []step{status(200, body)}}),
				ask("json please"), form)
			Expect(llm.KindOf(err)).To(Equal(kind))
			Expect(kind.IsInvalidAnswer()).To(Equal(kind == llm.KindRefusal || kind == llm.KindNonTextAnswer))
		},
		Entry("a refusal in its own field", `"content":null,"refusal":"I cannot help with that."`,
			"stop", llm.KindRefusal),
		Entry("a refusal in its own field next to an empty text", `"content":"","refusal":"no"`,
			"stop", llm.KindRefusal),
		Entry("a refusal as a part of the content", `"content":[{"type":"refusal","refusal":"no"}]`,
			"stop", llm.KindRefusal),
		Entry("a text with the finish_reason refusal", `"content":"I can't"`, "refusal", llm.KindRefusal),
		Entry("the finish_reason refusal without a text", `"content":null`, "refusal", llm.KindRefusal),
		Entry("a decision together with a refusal, which counts as a decision",
			`"content":"{\"route\":\"chat\",\"confidence\":0.9}","refusal":"no"`,
			"stop", llm.ErrorKind("")),
		Entry("a call of an unknown tool",
			`"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"route","arguments":"{}"}}]`,
			"tool_calls", llm.KindNonTextAnswer),
		Entry("a decision together with a call of an unknown tool, which counts as a decision",
			`"content":"{\"route\":\"chat\",\"confidence\":0.9}","tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"{}"}}]`, "tool_calls", llm.ErrorKind("")),
		Entry("only reasoning, in the field reasoning_content", `"content":"","reasoning_content":"hm"`,
			"stop", llm.KindNonTextAnswer),
		Entry("only reasoning, in the field reasoning", `"content":null,"reasoning":"hm"`, "stop",
			llm.KindNonTextAnswer),
		Entry("only reasoning, as a part of the content",
			`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`,
			"stop", llm.KindNonTextAnswer),
		Entry("only reasoning, in <think> tags", `"content":"<think>{\"route\":\"chat\"}</think>\n"`,
			"stop", llm.KindNonTextAnswer),
		Entry("only reasoning, in a <think> tag that is not closed", `"content":"<think>{\"route\":\"chat\"}"`,
			"stop", llm.KindNonTextAnswer),
		Entry("only reasoning, cut off by the token limit, which is a failed call",
			`"content":"","reasoning_content":"hm"`, "length",
			llm.KindTruncated),
		Entry("only reasoning, without a finish_reason, which is a failed call",
			`"content":"","reasoning_content":"hm"`, "",
			llm.KindEmptyContent),
		Entry("an empty text, which is a failed call", `"content":""`, "stop", llm.KindEmptyContent),
		Entry("an answer that the content filter removed, which is a failed call", `"content":null,"refusal":"no"`,
			"content_filter",
			llm.KindContentBlocked),
		Entry("a decision that is split into two parts, which are joined",
			`"content":[{"type":"text","text":"{\"route\":\"chat\","},{"type":"text","text":"\"confidence\":0.9}"}]`,
			"stop", llm.ErrorKind("")),
		Entry("a decision as a text part after reasoning and an image",
			`"content":[{"type":"thinking","thinking":"hm"},{"type":"image_url","image_url":{"url":"u"}},"{\"route\":\"chat\",\"confidence\":0.9}"]`, "stop", llm.ErrorKind("")),
		Entry("an empty list of parts, which is a failed call", `"content":[]`, "stop", llm.KindEmptyContent),
		Entry("an object where the content belongs, which is a failed call", `"content":{"a":1}`, "stop",
			llm.KindMalformedResponse),
	)

	DescribeTable("X3: uses the complete values of an answer that the token limit cut, and otherwise returns a truncation error",
		func(content string, kind llm.ErrorKind) {
			s := &script{steps: []step{finishes(content, "length")}}
			d, _, err := llm.ChatJSON[decision](context.Background(), client(s), ask("json please"), form)
			Expect(llm.KindOf(err)).To(Equal(kind))
			Expect(d.Route == "chat").To(Equal(kind == ""))
		},
		Entry("a complete decision before the cut, which is used", `{"route":"chat","confidence":0.9,"reason":"beca`,
			llm.ErrorKind("")),
		Entry("a cut inside the label", `{"confidence":0.9,"route":"cha`, llm.KindTruncated),
		Entry("a cut before the confidence", `{"route":"chat","conf`, llm.KindTruncated),
		Entry("prose without an object", "I think that", llm.KindTruncated),
		Entry("no text at all", "", llm.KindTruncated),
	)

	DescribeTable("X3: returns a truncation error only if the missing part may have been cut off",
		func(content, reason string, kind llm.ErrorKind) {
			for _, finish := range strings.Split(reason, "|") {
				body := fmt.Sprintf(`{"choices":[{"message":{"content":%s}%s}]}`, quoted(content), finish)
				_, a, err := llm.ChatJSON[decision](context.Background(),
					client(&script{steps: []step{status(200, body)}}),
					ask("json please"), form)
				Expect(llm.KindOf(err)).To(Equal(kind), finish)
				Expect(a.TextOrReasoning()).To(Equal(content))
			}
		},
		Entry("no error for prose after a decision with a known label", `{"route":"chat","confidence":0.9} Because`,
			limits, llm.ErrorKind("")),
		Entry("another error for prose after a decision with an unknown label",
			`{"route":"music","confidence":0.9} Because`, limits,
			llm.KindUnknownLabel),
		Entry("another error for prose after a decision with a value out of range",
			`{"route":"chat","confidence":7} Because`, limits,
			llm.KindWrongSchema),
		Entry("another error for an unknown label before the cut", `{"route":"music","confidence":0.9,"reason":"beca`,
			limits, llm.KindUnknownLabel),
		Entry("a truncation error for an object that is cut off", `{"route":"chat","confid`, limits+"|"+noReason,
			llm.KindTruncated),
		Entry("a truncation error for an object in single quotes that is cut off", `{'route': 'chat', 'confid`,
			limits+"|"+noReason,
			llm.KindTruncated),
		Entry("another error for prose without a finish_reason", `I think {it} is chat`, noReason,
			llm.KindMalformedJSON),
		Entry("another error for an object that lacks a field, without a finish_reason", `{"route":"chat"}`, noReason,
			llm.KindWrongSchema),
		Entry("no error for a complete decision without a finish_reason", `{"route":"chat","confidence":0.9}`, noReason,
			llm.ErrorKind("")),
		Entry("another error for an unknown label without a finish_reason", `{"route":"music","confidence":0.9}`,
			noReason, llm.KindUnknownLabel),
		Entry("another error for an object that is cut off, with the finish_reason stop", `{"route":"chat","confid`,
			`,"finish_reason":"stop"`,
			llm.KindWrongSchema),
	)

	DescribeTable("X3: accepts deviations from the requested JSON, and emits an event for each of them",
		func(content string, want ...string) {
			var d decision
			var a llm.Response
			var err error
			events, _ := simulate(func(ctx context.Context) {
				d, a, err = llm.ChatJSON[decision](ctx, client(&script{steps: []step{says(content)}}),
					ask("json"), form)
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
			Expect(a.Corrections).To(Equal(slices.Compact(names)))
		},
		Entry("no deviation", `{"route":"chat","confidence":0.9}`),
		Entry("white space and additional members, which are not deviations",
			" {\"confidence\": 0.9, \"route\": \"chat\", \"Route2\": 1}\n"),
		Entry("a code fence", "```json\n{\"route\":\"chat\",\"confidence\":0.9}\n```", "code_fence"),
		Entry("prose around the object", `Sure: {"route":"chat","confidence":0.9} {really}`, "surrounding_text"),
		Entry("reasoning in <think> tags", `<think>{"route":"image_gen"}</think>{"route":"chat","confidence":0.9}`,
			"thoughts"),
		Entry("an object around the decision", `{"result":{"route":"chat","confidence":0.9},"n":1}`, "wrapped"),
		Entry("a list around the decision, in a code fence after reasoning",
			"<think>?</think>```\n[{\"route\":\"chat\",\"confidence\":0.9}]```", "thoughts", "code_fence", "wrapped"),
		Entry("two decisions in a list", `[{"route":"image_gen","confidence":0.1},{"route":"chat","confidence":0.9}]`,
			"wrapped",
			"several_objects"),
		Entry("a trailing comma", `{"route":"chat","confidence":0.9,}`, "trailing_comma"),
		Entry("an end that is cut off", `{"route":"chat","confidence":0.9,"reason":"be`, "truncated_tail"),
		Entry("single quotes", `{'route':'chat','confidence':0.9}`, "notation"),
		Entry("a full-width colon", `{"route"："chat","confidence":0.9}`, "notation"),
		Entry("names with capitals, spaces and full-width letters", `{" Route ":"chat","ＣＯＮＦＩＤＥＮＣＥ":0.9}`,
			"key  Route  route", "key ＣＯＮＦＩＤＥＮＣＥ confidence"),
		Entry("a label with capitals, a space and full-width letters", `{"route":" ＣHAT","confidence":0.9}`,
			`label " ＣHAT" chat`),
		Entry("a number in quotes", `{"route":"chat","confidence":" 0.9"}`, `number " 0.9" 0.9`),
		Entry("a percentage", `{"route":"chat","confidence":"90%"}`, `number "90%" 0.9`),
		Entry("a fraction without quotes", `{"route":"chat","confidence":9/10}`, `number "9/10" 0.9`),
		Entry("a list of one number", `{"route":"chat","confidence":[0.9]}`, `number [0.9] 0.9`),
	)

	It("X4: returns an answer whose text is the reasoning if there is no content", func() {
		body := `{"choices":[{"message":{"content":"","reasoning_content":"hm"},"finish_reason":"length"}]}`
		_, a, err := llm.ChatJSON[decision](context.Background(), client(&script{steps: []step{status(200, body)}}),
			ask("json"), form)
		Expect(err).To(MatchError(llm.KindTruncated))
		Expect(a.TextOrReasoning()).To(Equal("<think>hm"))
	})

	It("X3: returns the error of a failed call unchanged", func() {
		s := &script{steps: []step{status(401, `{}`)}}
		_, _, err := llm.ChatJSON[decision](context.Background(), client(s), ask("json"), form)
		Expect(err).To(MatchError(llm.KindAuth))
		Expect(llm.KindOf(fmt.Errorf("route: %w", err))).To(Equal(llm.KindAuth))
		Expect(llm.KindOf(errors.New("x"))).To(BeEmpty())
	})
})

// JSON fragments for the finish_reason: limits are the values by which services report the token
// limit, separated by |; noReason are the forms of a missing value.
const (
	limits   = `,"finish_reason":"length"|,"finish_reason":"max_tokens"|,"finish_reason":"MAX_TOKENS"|,"finish_reason":"model_length"`
	noReason = `|,"finish_reason":null|,"finish_reason":""|,"finish_reason":"null"`
)

// quoted returns a text as a JSON string.
func quoted(text string) string {
	b, err := json.Marshal(text)
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

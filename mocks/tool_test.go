package mocks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// chatAnswer contains the fields of a complete chat answer that the tests compare.
type chatAnswer struct {
	Choices []struct {
		Index        int
		FinishReason string `json:"finish_reason"`
		Logprobs     *struct{ Content []likelyToken }
		Message      struct {
			Content   *string
			ToolCalls []struct {
				ID, Type string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	Usage struct {
		Completion int `json:"completion_tokens"`
	}
}

type likelyToken struct {
	Token   string
	Logprob float64
	Bytes   []int
	Top     []likelyToken `json:"top_logprobs"`
}

// calls returns the tool calls of an answer as NAME(ARGUMENTS).
func (a chatAnswer) calls() (list []string) {
	for _, t := range a.Choices[0].Message.ToolCalls {
		list = append(list, t.Function.Name+"("+t.Function.Arguments+")")
	}
	return list
}

func chatOf(s *mocks.Server, d wire.Dialect, rest string) chatAnswer {
	GinkgoHelper()
	w := post(s, bases[d]+"/chat/completions",
		fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"draw a cat"}]%s}`, chatModels[d], rest))
	Expect(w.Code).To(Equal(200), w.Body.String())
	var a chatAnswer
	decode(w.Body.String(), &a)
	return a
}

// twoTools are a tool for images with parameters and a tool for the time without parameters.
const twoTools = `,"tools":[{"type":"function","function":{"name":"image_gen","parameters":{"type":"object",
	"properties":{"route":{"type":"string"},"style":{"type":"string","enum":["ink","oil"]}},"required":["style"],"additionalProperties":false}}},
	{"type":"function","function":{"name":"clock"}}]`

var _ = Describe("the tools in a request", func() {
	draw := &model.SimulatedRouter{CorrectLabel: func(text string) (string, bool) {
		return "image_gen",
			text == "draw a cat"
	},
		Labels: []string{"image_gen", "chat"}, Accuracy: 1}
	twoCalls := model.Func(func(model.Request) model.Answer {
		return model.Answer{ToolCalls: []model.ToolCall{{Name: "clock", Arguments: "{}"},
			{Name: "image_gen", Arguments: `{"style":"oil"}`}}}
	})

	for d := range bases {
		Context("to "+string(d), func() {
			It("are called if named like the label, with arguments that match their schema", func() {
				a := chatOf(newServer(mocks.Config{Model: draw}), d, twoTools)
				Expect(a.calls()).To(Equal([]string{`image_gen({"route":"image_gen","style":"ink"})`}))
				Expect(a.Choices[0].FinishReason).To(Equal("tool_calls"))
				Expect(a.Choices[0].Message.Content).To(BeNil())
				Expect(a.Choices[0].Message.ToolCalls[0].Type).To(Equal("function"))
			})

			It("are streamed in fragments: first the name, then the arguments in chunks", func() {
				w := post(newServer(mocks.Config{Model: draw}), bases[d]+"/chat/completions",
					fmt.Sprintf(`{"model":%q,"stream":true,"messages":[{"role":"user","content":"draw a cat"}]%s}`,
						chatModels[d], twoTools))
				Expect(w.Body.String()).
					To(MatchRegexp(`"tool_calls":\[\{"index":0,"id":"call_[^"]+","type":"function","function":\{"name":"image_gen","arguments":""\}\}\]`))
				Expect(strings.Count(w.Body.String(), `"tool_calls":[{"index":0,"function":{"arguments":"`)).
					To(Equal(2))
				Expect(w.Body.String()).To(ContainSubstring(`"finish_reason":"tool_calls"`))
			})

			It("are not called with tool_choice none", func() {
				for _, m := range []model.Model{draw, twoCalls} {
					a := chatOf(newServer(mocks.Config{Model: m}), d, twoTools+`,"tool_choice":"none"`)
					Expect(a.calls()).To(BeEmpty())
					Expect(a.Choices[0].FinishReason).To(Equal("stop"))
					Expect(a.Choices[0].Message.Content).To(HaveValue(Not(HavePrefix("{"))), "it is talked to")
				}
			})

			It("are called if tool_choice names them", func() {
				a := chatOf(newServer(mocks.Config{Model: draw}), d,
					twoTools+`,"tool_choice":{"type":"function","function":{"name":"clock"}}`)
				Expect(a.calls()).To(Equal([]string{"clock({})"}))
			})

			It("are refused if tool_choice names a tool that is not offered, or is an unknown mode", func() {
				for _, choice := range []string{`{"type":"function","function":{"name":"sing"}}`, `"any"`, `7`} {
					w := post(newServer(mocks.Config{}), bases[d]+"/chat/completions",
						fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"x"}]%s,"tool_choice":%s}`,
							chatModels[d], twoTools, choice))
					Expect(w.Code).To(Equal(400), choice)
					Expect(w.Body.String()).To(ContainSubstring("tool_choice"), choice)
				}
			})

			It("are called one at a time if parallel_tool_calls is false", func() {
				a := chatOf(newServer(mocks.Config{Model: twoCalls}), d, twoTools+`,"parallel_tool_calls":false`)
				Expect(a.calls()).To(Equal([]string{"clock({})"}))
				a = chatOf(newServer(mocks.Config{Model: twoCalls}), d, twoTools+`,"parallel_tool_calls":true`)
				Expect(a.calls()).To(HaveLen(2))
			})
		})
	}

	It("are called in parallel by default, except by DashScope", func() {
		for d, n := range map[wire.Dialect]int{wire.OpenAI: 2, wire.DeepSeek: 2, wire.Ark: 2, wire.DashScope: 1} {
			Expect(chatOf(newServer(mocks.Config{Model: twoCalls}), d, twoTools).calls()).To(HaveLen(n), string(d))
		}
	})

	It("are called with tool_choice required, except by DashScope, which refuses the request", func() {
		for _, d := range []wire.Dialect{wire.OpenAI, wire.DeepSeek, wire.Ark} {
			a := chatOf(newServer(mocks.Config{Model: constantModel("all right")}), d,
				twoTools+`,"tool_choice":"required"`)
			Expect(a.calls()).To(Equal([]string{`image_gen({"style":"ink"})`}), string(d))
		}
	})

	It("are not called for a text without a label, or if no label is configured", func() {
		for _, m := range []model.Model{nil,
			&model.SimulatedRouter{CorrectLabel: func(string) (string, bool) { return "", false },
				Labels:   []string{"chat"},
				Accuracy: 1}} {
			Expect(chatOf(newServer(mocks.Config{Model: m}), wire.OpenAI, twoTools).calls()).To(BeEmpty())
		}
	})

	It("are not called again after a tool result: the answer is text", func() {
		w := post(newServer(mocks.Config{Model: draw}), "/v1/chat/completions",
			`{"model":"m","messages":[{"role":"user","content":"draw a cat"},
			{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"image_gen","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"done"}]`+twoTools+`}`)
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.String()).To(And(ContainSubstring(`"finish_reason":"stop"`), Not(ContainSubstring("tool_calls"))))
	})

	It("get arguments that match a strict schema; otherwise a script's arguments stay unchanged", func() {
		m := model.Func(func(model.Request) model.Answer {
			return model.Answer{ToolCalls: []model.ToolCall{{Name: "f", Arguments: `{"a":"x"}`}}}
		})
		const tools = `,"tools":[{"type":"function","function":{"name":"f","strict":%t,"parameters":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}}}]`
		Expect(chatOf(newServer(mocks.Config{Model: m}), wire.OpenAI, fmt.Sprintf(tools, true)).calls()).
			To(Equal([]string{`f({"a":0})`}))
		Expect(chatOf(newServer(mocks.Config{Model: m}), wire.OpenAI, fmt.Sprintf(tools, false)).calls()).
			To(Equal([]string{`f({"a":"x"})`}))
	})

	It("are called with invalid arguments under the fault malformed_json", func() {
		s := newServer(mocks.Config{Model: draw,
			Faults: []fault.Fault{{Component: "router", Kind: fault.MalformedJSON}}})
		w := post(s, "/v1/chat/completions",
			`{"model":"router","messages":[{"role":"user","content":"draw a cat"}]`+twoTools+`}`)
		var a chatAnswer
		decode(w.Body.String(), &a)
		Expect(json.Valid([]byte(a.Choices[0].Message.ToolCalls[0].Function.Arguments))).To(BeFalse())
	})

	It("reach the go-openai client as a stream of fragments", func() {
		c := newClient(newServer(mocks.Config{Model: draw}), wire.OpenAI)
		r := ask("m", "draw a cat")
		r.Tools = []openai.Tool{{Type: "function", Function: &openai.FunctionDefinition{Name: "image_gen"}}}
		st, err := c.CreateChatCompletionStream(context.Background(), r)
		Expect(err).NotTo(HaveOccurred())
		arguments := ""
		for {
			chunk, err := st.Recv()
			if errors.Is(err, io.EOF) {
				break
			}
			Expect(err).NotTo(HaveOccurred())
			for _, t := range chunk.Choices[0].Delta.ToolCalls {
				arguments += t.Function.Arguments
			}
		}
		Expect(arguments).To(Equal("{}"))
	})
})

var _ = Describe("OpenAI refuses", func() {
	DescribeTable("invalid tools, choices and schemas",
		func(rest, param, code, message string) {
			w := post(newServer(mocks.Config{}), "/v1/chat/completions",
				`{"model":"m","messages":[{"role":"user","content":"x"}],`+rest+`}`)
			Expect(w.Code).To(Equal(400), w.Body.String())
			var e struct {
				Error struct {
					Message, Param, Type string
					Code                 *string
				}
			}
			decode(w.Body.String(), &e)
			Expect(e.Error.Message).To(ContainSubstring(message))
			Expect(e.Error.Param).To(Equal(param))
			Expect(e.Error.Type).To(Equal("invalid_request_error"))
			if code == "" {
				Expect(e.Error.Code).To(BeNil())
			} else {
				Expect(e.Error.Code).To(HaveValue(Equal(code)))
			}
		},
		Entry("a tool_choice without tools", `"tool_choice":"auto"`, "tool_choice", "",
			"'tool_choice' is only allowed when 'tools' are specified."),
		Entry("parallel_tool_calls without tools", `"parallel_tool_calls":true`, "parallel_tool_calls", "",
			"only allowed when 'tools' are specified."),
		Entry("a tool without a type", `"tools":[{"function":{"name":"f"}}]`, "tools[0].type",
			"missing_required_parameter", "Missing required parameter: 'tools[0].type'."),
		Entry("a function without a name", `"tools":[{"type":"function"}]`, "tools[0].function.name",
			"missing_required_parameter", "Missing required parameter"),
		Entry("a function name with a space", `"tools":[{"type":"function","function":{"name":"a b"}}]`,
			"tools[0].function.name", "invalid_value", "does not match pattern"),
		Entry("129 tools", `"tools":[`+strings.Repeat(`{"type":"function","function":{"name":"f"}},`, 128)+`{}]`,
			"tools", "array_above_max_length", "maximum length 128, but got an array with length 129"),
		Entry("parameters that do not describe an object",
			`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"string"}}}]`,
			"tools[0].function.parameters", "invalid_function_parameters",
			`Invalid schema for function 'f': schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`),
		Entry("a strict function that allows additional properties",
			`"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object"}}}]`,
			"tools[0].function.parameters", "invalid_function_parameters", `'additionalProperties' is required`),
		Entry("zero choices", `"n":0`, "n", "integer_below_min_value",
			"Invalid 'n': integer below minimum value. Expected a value >= 1, but got 0 instead."),
		Entry("129 choices", `"n":129`, "n", "integer_above_max_value", "<= 128, but got 129 instead."),
		Entry("five stop sequences", `"stop":["1","2","3","4","5"]`, "stop", "array_above_max_length",
			"maximum length 4, but got an array with length 5"),
		Entry("a temperature above 2", `"temperature":2.5`, "temperature", "decimal_above_max_value",
			"but got 2.5 instead."),
		Entry("top_logprobs without logprobs", `"top_logprobs":2`, "top_logprobs", "",
			"only allowed when 'logprobs' is enabled."),
		Entry("top_logprobs above 20", `"logprobs":true,"top_logprobs":21`, "top_logprobs",
			"integer_above_max_value", "<= 20"),
		Entry("an unknown response format", `"response_format":{"type":"xml"}`, "response_format.type", "invalid_value",
			"Invalid value: 'xml'."),
		Entry("a json_schema format without a schema", `"response_format":{"type":"json_schema"}`,
			"response_format.json_schema",
			"missing_required_parameter", "Missing required parameter"),
		Entry("a schema without a name", `"response_format":{"type":"json_schema","json_schema":{"schema":{}}}`,
			"response_format.json_schema.name", "missing_required_parameter", "Missing required parameter"),
		Entry("a schema that violates the strict mode",
			`"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object","properties":{}}}}`, "response_format", "",
			"Invalid schema for response_format 'n': In context=(), 'additionalProperties' is required to be supplied and to be false."),
		Entry("a schema that is not an object",
			`"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":[]}}`,
			"response_format", "", "Invalid schema for response_format 'n'"),
	)

	It("unknown keys if Config.Strict is set, unlike the other providers", func() {
		for d := range bases {
			for _, strict := range []bool{false, true} {
				request := fmt.Sprintf(`{"model":%q,"enable_search":false,"strange":1,"messages":[{"role":"user","content":"x"}]}`, strictNames[d])
				w := post(newServer(mocks.Config{Strict: strict}), bases[d]+"/chat/completions", request)
				if d != wire.OpenAI || !strict {
					Expect(w.Code).To(Equal(200), "%s %v", d, strict)
					continue
				}
				Expect(w.Code).To(Equal(400))
				Expect(w.Body.String()).
					To(Equal(`{"error":{"message":"Unrecognized request argument supplied: enable_search","type":"invalid_request_error","param":null,"code":null}}`))
			}
		}
		w := post(newServer(mocks.Config{Strict: true}), "/v1/embeddings",
			`{"model":"text-embedding-3-small","input":"x","text_type":"query"}`)
		Expect(w.Body.String()).To(ContainSubstring("argument supplied: text_type"))
	})
})

// strictNames are model names that the providers accept in strict mode.
var strictNames = map[wire.Dialect]string{wire.OpenAI: "gpt-4o", wire.DeepSeek: "deepseek-flash",
	wire.DashScope: "qwen-plus", wire.Ark: "ep-1"}

var _ = Describe("a JSON schema in response_format", func() {
	const schema = `,"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object",
		"properties":{"route":{"enum":["draw","chat"]},"why":{"type":"string"}},"required":["route","why"],"additionalProperties":false}}}`

	It("determines the form of the answer if the provider supports it", func() {
		for _, d := range []wire.Dialect{wire.OpenAI, wire.DashScope, wire.Ark} {
			for said, want := range map[string]string{
				"A cat.":                     `{"route":"draw","why":"A cat."}`,
				`{"route":"chat","x":1}`:     `{"route":"chat","why":"text"}`,
				`{"why": "","route":"chat"}`: `{"why": "","route":"chat"}`,
			} {
				a := chatOf(newServer(mocks.Config{Model: constantModel(said)}), d, schema)
				Expect(a.Choices[0].Message.Content).To(HaveValue(Equal(want)), "%s", d)
			}
		}
	})

	It("does not prevent faults from making the answer invalid JSON", func() {
		s := newServer(mocks.Config{Model: constantModel("x"),
			Faults: []fault.Fault{{Component: "router", Kind: fault.MalformedJSON}}})
		Expect(json.Valid([]byte(*chatOf(s, wire.OpenAI, schema).Choices[0].Message.Content))).To(BeFalse())
	})
})

var _ = Describe("choices and log probabilities", func() {
	It("return n choices if the provider supports n", func() {
		for d, n := range map[wire.Dialect]int{wire.OpenAI: 3, wire.DashScope: 3, wire.DeepSeek: 1, wire.Ark: 1} {
			a := chatOf(newServer(mocks.Config{Model: constantModel("hello")}), d, `,"n":3`)
			Expect(a.Choices).To(HaveLen(n), string(d))
			Expect(a.Choices[n-1].Index).To(Equal(n - 1))
			Expect(a.Choices[n-1].Message.Content).To(HaveValue(Equal("hello")))
			Expect(a.Usage.Completion).To(Equal(2 * n))
		}
	})

	It("stream each choice under its own index, with one usage for all", func() {
		w := post(newServer(mocks.Config{Model: constantModel("hi")}), "/v1/chat/completions",
			`{"model":"m","n":2,"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"}]}`)
		for i := range 2 {
			Expect(w.Body.String()).To(ContainSubstring(fmt.Sprintf(`{"index":%d,"delta":{"content":"hi"}`, i)))
			Expect(w.Body.String()).
				To(ContainSubstring(fmt.Sprintf(`{"index":%d,"delta":{},"finish_reason":"stop"}`, i)))
		}
		Expect(strings.Count(w.Body.String(), `"completion_tokens":2`)).To(Equal(1))
		Expect(w.Body.String()).To(HaveSuffix("data: [DONE]\n\n"))
	})

	It("decide each choice independently", func() {
		judge := &model.SimulatedCritic{Quality: func(model.Request, int) float64 { return 0.5 },
			Noise: 0.2, Threshold: 0.5}
		a := chatOf(newServer(mocks.Config{Model: judge}), wire.OpenAI, `,"n":2,"model":"critic"`)
		Expect(*a.Choices[0].Message.Content).NotTo(Equal(*a.Choices[1].Message.Content))
	})

	for d := range bases {
		It("contain the log probability of each token for "+string(d)+", streamed or not", func() {
			s := newServer(mocks.Config{Model: constantModel("hello 世界")})
			a := chatOf(s, d, `,"logprobs":true,"top_logprobs":2`)
			Expect(a.Choices[0].Logprobs).NotTo(BeNil())
			expectTokens(a.Choices[0].Logprobs.Content, "hello 世界")
			w := post(s, bases[d]+"/chat/completions", fmt.Sprintf(
				`{"model":%q,"stream":true,"logprobs":true,"top_logprobs":2,"messages":[{"role":"user","content":"x"}]}`, chatModels[d]))
			var streamed []likelyToken
			for _, event := range strings.Split(w.Body.String(), "\n\n") {
				var chunk chatAnswer
				if json.Unmarshal([]byte(strings.TrimPrefix(event, "data: ")), &chunk) == nil &&
					len(chunk.Choices) > 0 && chunk.Choices[0].Logprobs != nil {
					streamed = append(streamed, chunk.Choices[0].Logprobs.Content...)
				}
			}
			expectTokens(streamed, "hello 世界")
		})
	}

	It("are refused for Ark's thinking models", func() {
		w := post(newServer(mocks.Config{}), "/api/v3/chat/completions",
			`{"model":"doubao-seed-1-6-251015","logprobs":true,"messages":[{"role":"user","content":"x"}]}`)
		Expect(w.Code).To(Equal(400))
	})
})

func expectTokens(list []likelyToken, text string) {
	GinkgoHelper()
	joined := ""
	for _, t := range list {
		joined += t.Token
		Expect(t.Logprob).To(BeNumerically("<", 0))
		Expect(t.Bytes).To(HaveLen(len(t.Token)))
		Expect(t.Top).To(HaveLen(2))
		Expect(t.Top[0].Token).To(Equal(t.Token))
		Expect(t.Top[1].Logprob).To(BeNumerically("<", t.Logprob))
	}
	Expect(joined).To(Equal(text))
}

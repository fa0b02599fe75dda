package mocks_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

const (
	textPath = "/api/v1/services/aigc/text-generation/generation"
	sse      = "X-DashScope-SSE: enable"

	messagesPath = "/api/v1/services/aigc/image-generation/generation"

	poem = "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"
)

// native returns the body of a request in DashScope's native text generation format.
func native(parameters string) string {
	return `{"model":"qwen-plus","input":{"messages":[{"role":"user","content":"背首诗"}]},"parameters":{` +
		parameters + `}}`
}

// nativeAnswer contains the fields of an answer or event that the tests compare.
type nativeAnswer struct {
	Output struct {
		Text         *string
		FinishReason string `json:"finish_reason"`
		Choices      []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content          string
				ReasoningContent string            `json:"reasoning_content"`
				ToolCalls        []json.RawMessage `json:"tool_calls"`
			}
		}
		SearchInfo struct {
			Results []struct{ Title, URL string } `json:"search_results"`
		} `json:"search_info"`
	}
	Usage struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
		Total  int `json:"total_tokens"`
	}
	RequestID string `json:"request_id"`
}

// nativeEvents decodes a stream in DashScope's native format and checks its framing.
func nativeEvents(body string) (list []nativeAnswer) {
	GinkgoHelper()
	for _, event := range strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		lines := strings.Split(event, "\n")
		Expect(lines).To(HaveLen(4), event)
		Expect(lines[0]).To(MatchRegexp(`^id:\d+$`))
		Expect(lines[1:3]).To(Equal([]string{"event:result", ":HTTP_STATUS/200"}))
		var a nativeAnswer
		decode(strings.TrimPrefix(lines[3], "data:"), &a)
		list = append(list, a)
	}
	return list
}

var _ = Describe("DashScope's native text generation", func() {
	It("answers with a text or a message, as the request specifies, and has its own usage fields", func() {
		s := newServer(mocks.Config{Model: constantModel("你好<b>")})
		w := post(s, textPath, native(""))
		Expect(withoutIDs(w.Body.String())).
			To(MatchRegexp(`^{"output":{"text":"你好<b>","finish_reason":"stop"},"usage":{"input_tokens":\d+,"output_tokens":3,"total_tokens":\d+},"request_id":"I"}$`))
		w = post(s, textPath, native(`"result_format":"message"`))
		Expect(withoutIDs(w.Body.String())).
			To(MatchRegexp(`^{"output":{"choices":\[{"finish_reason":"stop","message":{"role":"assistant","content":"你好<b>"}}\]},"usage":{"input_tokens":\d+,"output_tokens":3,"total_tokens":\d+},"request_id":"I"}$`))
		Expect(s.Log()[0].Dialect).To(Equal(wire.DashScopeNative))
		Expect(s.Calls("chat")).To(Equal(2))
		w = post(s, textPath, `{"model":"qwen-plus","input":{"prompt":"在吗"}}`)
		Expect(w.Code).To(Equal(200))
	})

	It("streams the whole text so far in each event, or only new text if the request sets incremental_output", func() {
		s := newServer(mocks.Config{Model: constantModel(poem)})
		w := post(s, textPath, native(`"result_format":"message"`), sse)
		Expect(w.Header().Get("Content-Type")).To(Equal("text/event-stream"))
		Expect(w.Body.String()).NotTo(ContainSubstring("[DONE]"))
		events := nativeEvents(w.Body.String())
		Expect(len(events)).To(BeNumerically(">", 3))
		before := ""
		for i, e := range events {
			choice := e.Output.Choices[0]
			Expect(choice.Message.Content).To(HavePrefix(before))
			before = choice.Message.Content
			Expect(choice.FinishReason == "null").To(Equal(i < len(events)-1))
			Expect(e.Usage.Total).To(Equal(e.Usage.Input + e.Usage.Output))
		}
		Expect(before).To(Equal(poem))
		Expect(events[len(events)-1].Output.Choices[0].FinishReason).To(Equal("stop"))

		joined := ""
		for _, e := range nativeEvents(post(s, textPath, native(`"incremental_output":true`), sse).Body.String()) {
			joined += *e.Output.Text
		}
		Expect(joined).To(Equal(poem))
	})

	It("skips events of a long stream, because each event repeats the whole text so far", func() {
		s := newServer(mocks.Config{Model: constantModel(strings.Repeat(poem, 500))})
		Expect(post(s, textPath, native(""), sse).Body.Len()).To(BeNumerically("<", 100*500*len(poem)))
	})

	It("thinks if the request enables it, and streams the reasoning", func() {
		s := newServer(mocks.Config{Model: constantModel("四")})
		var a nativeAnswer
		decode(post(s, textPath, native(`"result_format":"message","enable_thinking":true`)).Body.String(), &a)
		Expect(a.Output.Choices[0].Message.ReasoningContent).NotTo(BeEmpty())
		thoughts := ""
		for _, e := range nativeEvents(post(s, textPath,
			native(`"result_format":"message","enable_thinking":true,"incremental_output":true`), sse).Body.String()) {
			thoughts += e.Output.Choices[0].Message.ReasoningContent
		}
		Expect(thoughts).To(Equal(a.Output.Choices[0].Message.ReasoningContent))
	})

	It("returns search results if the request requires them", func() {
		s := newServer(mocks.Config{})
		for options, n := range map[string]int{`,"search_options":{"enable_source":true}`: 3, ``: 0} {
			var a nativeAnswer
			decode(post(s, textPath, native(`"enable_search":true`+options)).Body.String(), &a)
			Expect(a.Output.SearchInfo.Results).To(HaveLen(n))
		}
		Expect(s.Calls("search")).To(Equal(2))
	})

	It("supports tools, choices and log probabilities like the compatible mode", func() {
		call := model.Func(func(model.Request) model.Answer {
			return model.Answer{ToolCalls: []model.ToolCall{{Name: "f", Arguments: "{}"}}}
		})
		s := newServer(mocks.Config{Model: call})
		const tools = `"tools":[{"type":"function","function":{"name":"f"}}]`
		for _, headers := range [][]string{nil, {sse}} {
			w := post(s, textPath, native(tools), headers...)
			Expect(w.Body.String()).
				To(MatchRegexp(`"finish_reason":"tool_calls","message":{"role":"assistant","content":"","tool_calls":\[{"index":0,"id":"call_[^"]+","type":"function","function":{"name":"f","arguments":"{}"}}\]}`))
		}
		s = newServer(mocks.Config{Model: constantModel("hi")})
		Expect(post(s, textPath, native(`"result_format":"message","n":2`)).Body.String()).
			To(MatchRegexp(`"choices":\[{.*},{.*}\]`))
		Expect(post(s, textPath, native(`"result_format":"message","logprobs":true,"top_logprobs":1`)).Body.String()).
			To(ContainSubstring(`"logprobs":{"content":[{"token":"hi"`))
	})

	DescribeTable("refuses invalid requests with DashScope's error",
		func(body string, status int, code string, headers ...string) {
			w := post(newServer(mocks.Config{}), textPath, body, headers...)
			Expect(w.Code).To(Equal(status))
			Expect(w.Body.String()).
				To(MatchRegexp(`^\{"code":"` + code + `","message":"[^"]+.*","request_id":"[^"]+"\}$`))
		},
		Entry("no model", `{"input":{"prompt":"x"}}`, 400, "BadRequest.EmptyModel"),
		Entry("no input", `{"model":"q"}`, 400, "BadRequest.EmptyInput"),
		Entry("neither messages nor a prompt", `{"model":"q","input":{}}`, 400, "BadRequest.EmptyInput"),
		Entry("an unknown result_format", `{"model":"q","input":{"prompt":"x"},"parameters":{"result_format":"xml"}}`,
			400, "InvalidParameter"),
		Entry("a temperature of 2", native(`"temperature":2`), 400, "InvalidParameter"),
		Entry("a tool_choice of required", native(`"tool_choice":"required"`), 400, "InvalidParameter"),
		Entry("JSON mode without the word json", native(`"response_format":{"type":"json_object"}`),
			400, "InvalidParameter"),
		Entry("the header for asynchronous calls", native(""), 403, "AccessDenied", async),
		Entry("a body that is not JSON", `{`, 400, "InvalidParameter"),
	)

	It("ends a stream with an error event, although the HTTP status is 200", func() {
		s := newServer(mocks.Config{Model: constantModel(poem),
			Faults: []fault.Fault{{Component: "chat", Kind: fault.ErrorInStream}}})
		w := post(s, textPath, native(`"incremental_output":true`), sse)
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.String()).
			To(MatchRegexp(`\n\nid:\d+\nevent:error\n:HTTP_STATUS/500\ndata:{"code":"InternalError.Algo","message":"[^"]+","request_id":"[^"]+"}\n\n$`))
		Expect(post(s, textPath, native("")).Code).To(Equal(500))
	})
})

var _ = Describe("an image task that was created from messages", func() {
	It("returns its images as choices, with the usage format of the newest models", func() {
		simulate(newServer(mocks.Config{}), func(ctx context.Context, c *http.Client) {
			status, body := fetch(ctx, c, "POST", messagesPath,
				draw("qwen-image-3.0", `[{"image":"http://x/a.png"},{"text":"a red kite"}]`,
					`{"n":2,"size":"1024*768"}`))
			Expect(status).To(Equal(200), body)
			_, body = fetch(ctx, c, "GET", "/api/v1/tasks/"+taskIn(body), "")
			Expect(body).To(MatchRegexp(
				`"task_status":"SUCCEEDED",.*"choices":\[{"finish_reason":"stop","message":{"role":"assistant","content":\[{"image":"https://[^"]+"},{"image":"https://[^"]+"}\]}}\]`))
			Expect(body).To(ContainSubstring(
				`"usage":{"output_width":1024,"output_height":768,"input_image_count":1,"output_image_count":2}`))
			Expect(body).NotTo(ContainSubstring(`"results"`))
		})
	})

	DescribeTable("is refused with DashScope's error",
		func(body string, status int, code string, headers ...string) {
			w := post(newServer(mocks.Config{}), messagesPath, body, headers...)
			Expect(w.Code).To(Equal(status))
			Expect(w.Body.String()).To(HavePrefix(`{"code":"` + code + `"`))
		},
		Entry("without the header for asynchronous calls", draw("qwen-image-3.0", `[{"text":"x"}]`, `{}`),
			403, "AccessDenied"),
		Entry("for an older model", draw("qwen-image-2.0", `[{"text":"x"}]`, `{}`), 403, "AccessDenied", async),
		Entry("for a prompt instead of messages", `{"model":"qwen-image-3.0","input":{"prompt":"x"}}`, 400,
			"InvalidParameter", async),
		Entry("for seven images", draw("qwen-image-3.0", `[{"text":"x"}]`, `{"n":7}`), 400, "InvalidParameter", async),
	)
})

// taskIn returns the id of the image task in an answer.
func taskIn(body string) string {
	GinkgoHelper()
	var v struct {
		Output struct {
			TaskID string `json:"task_id"`
		}
	}
	decode(body, &v)
	Expect(v.Output.TaskID).NotTo(BeEmpty(), body)
	return v.Output.TaskID
}

var _ = Describe("the list of image tasks", func() {
	// list requests the list of tasks and returns the total number, the ids and the statuses.
	list := func(ctx context.Context, c *http.Client, query string) (total int, ids []string, statuses []string) {
		GinkgoHelper()
		status, body := fetch(ctx, c, "GET", "/api/v1/tasks"+query, "")
		Expect(status).To(Equal(200), body)
		var v struct {
			Total int
			Data  []struct {
				TaskID string `json:"task_id"`
				Status string
			}
		}
		decode(body, &v)
		for _, k := range v.Data {
			ids, statuses = append(ids, k.TaskID), append(statuses, k.Status)
		}
		return v.Total, ids, statuses
	}

	It("is sorted newest first and can be filtered by page, status, model and time", func() {
		s := newServer(mocks.Config{Images: mocks.ImageConfig{Pending: time.Minute, Running: time.Minute}})
		simulate(s, func(ctx context.Context, c *http.Client) {
			total, _, _ := list(ctx, c, "")
			Expect(total).To(BeZero())
			var made []string
			for range 12 {
				_, body := fetch(ctx, c, "POST", taskPath, `{"model":"qwen-image","input":{"prompt":"x"}}`)
				made = append(made, taskIn(body))
			}
			status, _ := fetch(ctx, c, "POST", "/api/v1/tasks/"+made[11]+"/cancel", "")
			Expect(status).To(Equal(200))
			total, ids, statuses := list(ctx, c, "")
			Expect(total).To(Equal(12))
			Expect(ids).To(HaveLen(10))
			Expect(ids[0]).To(Equal(made[11]))
			Expect(statuses[:2]).To(Equal([]string{"CANCELED", "PENDING"}))
			_, ids, _ = list(ctx, c, "?page_no=2")
			Expect(ids).To(Equal([]string{made[1], made[0]}))
			for query, want := range map[string]int{
				"?status=CANCELED": 1, "?status=RUNNING": 0, "?model_name=qwen-image&page_size=100": 12,
				"?model_name=wan2.2":         0,
				"?start_time=20261120100000": 12, "?start_time=20261120110000": 0, "?end_time=20261120090000": 0,
			} {
				total, _, _ = list(ctx, c, query)
				Expect(total).To(Equal(want), query)
			}
		})
	})

	DescribeTable("is refused for invalid parameters", func(query string) {
		w := send(newServer(mocks.Config{}), "GET", "/api/v1/tasks?"+query, "")
		Expect(w.Code).To(Equal(400))
		Expect(w.Body.String()).To(HavePrefix(`{"code":"InvalidParameter"`))
	},
		Entry(nil, "page_no=0"), Entry(nil, "page_size=101"), Entry(nil, "page_no=9999999"),
		Entry(nil, "start_time=yesterday"),
	)
})

var _ = It("an image task returns URLs on the host of the request if ServeImages is set", func() {
	s := newServer(mocks.Config{Images: mocks.ImageConfig{ServeImages: true}})
	body := post(s, syncPath, draw("qwen-image", `[{"text":"x"}]`, `{}`)).Body.String()
	Expect(body).To(ContainSubstring(`{"image":"http://mock/pictures/`))
	address := body[strings.Index(body, "http://mock")+len("http://mock"):]
	w := send(s, "GET", address[:strings.IndexByte(address, '"')], "", "Authorization: ")
	Expect(w.Code).To(Equal(200))
	Expect(http.DetectContentType(w.Body.Bytes())).To(Equal("image/png"))
	Expect(w.Body.Len()).To(BeNumerically("<", 1024))
	Expect(post(s, editPath,
		edit("description_edit", "http://mock"+address[:strings.IndexByte(address, '"')], "", `{}`),
		async).Code).To(Equal(200))
})

package mocks_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks"
	"evalctl/mocks/model"
)

var _ = Describe("the resources that one client can use", func() {
	chat := func(s http.Handler, rest string) *httptest.ResponseRecorder {
		return post(s, "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"x"}]`+rest+`}`)
	}

	DescribeTable("are limited by the number of JSON values, the length of names and the nesting",
		func(rest string, status int) {
			Expect(chat(newServer(mocks.Config{}), rest).Code).To(Equal(status))
		},
		Entry("500,001 tools", `,"tools":[`+strings.Repeat(`{},`, 500_000)+`{}]`, 413),
		Entry("500,001 messages", `,"messages":[`+strings.Repeat(`{},`, 500_000)+`{}]`, 413),
		Entry("a message with 300,001 parts",
			`,"messages":[{"role":"user","content":[`+strings.Repeat(`{"type":"text","text":"a"},`, 300_000)+`{}]}]`,
			413),
		Entry("a model name of 300 characters", `,"model":"`+strings.Repeat("m", 300)+`"`, 400),
		Entry("JSON with 20,000 nested lists", `,"deep":`+strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000), 400),
		Entry("tool parameters with 200 nested objects",
			`,"tools":[{"type":"function","function":{"name":"f","parameters":`+
				strings.Repeat(`{"a":`, 200)+"1"+strings.Repeat("}", 200)+`}}]`, 400),
		Entry("a JSON schema with 200 nested objects",
			`,"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":`+
				strings.Repeat(`{"a":`, 200)+"1"+strings.Repeat("}", 200)+`}}`, 400),
	)

	It("are limited by memory: a request over the limit gets the error of an overloaded server", func() {
		s := newServer(mocks.Config{MemoryLimit: 1 << 20, Model: constantModel(strings.Repeat("word ", 20_000))})
		long := `,"user":"` + strings.Repeat("u", 500_000) + `"`
		Expect(chat(s, long).Code).To(Equal(503), "a body")
		Expect(chat(s, `,"n":100`).Code).To(Equal(503), "choices")
		Expect(chat(s, `,"logprobs":true,"top_logprobs":20`).Code).To(Equal(503), "log probabilities")
		Expect(post(s, "/v1/embeddings", `{"model":"m","dimensions":4096,"input":[`+strings.Repeat(`"a",`, 99)+`"a"]}`).
			Code).To(Equal(503), "vectors")
		for range 3 {
			Expect(chat(s, `,"user":"`+strings.Repeat("u", 100_000)+`"`).Code).To(Equal(200))
		}
		w := post(s, "/api/v3/chat/completions",
			`{"model":"ep-1","messages":[{"role":"user","content":"`+strings.Repeat("u", 500_000)+`"}]}`)
		Expect(w.Code).To(Equal(429), "as Ark says it")
	})

	It("are checked after the first of many choices, before the others are generated", func() {
		made := 0
		s := newServer(mocks.Config{MemoryLimit: 1 << 20, Model: model.Func(func(model.Request) model.Answer {
			made++
			return model.Answer{Content: strings.Repeat("word ", 20_000)}
		})})
		Expect(chat(s, `,"n":100`).Code).To(Equal(503))
		Expect(made).To(Equal(1))
	})

	It("are reserved until the answer has been sent, and then released", func() {
		asked, answer := make(chan struct{}), make(chan struct{})
		s := newServer(mocks.Config{MemoryLimit: 64 << 20, Model: model.Func(func(model.Request) model.Answer {
			asked <- struct{}{}
			<-answer
			return model.Answer{Content: "done"}
		})})
		long := `,"user":"` + strings.Repeat("u", 8<<20) + `"` // two of them fit, including their copies
		served := make(chan int, 2)
		for range 2 {
			go func() { served <- chat(s, long).Code }()
			Eventually(asked).WithTimeout(20 * time.Second).Should(Receive())
		}
		Expect(chat(s, long).Code).To(Equal(503))
		close(answer)
		Eventually(served).WithTimeout(20 * time.Second).Should(Receive(Equal(200)))
		Eventually(served).WithTimeout(20 * time.Second).Should(Receive(Equal(200)))
		go func() { <-asked }()
		Expect(chat(s, long).Code).To(Equal(200))
	})

	It("are released after a request: the server stores only short prompts of tasks and short model names", func() {
		s := newServer(mocks.Config{})
		w := post(s, taskPath, fmt.Sprintf(`{"model":"qwen-image","input":{"prompt":%q}}`,
			strings.Repeat("kite ", 100_000)), async)
		Expect(w.Code).To(Equal(200))
		w = send(s, "GET", "/api/v1/tasks/"+taskIn(w.Body.String()), "")
		Expect(w.Body.Len()).To(BeNumerically("<", 20_000))
		chat(s, `,"model":"`+strings.Repeat("m", 1<<20)+`"`)
		for _, e := range s.Log() {
			Expect(len(e.Model)).To(BeNumerically("<=", 256))
		}
	})

	It("cannot have a negative memory limit", func() {
		_, err := mocks.New(mocks.Config{MemoryLimit: -1})
		Expect(err).To(MatchError(ContainSubstring("Config.Memory")))
	})
})

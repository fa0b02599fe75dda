package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/agent/search/web"
)

func exchange(method, url, body string, headers ...string) (status int, answer string) {
	GinkgoHelper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	r.Header.Set("Authorization", "Bearer k")
	for _, h := range headers {
		key, value, _ := strings.Cut(h, ": ")
		r.Header.Set(key, value)
	}
	res, err := http.DefaultClient.Do(r)
	Expect(err).NotTo(HaveOccurred())
	b, err := io.ReadAll(res.Body)
	Expect(err).NotTo(HaveOccurred())
	Expect(res.Body.Close()).To(Succeed())
	return res.StatusCode, string(b)
}

var _ = Describe("evalctl mock serve", Label("concurrent"), func() {
	const (
		tasks = "/services/aigc/text2image/image-synthesis"
		kite  = `{"model":"qwen-image","input":{"prompt":"a red kite"}}`
		async = "X-DashScope-Async: enable"
	)
	// serve starts a mock server with one labeled text.
	serve := func(args ...string) map[string]string {
		GinkgoHelper()
		cases := fileOf("cases.jsonl", `{"id":"a","text":"a lighthouse, please","label":"image_gen"}`+"\n"+
			`{"id":"b","text":"hello","label":"chat"}`+"\n")
		return mockServe(append([]string{"--dataset", cases}, args...)...)
	}
	create := func(base string) string {
		GinkgoHelper()
		var made struct {
			Output struct {
				TaskID string `json:"task_id"`
			}
		}
		_, body := exchange("POST", base+tasks, kite, async)
		Expect(json.Unmarshal([]byte(body), &made)).To(Succeed(), body)
		return made.Output.TaskID
	}

	It("applies --fault and --latency to the deciding component of any system, also by its name in one system", func() {
		decision := `{"model":%q,"response_format":{"type":"json_object"},"messages":[{"role":"user","content":"json"}]}`
		for _, part := range []string{"model", "router"} {
			base := serve("--fault", part+":auth", "--latency", part+"=constant:1ms")["openai"]
			for _, model := range []string{"m", part + "/m"} {
				status, _ := exchange("POST", base+"/chat/completions", fmt.Sprintf(decision, model))
				Expect(status).To(Equal(401), part+" "+model)
			}
			f := mockFlags{latencies: []string{part + "=constant:1s"}}
			cfg, err := f.config()
			Expect(err).NotTo(HaveOccurred())
			Expect(cfg.Latency).To(And(HaveKey("router"), HaveKey(part), Not(HaveKey("chat"))))
		}
	})

	It("serves the images that its answers link to", func() {
		base := serve()["dashscope-native"]
		_, body := exchange("GET", base+"/tasks/"+create(base), "")
		var done struct {
			Output struct{ Results []struct{ URL string } }
		}
		Expect(json.Unmarshal([]byte(body), &done)).To(Succeed(), body)
		status, image := exchange("GET", done.Output.Results[0].URL, "")
		Expect(status).To(Equal(200))
		Expect(http.DetectContentType([]byte(image))).To(Equal("image/png"))
	})

	It("can cancel a task that is queued for --task-queue-time, and lists it", func() {
		base := serve("--task-queue-time", "1h")["dashscope-native"]
		id := create(base)
		status, _ := exchange("POST", base+"/tasks/"+id+"/cancel", "")
		Expect(status).To(Equal(200))
		_, body := exchange("GET", base+"/tasks?status=CANCELED", "")
		Expect(body).To(And(ContainSubstring(`"total":1,`), ContainSubstring(id)))
	})

	It("answers with the fallback label under the fault of that name, but refuses this fault for a scripted model",
		func() {
			base := serve("--fault", "router:fallback_label@2")["openai"]
			for _, label := range []string{"image_gen", "chat", "image_gen"} {
				_, body := exchange("POST", base+"/chat/completions",
					`{"model":"m","response_format":{"type":"json_object"},"messages":[`+
						`{"role":"system","content":"json"},{"role":"user","content":"a lighthouse, please"}]}`)
				Expect(body).To(ContainSubstring(`\"route\":\"` + label + `\",\"confidence\":1,`))
			}
			script := fileOf("s.yaml", "rules: []\n")
			Expect(evalctl("mock", "serve", "--script", script, "--fault", "router:fallback_label").stderr).To(
				Equal("evalctl: --fault: router:fallback_label: does not apply to a script, whose answers are fixed\n"))
		})

	It("L5: implements the web search APIs of Tavily and Bocha", func(ctx context.Context) {
		bases := serve("--fault", "search_engine:no_balance@3")
		for _, engine := range web.Engines() {
			c, err := web.New(web.Config{Engine: engine, BaseURL: bases[engine], APIKey: "any"})
			Expect(err).NotTo(HaveOccurred())
			found, err := c.Search(ctx, "图神经网络", 4)
			Expect(err).NotTo(HaveOccurred())
			Expect(found.Pages).To(HaveLen(4))
			if engine == web.Bocha {
				_, err = c.Search(ctx, "图神经网络", 4)
				Expect(err).To(MatchError(llm.KindNoBalance))
			}
		}
	})

	It("recognizes messages that are sent together as one request", func() {
		cases := fileOf("volley.jsonl",
			`{"id":"v","turns":[{"input":{"text":"在吗","session":"s"}},{"input":{"text":"吃了啥","session":"s","after":"2s"},`+
				`"expect":{"intent":"KNOWLEDGE_QUERY"}}]}`+"\n")
		_, body := exchange("POST", mockServe("--dataset", cases)["openai"]+"/chat/completions",
			`{"model":"m","response_format":{"type":"json_object"},`+
				`"messages":[{"role":"system","content":"json"},{"role":"user","content":"在吗 吃了啥"}]}`)
		Expect(body).To(ContainSubstring(`\"intent\":\"KNOWLEDGE_QUERY\",\"confidence\":1`))
	})

	It("L5: implements the RAGFlow retrieval of passages from the shipped papers", func() {
		_, body := exchange("POST", serve()["ragflow"]+"/api/v1/retrieval",
			`{"question":"比表面积","dataset_ids":["papers"],"page_size":1}`)
		Expect(body).To(And(HavePrefix(`{"code":0,"data":{"chunks":[{"id":"`), ContainSubstring("比表面积")))
	})

	It("calls the tool whose name is the label of a text", func() {
		base := serve()["openai"]
		for text, want := range map[string]string{"a lighthouse, please": `"function":{"name":"image_gen","arguments":"{}"}`, "what is up": `"finish_reason":"stop"`} {
			_, body := exchange("POST", base+"/chat/completions", fmt.Sprintf(
				`{"model":"m","messages":[{"role":"user","content":%q}],"tools":[{"type":"function","function":{"name":"image_gen"}}]}`, text))
			Expect(body).To(ContainSubstring(want))
		}
	})
})

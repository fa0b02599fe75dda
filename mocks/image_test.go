package mocks_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/wire"
)

const (
	syncPath = "/api/v1/services/aigc/multimodal-generation/generation"
	taskPath = "/api/v1/services/aigc/text2image/image-synthesis"
	editPath = "/api/v1/services/aigc/image2image/image-synthesis"
	async    = "X-DashScope-Async: enable"
)

func draw(model, content, parameters string) string {
	return fmt.Sprintf(`{"model":%q,"input":{"messages":[{"role":"user","content":%s}]},"parameters":%s}`, model,
		content, parameters)
}

var _ = Describe("a synchronous image request", func() {
	It("gets an answer in DashScope's format", func() {
		s := newServer(mocks.Config{})
		w := post(s, syncPath, draw("qwen-image-max", `[{"text":"a red kite"}]`, `{"size":"1328*1328","n":1}`))
		Expect(w.Code).To(Equal(200))
		Expect(withoutIDs(w.Body.String())).To(MatchRegexp(
			`^\{"output":\{"choices":\[\{"finish_reason":"stop","message":\{"role":"assistant","content":\[\{"image":"https://[^"]+\.png\?Expires=[^"]+"\}\]\}\}\]\},"usage":\{"width":1328,"height":1328,"image_count":1\},"request_id":"I"\}$`))
		Expect(s.Log()[0]).To(Equal(mocks.LogEntry{
			ComponentName: "image", Role: component.Image, Method: "POST", Path: syncPath,
			Dialect: wire.DashScopeNative,
			Model:   "qwen-image-max", CallNumber: 1, Status: 200,
		}))
	})

	It("gets the requested number of images, in the model's default size", func() {
		s := newServer(mocks.Config{})
		body := post(s, syncPath, draw("qwen-image-2.0", `[{"text":"x"}]`, `{"n":3}`)).Body.String()
		Expect(strings.Count(body, `{"image":`)).To(Equal(3))
		Expect(body).To(ContainSubstring(`"width":2048,"height":2048,"image_count":3`))
		Expect(post(s, syncPath, draw("qwen-image", `[{"text":"x"}]`, `{}`)).Body.String()).
			To(ContainSubstring(`"width":1664,"height":928`))
		Expect(post(s, syncPath, draw("qwen-image-edit", `[{"image":"http://x/a.png"},{"text":"bluer"}]`, `{}`)).Code).
			To(Equal(200))
		Expect(post(s, syncPath, draw("qwen-image-3.0", `[{"text":"x"}]`, `{}`)).Body.String()).
			To(ContainSubstring(`"output_width":2048`))
	})

	DescribeTable("is refused with DashScope's error",
		func(body string, status int, code, message string, headers ...string) {
			w := post(newServer(mocks.Config{}), syncPath, body, headers...)
			Expect(w.Code).To(Equal(status))
			Expect(w.Body.String()).To(MatchRegexp(`^\{"request_id":"[^"]+","code":"` + code + `","message":"`))
			Expect(w.Body.String()).To(ContainSubstring(message))
		},
		Entry("for a size with an x instead of *", draw("qwen-image", `[{"text":"x"}]`, `{"size":"1024x1024"}`), 400,
			"InvalidParameter", "1024x1024"),
		Entry("for a size that the model does not support",
			draw("qwen-image", `[{"text":"x"}]`, `{"size":"1024*1024"}`), 400,
			"InvalidParameter", "1024*1024"),
		Entry("for a message without text", draw("qwen-image", `[{"type":"text"}]`, `{}`), 400,
			"InvalidParameter", "text item"),
		Entry("for a content that is a string", draw("qwen-image", `"x"`, `{}`), 400, "InvalidParameter", "content"),
		Entry("for two text items", draw("qwen-image", `[{"text":"x"},{"text":"y"}]`, `{}`), 400, "InvalidParameter",
			"one text item"),
		Entry("for two images with a model that generates one", draw("qwen-image", `[{"text":"x"}]`, `{"n":2}`),
			400, "InvalidParameter",
			"num_images_per_prompt must be 1"),
		Entry("for an edit without an image", draw("qwen-image-edit", `[{"text":"x"}]`, `{}`), 400, "InvalidParameter",
			"image items"),
		Entry("for an edit with a size",
			draw("qwen-image-edit", `[{"image":"http://x"},{"text":"x"}]`, `{"size":"1024*1024"}`), 400,
			"InvalidParameter", "size"),
		Entry("for an image that cannot be downloaded",
			draw("qwen-image-edit", `[{"image":"http://x.invalid/a"},{"text":"x"}]`, `{}`), 400,
			"BadRequest.InputDownloadFailed", ""),
		Entry("for an image URL without a host", draw("qwen-image-edit", `[{"image":"http:///a"},{"text":"x"}]`, `{}`),
			400,
			"BadRequest.InputDownloadFailed", ""),
		Entry("for invalid base64", draw("qwen-image-edit", `[{"image":"data:image/png;base64,A"},{"text":"x"}]`, `{}`),
			400,
			"InvalidParameter", "base64"),
		Entry("for an image that is not a URL", draw("qwen-image-edit", `[{"image":"a.png"},{"text":"x"}]`, `{}`),
			400, "InvalidURL", ""),
		Entry("for a negative prompt of 501 characters",
			draw("qwen-image", `[{"text":"x"}]`, `{"negative_prompt":"`+strings.Repeat("模", 501)+`"}`), 400,
			"InvalidParameter", "500"),
		Entry("for a negative seed", draw("qwen-image", `[{"text":"x"}]`, `{"seed":-1}`), 400,
			"InvalidParameter", "seed"),
		Entry("without a model", `{"input":{}}`, 400, "BadRequest.EmptyModel", ""),
		Entry("without an input", `{"model":"qwen-image"}`, 400, "BadRequest.EmptyInput", ""),
		Entry("for an unknown model", draw("dall-e-3", `[{"text":"x"}]`, `{}`), 404, "ModelNotFound", ""),
		Entry("for a model that only supports tasks", draw("wanx2.1-t2i-turbo", `[{"text":"x"}]`, `{}`),
			403, "AccessDenied",
			"does not support synchronous calls"),
		Entry("with the header for asynchronous calls", draw("qwen-image-max", `[{"text":"x"}]`, `{}`),
			403, "AccessDenied",
			"does not support asynchronous calls", async),
	)

	It("whose content has the undocumented key \"type\" is accepted, with a note in the log", func() {
		s := newServer(mocks.Config{})
		Expect(post(s, syncPath, draw("qwen-image", `[{"type":"text","text":"x"}]`, `{}`)).Code).To(Equal(200))
		Expect(s.Log()[0].Notes).To(ConsistOf(ContainSubstring("type")))
	})

	It("takes the configured latency, and fails under the faults task_failed and task_endless", func() {
		s := newServer(mocks.Config{
			Latency: map[string]latency.Latency{"image": latency.Constant(3 * time.Second)},
			Faults: []fault.Fault{{Component: "image", Kind: fault.TaskFailed, CallNumber: 2},
				{Component: "image", Kind: fault.TaskNeverEnds, CallNumber: 3}},
		})
		simulate(s, func(ctx context.Context, c *http.Client) {
			for _, want := range []struct {
				status   int
				duration time.Duration
			}{{200, 3 * time.Second}, {500, 3 * time.Second}, {408, mocks.SyncImageTimeout}} {
				start := clock.Now(ctx)
				status, _ := fetch(ctx, c, "POST", syncPath, draw("qwen-image", `[{"text":"x"}]`, `{}`))
				Expect(status).To(Equal(want.status))
				Expect(clock.Since(ctx, start)).To(Equal(want.duration))
			}
		})
	})
})

// fetch sends a request and returns the status and the body. Except for synchronous images, the
// request has the header for asynchronous calls.
func fetch(ctx context.Context, c *http.Client, method, path, body string) (int, string) {
	GinkgoHelper()
	r, err := http.NewRequestWithContext(ctx, method, "http://mock"+path, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	r.Header.Set("Authorization", "Bearer k")
	if path != syncPath {
		r.Header.Set("X-DashScope-Async", "enable")
	}
	res, err := c.Do(r)
	Expect(err).NotTo(HaveOccurred())
	defer func() { Expect(res.Body.Close()).To(Succeed()) }()
	return res.StatusCode, readAll(res.Body)
}

var _ = Describe("image tasks", func() {
	const kite = `{"model":"qwen-image-plus","input":{"prompt":"a red kite"},"parameters":{"size":"1328*1328","n":1}}`

	create := func(ctx context.Context, c *http.Client) string {
		GinkgoHelper()
		status, body := fetch(ctx, c, "POST", taskPath, kite)
		Expect(status).To(Equal(200), body)
		Expect(body).To(MatchRegexp(
			`^\{"output":\{"task_id":"[^"]+","task_status":"PENDING"\},"request_id":"[^"]+"\}$`))
		var v struct {
			Output struct {
				TaskID string `json:"task_id"`
			}
		}
		decode(body, &v)
		return v.Output.TaskID
	}

	It("are pending, then running, then succeeded, with times in Beijing time", func() {
		s := newServer(mocks.Config{
			Images:  mocks.ImageConfig{Pending: 2 * time.Second, Running: 4 * time.Second},
			Latency: map[string]latency.Latency{"image": latency.Constant(time.Second)},
		})
		simulate(s, func(ctx context.Context, c *http.Client) {
			id := create(ctx, c)
			var states []string
			body := ""
			for range 8 {
				_, body = fetch(ctx, c, "GET", "/api/v1/tasks/"+id, "")
				var v struct {
					Output struct {
						Status string `json:"task_status"`
					}
				}
				decode(body, &v)
				states = append(states, v.Output.Status[:1])
				Expect(clock.Sleep(ctx, time.Second)).To(Succeed())
			}
			Expect(strings.Join(states, "")).To(Equal("PPRRRRRS"))
			Expect(withoutIDs(body)).To(MatchRegexp(
				`^\{"request_id":"I","output":\{"task_id":"` + id + `","task_status":"SUCCEEDED",` +
					`"submit_time":"2026-11-20 10:00:00.000","scheduled_time":"2026-11-20 10:00:02.000","end_time":"2026-11-20 10:00:07.000",` +
					`"results":\[\{"orig_prompt":"a red kite","actual_prompt":"a red kite, [^"]+","url":"https://[^"]+"\}\],` +
					`"task_metrics":\{"TOTAL":1,"SUCCEEDED":1,"FAILED":0\}\},"usage":\{"image_count":1\}\}$`))
		})
	})

	It("fail with HTTP status 200 and the error inside the output", func() {
		s := newServer(mocks.Config{Faults: []fault.Fault{{Component: "image", Kind: fault.TaskFailed}}})
		simulate(s, func(ctx context.Context, c *http.Client) {
			id := create(ctx, c)
			status, body := fetch(ctx, c, "GET", "/api/v1/tasks/"+id, "")
			Expect(status).To(Equal(200))
			Expect(withoutIDs(body)).
				To(MatchRegexp(`^\{"request_id":"I","output":\{"task_id":"` + id +
					`","task_status":"FAILED","code":"[^"]+","message":"[^"]+"\}\}$`))
		})
	})

	It("run for at least 23 hours under the fault task_endless", func() {
		s := newServer(mocks.Config{Faults: []fault.Fault{{Component: "image", Kind: fault.TaskNeverEnds}}})
		simulate(s, func(ctx context.Context, c *http.Client) {
			id := create(ctx, c)
			Expect(clock.Sleep(ctx, 23*time.Hour)).To(Succeed())
			_, body := fetch(ctx, c, "GET", "/api/v1/tasks/"+id, "")
			Expect(body).To(ContainSubstring(`"RUNNING"`))
		})
	})

	It("have the status UNKNOWN with HTTP status 200 if they were never created", func() {
		w := send(newServer(mocks.Config{}), "GET", "/api/v1/tasks/nobody", "")
		Expect(w.Code).To(Equal(200))
		Expect(withoutIDs(w.Body.String())).
			To(Equal(`{"request_id":"I","output":{"task_id":"nobody","task_status":"UNKNOWN"}}`))
	})

	It("can be canceled only while they are pending", func() {
		s := newServer(mocks.Config{Images: mocks.ImageConfig{Pending: time.Minute}})
		simulate(s, func(ctx context.Context, c *http.Client) {
			id := create(ctx, c)
			status, _ := fetch(ctx, c, "POST", "/api/v1/tasks/"+id+"/cancel", "")
			Expect(status).To(Equal(200))
			_, body := fetch(ctx, c, "GET", "/api/v1/tasks/"+id, "")
			Expect(body).To(ContainSubstring(`"CANCELED"`))
			status, body = fetch(ctx, c, "POST", "/api/v1/tasks/"+id+"/cancel", "")
			Expect(status).To(Equal(400))
			Expect(body).To(ContainSubstring(`"code":"UnsupportedOperation"`))
		})
	})

	It("count polls separately from other calls, so that a fault can affect a single poll", func() {
		s := newServer(mocks.Config{Faults: []fault.Fault{{Component: "poll", Kind: fault.ServerError, CallNumber: 1}}})
		simulate(s, func(ctx context.Context, c *http.Client) {
			id := create(ctx, c)
			status, _ := fetch(ctx, c, "GET", "/api/v1/tasks/"+id, "")
			Expect(status).To(Equal(500))
			status, _ = fetch(ctx, c, "GET", "/api/v1/tasks/"+id, "")
			Expect(status).To(Equal(200))
			Expect(s.Calls("image")).To(Equal(1))
		})
	})

	DescribeTable("are refused with DashScope's error",
		func(path, body string, status int, code string, headers ...string) {
			w := post(newServer(mocks.Config{}), path, body, headers...)
			Expect(w.Code).To(Equal(status))
			Expect(w.Body.String()).
				To(MatchRegexp(`^\{"code":"` + code + `","message":"[^"]+.*","request_id":"[^"]+"\}$`))
		},
		Entry("without the header for asynchronous calls", taskPath, kite, 403, "AccessDenied"),
		Entry("for a model that does not support tasks", taskPath, `{"model":"qwen-image-max","input":{"prompt":"x"}}`,
			403,
			"AccessDenied", async),
		Entry("for messages instead of a prompt", taskPath, draw("qwen-image", `[{"text":"x"}]`, `{}`), 400,
			"InvalidParameter", async),
		Entry("for a negative prompt of 501 characters", taskPath,
			`{"model":"qwen-image","input":{"prompt":"x","negative_prompt":"`+
				strings.Repeat("x", 501)+`"}}`, 400, "InvalidParameter", async),
		Entry("for a size with an x instead of *", taskPath,
			`{"model":"qwen-image","input":{"prompt":"x"},"parameters":{"size":"1328x1328"}}`, 400,
			"InvalidParameter", async),
	)

	It("accept a negative prompt of 500 characters", func() {
		body := `{"model":"qwen-image","input":{"prompt":"x","negative_prompt":"` + strings.Repeat("模", 500) + `"}}`
		Expect(post(newServer(mocks.Config{}), taskPath, body, async).Code).To(Equal(200))
	})

	It("return URLs of images that can be downloaded without an API key", func() {
		w := send(newServer(mocks.Config{}), "GET", "/pictures/abc.png", "", "Authorization: ")
		Expect(w.Code).To(Equal(200))
		Expect(http.DetectContentType(w.Body.Bytes())).To(Equal("image/png"))
	})
})

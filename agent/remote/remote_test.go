package remote_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/remote"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// kindOf returns the error kind of a trial that fails with err.
func kindOf(err error) eval.ErrorKind { return eval.ClassifyError(err).Kind }

var _ = Describe("An agent at a URL", func() {
	DescribeTable("fails if its answer has no value at the label path; the error shows the answer",
		func(kind, body, has string) {
			url, _ := service(says(kind, body))
			a, _, err := opened(url, map[string]string{"label-path": "/output/label", "retries": "0"})
			Expect(err).NotTo(HaveOccurred())
			_, err = a.Respond(context.Background(), agent.Turn{Text: "hi"}, func(trace.Event) {})
			Expect(err).To(MatchError(llm.KindMalformedResponse))
			Expect(err).To(MatchError(
				ContainSubstring("has nothing at /output/label, where its label should be: " +
					has)))
		},
		Entry("an answer without the path", asJSON, `{"label":"refund","sure":1}`,
			`{"label":"refund","sure":1}. Its label may be at /label: --label-path /label`),
		Entry("an answer that is not an object", asJSON, `[]`,
			"[]. Name the path of the label, as in --label-path /result/0/label"),
		Entry("a stream that ends without the path", "text/event-stream",
			"event: answer\ndata: {\"label\":\"refund\"}\n\n",
			`{"label":"refund"}`),
	)

	DescribeTable("makes an invalid decision if the value at the label path is not a label", func(body string) {
		url, _ := service(says(asJSON, body))
		a, _, err := opened(url, nil)
		Expect(err).NotTo(HaveOccurred())
		r, err := a.Respond(context.Background(), agent.Turn{Text: "hi"}, func(trace.Event) {})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("invalid"))
	},
		Entry(nil, `{"label":null}`), Entry(nil, `{"label":""}`),
	)

	It("receives a request in the default format, and its answer in the default format is read", func() {
		url, asked := service(says(asJSON,
			`{"label":"refund","confidence":0.75,"text":"gern","usage":{"in":12,"out":3},"events":[{"kind":"thought_log","text":"hm"}]}`))
		r, events, err := turn(remote.Config{URL: url, Header: http.Header{"X-Team": {"a"}}})
		Expect(err).NotTo(HaveOccurred())
		Expect(r).To(And(HaveField("Predicted", "refund"), HaveField("AnsweredBy", "refund"),
			HaveField("Content", "gern"), HaveField("Confidence", 0.75)))
		Expect(spanOf(events)).To(And(HaveField("Tokens", trace.Tokens{In: 12, Out: 3}),
			HaveField("UsageUnreported", false), HaveField("Provider", "http")))
		Expect(events).To(ContainElement(HaveField("Kind", trace.KindThoughtLog)))
		Expect((*asked)[0].body).To(Equal(`{"text":"钱呢","history":[],"session":"s"}`))
		Expect((*asked)[0].header.Get("X-Team")).To(Equal("a"))
	})

	It("may omit tokens and confidence, which then are unknown, not zero", func() {
		// some servers do not set the content type application/json
		url, _ := service(says("text/plain", `{"label":"退款"}`))
		r, events, err := turn(remote.Config{URL: url})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.ModelDecision.Confidence).To(BeNil())
		Expect(spanOf(events).UsageUnreported).To(BeTrue())
	})

	It("receives a request and sends an answer in a configured format", func() {
		url, asked := service(says(asJSON, `{"out":[{"answer":{"name":"refund","p":0.5}}],"n":[4,2]}`))
		template, err := foreign.NewTemplate(`{"messages":{{messages}},"user":"eval-{{session}}"}`, nil)
		Expect(err).NotTo(HaveOccurred())
		p := foreign.DefaultPaths()
		p.Label, p.Confidence, p.TokensIn, p.TokensOut = "out.0.answer.name", "/out/0/answer/p", "/n/0", "n.1"
		r, events, err := turn(remote.Config{URL: url, Template: template, Paths: p})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("refund"))
		Expect(r.Confidence).To(Equal(0.5))
		Expect(spanOf(events).Tokens).To(Equal(trace.Tokens{In: 4, Out: 2}))
		Expect((*asked)[0].body).To(MatchJSON(`{"messages":[{"role":"user","content":"钱呢"}],"user":"eval-s"}`))
	})

	DescribeTable("may stream its answer", func(stream, content string, predicted string) {
		url, _ := service(says(asEvents, stream))
		r, events, err := turn(remote.Config{URL: url})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal(predicted))
		Expect(r.Content).To(Equal(content))
		if strings.Contains(stream, "chunk") {
			Expect(textOf(events)).To(Equal("好的"))
			Expect(spanOf(events).TTFT).To(BeNumerically(">", 0))
		}
	},
		Entry("pieces of text followed by the answer",
			"event: chunk\ndata: {\"text\":\"好\"}\n\n: still here\n\nevent: chunk\ndata: {\"text\":\"的\"}\n\nevent: answer\ndata: {\"label\":\"refund\"}\n\n", "好的", "refund"),
		Entry("lines that end in CRLF, a byte order mark and [DONE]",
			"\uFEFFevent: chunk\r\ndata: \"好\"\r\n\r\ndata: \"的\"\r\n\r\ndata: {\"label\":\"refund\"}\r\n\r\ndata: [DONE]", "好的", "refund"),
		Entry("trace events of the agent",
			"data: {\"event\":{\"kind\":\"chunk\",\"text\":\"好\"}}\n\ndata: {\"event\":{\"kind\":\"chunk\",\"text\":\"的\"}}\n\ndata: {\"label\":\"refund\",\"text\":\"fertig\"}\n\n", "fertig", "refund"),
		Entry("the label first and the text at the end",
			"data: {\"label\":\"refund\"}\n\nevent: done\ndata: {\"text\":\"fertig\"}\n\n", "fertig", "refund"),
		Entry("30.5: the label under a usual name, after pieces of text under another",
			"data: {\"answer\":\"Su\"}\n\ndata: {\"answer\":\"re\"}\n\ndata: {\"intent\":\"refund\",\"text\":\"fertig\"}\n\n",
			"fertig", "refund"),
		Entry("30.5: the label first, the text at the end under a usual name",
			"data: {\"intent\":\"refund\"}\n\nevent: done\ndata: {\"answer\":\"Sure\",\"text\":\"fertig\"}\n\n",
			"fertig",
			"refund"),
		Entry("30.5: the label at the end under a name that may be a text",
			"event: answer\ndata: {\"output\":\"refund\"}\n\n", "refund", "refund"),
		Entry("an answer event without the final blank line", "data: {\"label\":\"refund\"}\n", "refund", "refund"),
		Entry("an answer event with its data on several lines", "data: {\ndata: \"label\":\"refund\"}\n\n",
			"refund", "refund"),
		Entry("one label first and two labels at the end, so the decision is invalid",
			"data: {\"label\":\"refund\"}\n\nevent: done\ndata: {\"label\":\"refund\",\"text\":\"fertig\",\"label\":\"x\"}\n\n", "fertig", "invalid"),
		Entry("an answer without a label at the end, so the decision is invalid",
			"event: chunk\ndata: \"好的\"\n\ndata: [DONE]\n\n",
			"好的", "invalid"),
	)

	DescribeTable("may keep the connection open after the event that ends its stream", func(stream string) {
		url, _ := service(func(w http.ResponseWriter, r *http.Request) {
			says(asEvents, stream)(w, r)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done() // until the client disconnects
		})
		const patience = 10 * time.Second
		r, events, err := turn(remote.Config{URL: url, Timeout: patience})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("refund"))
		Expect(spanOf(events).Duration).To(BeNumerically("<", patience/2))
	},
		Entry("a stream that ends with an answer", "event: answer\ndata: {\"label\":\"refund\"}\n\n"),
		Entry("a stream that ends with [DONE]", "data: {\"label\":\"refund\"}\n\ndata: [DONE]\n\n"),
		Entry("a stream that ends with [DONE] and CRLF", "data: {\"label\":\"refund\"}\r\n\r\ndata: [DONE]\r\n\r\n"),
		Entry("a stream that ends with [DONE] and CR", "data: {\"label\":\"refund\"}\r\rdata: [DONE]\r\r"),
	)

	DescribeTable("may report its tokens in any event of a stream", func(stream string, want *trace.Tokens) {
		url, _ := service(says(asEvents, stream))
		_, events, err := turn(remote.Config{URL: url})
		Expect(err).NotTo(HaveOccurred())
		Expect(spanOf(events).UsageUnreported).To(Equal(want == nil))
		if want != nil {
			Expect(spanOf(events).Tokens).To(Equal(*want))
		}
	},
		Entry(nil, "data: {\"usage\":{\"in\":3,\"out\":4}}\n\ndata: {\"label\":\"refund\"}\n\n",
			&trace.Tokens{In: 3, Out: 4}),
		Entry(nil, "data: {\"label\":\"refund\"}\n\n", nil))

	DescribeTable("that fails has no decision, and the error contains the reason",
		func(answer http.HandlerFunc, kind llm.ErrorKind, trial eval.ErrorKind, message string) {
			url, _ := service(answer)
			patience := 20 * time.Second
			if kind == llm.KindTimeout {
				patience = 300 * time.Millisecond
			}
			r, events, err := turn(remote.Config{URL: url, Timeout: patience})
			Expect(err).To(MatchError(kind))
			Expect(err.Error()).To(ContainSubstring(message))
			Expect(kindOf(err)).To(Equal(trial))
			Expect(r.Predicted).To(BeEmpty())
			Expect(spanOf(events).Error).To(Equal(string(kind)))
			Expect(spanOf(events).UsageUnreported).To(BeFalse(), "nothing came that could have been billed")
			Expect(events[len(events)-1].Kind).To(Equal(trace.KindDone))
		},
		Entry("an answer that is not JSON", says(asJSON, "<html>"), llm.KindMalformedResponse, eval.ProviderError,
			"is not JSON"),
		Entry("a stream event that is not JSON", says(asEvents, "data: <html>\n\n"), llm.KindMalformedResponse,
			eval.ProviderError,
			"is not JSON"),
		Entry("an empty answer", says(asJSON, ""), llm.KindMalformedResponse, eval.ProviderError, "is not JSON"),
		Entry("a JSON answer with the field error", says(asJSON, `{"error":"out of cheese"}`), llm.KindServerError,
			eval.ProviderError,
			"out of cheese"),
		Entry("a stream with an error event", says(asEvents, "event: error\ndata: out of cheese\n\n"),
			llm.KindServerError,
			eval.ProviderError, "out of cheese"),
		Entry("the HTTP status 401",
			func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) },
			llm.KindAuth, eval.ProviderError, "401"),
		Entry("a redirect", func(w http.ResponseWriter,
			r *http.Request) {
			http.Redirect(w, r, "/else", http.StatusFound)
		}, llm.KindMalformedResponse, eval.ProviderError, "redirect"),
		Entry("a stream that ends without an answer", says(asEvents, "data: \"好\"\n\n"), llm.KindTruncated,
			eval.ProviderError, "without an answer"),
		Entry("a connection that breaks", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			llm.KindConnectionReset, eval.ProviderError, ""),
		Entry("no answer before the timeout", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			llm.KindTimeout,
			eval.TimeoutError, ""),
		Entry("a slow stream that continues past the timeout", func(w http.ResponseWriter, r *http.Request) {
			says(asEvents, "")(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, "data: {\"text\":\"x\"}\n\n")
				_ = http.NewResponseController(w).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		}, llm.KindTimeout, eval.TimeoutError, ""),
		Entry("a stream with too many events", func(w http.ResponseWriter, r *http.Request) {
			says(asEvents, "")(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat("data: {}\n\n", 1000))
			}
		}, llm.KindMalformedResponse, eval.ProviderError, "more than 10000 events"),
		Entry("a stream event that never ends", func(w http.ResponseWriter, r *http.Request) {
			says(asEvents, "data: ")(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat("x", 64<<10))
			}
		}, llm.KindMalformedResponse, eval.ProviderError, "bytes"),
		Entry("JSON that never ends", func(w http.ResponseWriter, r *http.Request) {
			says(asJSON, `"`)(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat("x", 64<<10))
			}
		}, llm.KindMalformedResponse, eval.ProviderError, "longer than"),
	)

	It("must repeat the request's ID in its answer if an ID path is configured", func() {
		template, err := foreign.NewTemplate(`{"q":{{text}},"id":{{id}}}`, nil)
		Expect(err).NotTo(HaveOccurred())
		p := foreign.DefaultPaths()
		p.ID = "/id"
		var url string
		var asked *[]heard
		for _, echo := range []bool{true, false} {
			url, asked = service(func(w http.ResponseWriter, _ *http.Request) {
				id := "another"
				if echo {
					_, rest, _ := strings.Cut((*asked)[len(*asked)-1].body, `"id":"`)
					id, _, _ = strings.Cut(rest, `"`)
				}
				_, _ = fmt.Fprintf(w, `{"label":"refund","id":%q}`, id)
			})
			_, _, err := turn(remote.Config{URL: url, Template: template, Paths: p})
			if echo {
				Expect(err).NotTo(HaveOccurred())
				continue
			}
			Expect(kindOf(err)).To(Equal(eval.ProviderError))
			Expect(err).To(MatchError(ContainSubstring(`the answer is for the question "another"`)))
		}
	})

	It("is called again after a failure, unless a piece of its answer was already emitted", func() {
		tries := 0
		url, _ := service(func(w http.ResponseWriter, r *http.Request) {
			if tries++; tries < 2 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			says(asJSON, `{"label":"refund"}`)(w, r)
		})
		r, _, err := turn(remote.Config{URL: url, Retries: 1})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("refund"))

		tries = 0
		url, _ = service(func(w http.ResponseWriter, r *http.Request) {
			tries++
			says(asEvents, "data: {\"text\":\"好\"}\n\nevent: error\ndata: {}\n\n")(w, r)
		})
		_, _, err = turn(remote.Config{URL: url, Retries: 1})
		Expect(err).To(MatchError(llm.KindTruncated))
		Expect(tries).To(Equal(1))
	})

	It("may send an answer of several megabytes; the text is truncated", func() {
		url, _ := service(says(asJSON, `{"label":"refund","text":"`+strings.Repeat("好", 2<<20/3)+`"}`))
		r, _, err := turn(remote.Config{URL: url, HTTP: outbound.New(outbound.Config{})})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("refund"))
		Expect(len(r.Content)).To(BeNumerically("<=", 1<<20))
	})

	It("is called with the password in its URL, which is redacted in errors", func() {
		url, _ := service(says(asJSON, "no hunter2hunter2"))
		_, _, err := turn(remote.Config{URL: strings.Replace(url, "//", "//me:hunter2hunter2@", 1)})
		Expect(err).To(MatchError(Not(ContainSubstring("hunter2"))))
	})
})

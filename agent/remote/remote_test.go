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

// kindOf returns the kind of a trial with this error.
func kindOf(err error) eval.ErrorKind { return eval.Classify(err).Kind }

var _ = Describe("An agent at a URL", func() {
	DescribeTable("has failed if the label path does not exist", func(kind, body, has string) {
		url, _ := service(says(kind, body))
		a, _, err := opened(url, map[string]string{"label-path": "/output/label", "retries": "0"})
		Expect(err).NotTo(HaveOccurred())
		_, err = a.Respond(context.Background(), agent.Turn{Text: "hi"}, func(trace.Event) {})
		Expect(err).To(MatchError(llm.KindMalformedResponse))
		Expect(err).To(MatchError(ContainSubstring("has nothing at /output/label, where its label should be: it has " +
			has)))
	},
		Entry("in a document", asJSON, `{"label":"refund","sure":1}`, `"label", "sure"`),
		Entry("in a document that is not an object", asJSON, `[]`, "no members"),
		Entry("at the end of a stream", "text/event-stream", "event: answer\ndata: {\"label\":\"refund\"}\n\n",
			`"label"`),
	)

	DescribeTable("is wrong if the label path exists without a label", func(body string) {
		url, _ := service(says(asJSON, body))
		a, _, err := opened(url, nil)
		Expect(err).NotTo(HaveOccurred())
		r, err := a.Respond(context.Background(), agent.Turn{Text: "hi"}, func(trace.Event) {})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("invalid"))
	},
		Entry(nil, `{"label":null}`), Entry(nil, `{"label":""}`),
	)

	It("receives the default request, and its answer is read", func() {
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

	It("may omit tokens and confidence, which are missing and not zero", func() {
		url, _ := service(says("text/plain", `{"label":"退款"}`)) // some servers omit the content type
		r, events, err := turn(remote.Config{URL: url})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.ModelDecision.Confidence).To(BeNil())
		Expect(spanOf(events).UsageUnreported).To(BeTrue())
	})

	It("receives a custom request, and its custom answer is read", func() {
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

	DescribeTable("streams", func(stream, content string, predicted string) {
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
		Entry("pieces, and then its answer",
			"event: chunk\ndata: {\"text\":\"好\"}\n\n: still here\n\nevent: chunk\ndata: {\"text\":\"的\"}\n\nevent: answer\ndata: {\"label\":\"refund\"}\n\n", "好的", "refund"),
		Entry("with CRLF, a byte order mark and [DONE]",
			"\uFEFFevent: chunk\r\ndata: \"好\"\r\n\r\ndata: \"的\"\r\n\r\ndata: {\"label\":\"refund\"}\r\n\r\ndata: [DONE]", "好的", "refund"),
		Entry("reported events",
			"data: {\"event\":{\"kind\":\"chunk\",\"text\":\"好\"}}\n\ndata: {\"event\":{\"kind\":\"chunk\",\"text\":\"的\"}}\n\ndata: {\"label\":\"refund\",\"text\":\"fertig\"}\n\n", "fertig", "refund"),
		Entry("a label first and the end later",
			"data: {\"label\":\"refund\"}\n\nevent: done\ndata: {\"text\":\"fertig\"}\n\n", "fertig", "refund"),
		Entry("an answer without a final blank line", "data: {\"label\":\"refund\"}\n", "refund", "refund"),
		Entry("an answer on several lines", "data: {\ndata: \"label\":\"refund\"}\n\n", "refund", "refund"),
		Entry("a label first and two at the end, which is wrong",
			"data: {\"label\":\"refund\"}\n\nevent: done\ndata: {\"label\":\"refund\",\"text\":\"fertig\",\"label\":\"x\"}\n\n", "fertig", "invalid"),
		Entry("an end without a label, which is wrong", "event: chunk\ndata: \"好的\"\n\ndata: [DONE]\n\n",
			"好的", "invalid"),
	)

	DescribeTable("is not awaited after the end event of its stream", func(stream string) {
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
		Entry("with an answer", "event: answer\ndata: {\"label\":\"refund\"}\n\n"),
		Entry("with [DONE]", "data: {\"label\":\"refund\"}\n\ndata: [DONE]\n\n"),
		Entry("with CRLF", "data: {\"label\":\"refund\"}\r\n\r\ndata: [DONE]\r\n\r\n"),
		Entry("with only CR", "data: {\"label\":\"refund\"}\r\rdata: [DONE]\r\r"),
	)

	DescribeTable("has the tokens of any event in its stream", func(stream string, want *trace.Tokens) {
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

	DescribeTable("is distinguished from a wrong one if it fails",
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
		Entry("not JSON", says(asJSON, "<html>"), llm.KindMalformedResponse, eval.ProviderError, "is not JSON"),
		Entry("not JSON in a stream", says(asEvents, "data: <html>\n\n"), llm.KindMalformedResponse, eval.ProviderError,
			"is not JSON"),
		Entry("empty", says(asJSON, ""), llm.KindMalformedResponse, eval.ProviderError, "is not JSON"),
		Entry("a reported error", says(asJSON, `{"error":"out of cheese"}`), llm.KindServerError, eval.ProviderError,
			"out of cheese"),
		Entry("an error in a stream", says(asEvents, "event: error\ndata: out of cheese\n\n"), llm.KindServerError,
			eval.ProviderError, "out of cheese"),
		Entry("a status", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) },
			llm.KindAuth, eval.ProviderError, "401"),
		Entry("a redirect", func(w http.ResponseWriter,
			r *http.Request) {
			http.Redirect(w, r, "/else", http.StatusFound)
		}, llm.KindMalformedResponse, eval.ProviderError, "redirect"),
		Entry("a stream that ends without an answer", says(asEvents, "data: \"好\"\n\n"), llm.KindTruncated,
			eval.ProviderError, "without an answer"),
		Entry("a connection that breaks", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			llm.KindReset, eval.ProviderError, ""),
		Entry("a hanging one", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, llm.KindTimeout,
			eval.TimeoutError, ""),
		Entry("a slow endless stream", func(w http.ResponseWriter, r *http.Request) {
			says(asEvents, "")(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, "data: {\"text\":\"x\"}\n\n")
				_ = http.NewResponseController(w).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		}, llm.KindTimeout, eval.TimeoutError, ""),
		Entry("an endless stream of events", func(w http.ResponseWriter, r *http.Request) {
			says(asEvents, "")(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat("data: {}\n\n", 1000))
			}
		}, llm.KindMalformedResponse, eval.ProviderError, "more than 10000 events"),
		Entry("an endless stream of bytes", func(w http.ResponseWriter, r *http.Request) {
			says(asEvents, "data: ")(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat("x", 64<<10))
			}
		}, llm.KindMalformedResponse, eval.ProviderError, "bytes"),
		Entry("endless JSON", func(w http.ResponseWriter, r *http.Request) {
			says(asJSON, `"`)(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat("x", 64<<10))
			}
		}, llm.KindMalformedResponse, eval.ProviderError, "longer than"),
	)

	It("must answer the right request if it repeats its id", func() {
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

	It("is called again where that can help, but not after a piece of the answer was emitted", func() {
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

	It("may answer with megabytes, whose beginning is stored", func() {
		url, _ := service(says(asJSON, `{"label":"refund","text":"`+strings.Repeat("好", 2<<20/3)+`"}`))
		r, _, err := turn(remote.Config{URL: url, HTTP: outbound.New(outbound.Config{})})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("refund"))
		Expect(len(r.Content)).To(BeNumerically("<=", 1<<20))
	})

	It("has the password of its address redacted in errors", func() {
		url, _ := service(says(asJSON, "no hunter2hunter2"))
		_, _, err := turn(remote.Config{URL: strings.Replace(url, "//", "//me:hunter2hunter2@", 1)})
		Expect(err).To(MatchError(Not(ContainSubstring("hunter2"))))
	})
})

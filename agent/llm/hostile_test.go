package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/trace"
)

const longKey = "sk-0123456789abcdef"

func withKey(c *llm.Config) { c.APIKey = longKey }

// everything returns all output that a caller and a trace receive.
func everything(events []trace.Event, values ...any) string {
	text := fmt.Sprintf("%+v", values)
	for _, e := range events {
		text += fmt.Sprintf("%+v %+v", e, e.Span)
	}
	return text
}

var _ = Describe("A key echoed by a service", func() {
	DescribeTable("is redacted", func(want string, steps ...step) {
		var a llm.Response
		var err error
		events, _ := simulate(func(ctx context.Context) {
			a, err = client(&script{steps: steps}, withKey).Chat(ctx, ask("hi"))
		})
		output := everything(events, a, err, string(a.Raw))
		Expect(output).To(ContainSubstring(want))
		Expect(output).NotTo(ContainSubstring(longKey))
	},
		Entry("in the content", "you sent [redacted]!", says("you sent "+longKey+"!")),
		Entry("in JSON within the content", `{\"key\":\"[redacted]\"}`, says(`{"key":"`+longKey+`"}`)),
		Entry("in escapes", "[redacted]",
			status(200, `{"choices":[{"message":{"content":"\u0073k-0123456789abcdef"}}]}`)),
		Entry("in the reasoning", "[redacted]",
			status(200, `{"choices":[{"message":{"content":"x","reasoning_content":"`+longKey+`"}}]}`)),
		Entry("in an error's message", "Incorrect API key provided: [redacted].",
			status(401, `{"error":{"message":"Incorrect API key provided: `+longKey+`."}}`)),
		Entry("in an error's code", "[redacted]", status(400, `{"error":{"message":"x","code":"`+longKey+`"}}`)),
		Entry("in an error's page", "<h1>[redacted]", status(500, "<h1>"+longKey)),
		Entry("in an error after retries", "[redacted]", status(429, longKey)),
		Entry("in a refusal", "[redacted]", status(200, `{"choices":[{"message":{"refusal":"`+longKey+`"}}]}`)),
		Entry("in an error inside an answer", "[redacted]", status(200, `{"error":{"message":"`+longKey+`"}}`)),
		Entry("in a redirect", "[redacted]", status(302, "", "Location", "http://x.test/"+longKey)),
		Entry("in a transport error", "[redacted]", fails(errors.New("dial "+longKey))),
	)

	DescribeTable("is redacted in a stream", func(cut int) {
		text := "you sent " + longKey + " or " + longKey[:7]
		var data []string
		for i := 0; i < len(text); i += cut {
			data = append(data, delta(text[i:min(len(text), i+cut)]))
		}
		var chunks []string
		var a llm.Response
		events, _ := simulate(func(ctx context.Context) {
			var err error
			a, err = client(&script{steps: []step{frames(0, nil, append(data, stop, done)...)}}, withKey).
				Stream(ctx, ask("hi"), func(s string) error { chunks = append(chunks, s); return nil })
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(a.Content).To(Equal("you sent [redacted] or " + longKey[:7]))
		Expect(strings.Join(chunks, "")).To(Equal(a.Content))
		Expect(everything(events, a)).NotTo(ContainSubstring(longKey))
	}, Entry("by letter", 1), Entry("in pieces", 5), Entry("at once", 100))

	It("is redacted after a retry of a stream that broke before any output, including buffered text", func() {
		s := &script{steps: []step{frames(0, io.ErrUnexpectedEOF, delta("sk")),
			frames(0, nil, delta("sky"), stop, done)}}
		var chunks string
		simulate(func(ctx context.Context) {
			a, err := client(s, withKey).Stream(ctx, ask("hi"), func(s string) error { chunks += s; return nil })
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Content).To(Equal("sky"))
		})
		Expect(chunks).To(Equal("sky"))
	})

	It("is sent with the password and the query of its address only to that service", func() {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			fmt.Fprintf(w, "%s %s %s", r.Header.Get("Authorization"), r.URL.Path, r.URL.RawQuery)
		}))
		DeferCleanup(srv.Close)
		base := strings.Replace(srv.URL, "//", "//me:passw0rd@", 1) + "/v1?api_key=0123456789&version=2"
		c := client(nil, func(c *llm.Config) { c.Provider, c.APIKey, c.BaseURL, c.HTTP = "", "", base, nil })
		_, err := c.Chat(context.Background(), ask("hi"))
		Expect(err).To(MatchError(
			"generic: bad_request (418): Basic [redacted] /v1/chat/completions api_key=[redacted]&version=2"))

		srv.Close()
		c = client(nil, func(c *llm.Config) { c.BaseURL, c.HTTP, c.Retries = base, nil, llm.NoRetries })
		_, err = c.Chat(context.Background(), ask("hi"))
		Expect(err).To(MatchError(llm.KindReset))
		Expect(err.Error()).NotTo(Or(ContainSubstring("passw0rd"), ContainSubstring("0123456789")))
	})
})

var _ = DescribeTable("impossible token counts are unreported and do not invalidate the answer", func(counts string) {
	for _, streamed := range []bool{false, true} {
		s := &script{steps: []step{status(200,
			`{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}],"usage":`+counts+`}`)}}
		if streamed {
			s.steps = []step{frames(0, nil, delta("hello"), stop, `{"choices":[],"usage":`+counts+`}`, done)}
		}
		var a llm.Response
		var err error
		events, _ := simulate(func(ctx context.Context) {
			if streamed {
				a, err = client(s).Stream(ctx, ask("hi"), nil)
			} else {
				a, err = client(s).Chat(ctx, ask("hi"))
			}
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Content).To(Equal("hello"))
		Expect(a.Usage).To(BeZero())
		Expect(spans(events)).To(
			HaveExactElements(And(HaveField("Tokens", trace.Tokens{}), HaveField("UsageUnreported", true))))
	}
},
	Entry("negative", `{"prompt_tokens":-1,"completion_tokens":5,"total_tokens":4}`),
	Entry("too many", `{"prompt_tokens":1,"completion_tokens":1000000001,"total_tokens":4}`),
	Entry("more than an int", `{"prompt_tokens":1e30,"completion_tokens":5,"total_tokens":4}`),
	Entry("a fraction", `{"prompt_tokens":1.5,"completion_tokens":5,"total_tokens":4}`),
	Entry("text", `{"prompt_tokens":"ten","completion_tokens":5,"total_tokens":4}`),
	Entry("not an object", `"free"`),
	Entry("null", `null`),
)

var _ = It("reports no tokens for embeddings with impossible counts", func() {
	s := &script{steps: []step{status(200,
		`{"data":[{"index":0,"embedding":[1]}],"usage":{"prompt_tokens":-7,"total_tokens":1}}`)}}
	events, _ := simulate(func(ctx context.Context) {
		vectors, usage, err := client(s).Embed(ctx, []string{"x"})
		Expect(err).NotTo(HaveOccurred())
		Expect(vectors).To(HaveLen(1))
		Expect(usage).To(BeZero())
	})
	Expect(spans(events)[0].UsageUnreported).To(BeTrue())
})

var _ = DescribeTable("an answer above the limits is malformed", func(problem string, streamed bool, s step) {
	var err error
	simulate(func(ctx context.Context) {
		c := client(&script{steps: []step{s}})
		if streamed {
			_, err = c.Stream(ctx, ask("hi"), func(string) error { return nil })
		} else {
			_, err = c.Chat(ctx, ask("hi"))
		}
	})
	Expect(err).To(MatchError(llm.KindMalformedResponse))
	Expect(err.Error()).To(ContainSubstring(problem))
},
	Entry("content", "1048576 bytes of text", false, says(strings.Repeat("x", 1<<20+1))),
	Entry("streamed content", "1048576 bytes of text", true,
		frames(0, nil, repeated(delta(strings.Repeat("x", 300_000)), 4)...)),
	Entry("streamed reasoning", "1048576 bytes of text", true,
		frames(0, nil, repeated(`{"choices":[{"delta":{"reasoning_content":"`+strings.Repeat("x", 300_000)+`"}}]}`,
			4)...)),
	Entry("pieces", "32768 pieces", true, frames(0, nil, strings.Repeat(delta("x")+"\n\ndata: ", 32_769)+delta("x"))),
	Entry("objects", "4096 objects", false, status(200, `{"choices":[`+strings.Repeat("{},", 5000)+`{}]}`)),
	Entry("objects in a frame", "4096 objects", true,
		frames(0, nil, `{"choices":[`+strings.Repeat("{},", 5000)+`{}]}`)),
	Entry("a line", "1048576 bytes", true, frames(0, nil, strings.Repeat("x", 2<<20))),
	Entry("the client's limit", "longer than 7 bytes", false, fails(&outbound.ResponseTooLargeError{Max: 7})),
	Entry("the client's limit, in a stream", "longer than 7 bytes", true,
		frames(0, &outbound.ResponseTooLargeError{Max: 7}, delta("x"))),
	Entry("a redirect", "the answer is the redirect 307 to x.test/v2, which is not followed", false,
		status(307, `{"error":{"message":"moved"}}`, "Location", "http://me:pw@x.test/v2?token=abc")),
)

func repeated(s string, n int) (list []string) {
	for range n {
		list = append(list, s)
	}
	return list
}

var _ = DescribeTable("a trickling stream ends with the timeout of the attempt", func(piece string) {
	_, duration := simulate(func(ctx context.Context) {
		s := &script{steps: []step{frames(time.Second, nil, repeated(piece, 100)...)}}
		_, err := client(s).Stream(ctx, ask("hi"), nil)
		Expect(err).To(MatchError(llm.KindTimeout))
	})
	Expect(duration).To(Equal(20 * time.Second))
}, Entry("of content", delta("x")), Entry("of comments", "\n: hm"), Entry("of blank lines", ""))

var _ = It("does not keep a whole page in memory for a short message", func() {
	var err error
	simulate(func(ctx context.Context) {
		_, err = client(&script{steps: []step{status(400,
			`{"error":{"message":"`+strings.Repeat(" ", 60_000)+`x","code":"`+strings.Repeat("c", 5000)+
				`"}}`)}}).Chat(ctx, ask("hi"))
	})
	var e *llm.Error
	Expect(errors.As(err, &e)).To(BeTrue())
	Expect(e.Message).To(Equal("x"))
	Expect(len(e.Code)).To(BeNumerically("<", 600))
})

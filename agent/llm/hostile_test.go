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

// everything returns all values and events as text, to search it for secrets.
func everything(events []trace.Event, values ...any) string {
	text := fmt.Sprintf("%+v", values)
	for _, e := range events {
		text += fmt.Sprintf("%+v %+v", e, e.Span)
	}
	return text
}

var _ = Describe("An API key that a service echoes", func() {
	DescribeTable("is redacted in answers, errors and events", func(want string, steps ...step) {
		var a llm.Response
		var err error
		events, _ := simulate(func(ctx context.Context) {
			a, err = client(&script{steps: steps}, withKey).Chat(ctx, ask("hi"))
		})
		output := everything(events, a, err, string(a.Raw))
		Expect(output).To(ContainSubstring(want))
		Expect(output).NotTo(ContainSubstring(longKey))
	},
		Entry("a key in the content", "you sent [redacted]!", says("you sent "+longKey+"!")),
		Entry("a key in JSON inside the content", `{\"key\":\"[redacted]\"}`, says(`{"key":"`+longKey+`"}`)),
		Entry("a key with JSON escapes", "[redacted]",
			status(200, `{"choices":[{"message":{"content":"\u0073k-0123456789abcdef"}}]}`)),
		Entry("a key in the reasoning", "[redacted]",
			status(200, `{"choices":[{"message":{"content":"x","reasoning_content":"`+longKey+`"}}]}`)),
		Entry("a key in the message of an error", "Incorrect API key provided: [redacted].",
			status(401, `{"error":{"message":"Incorrect API key provided: `+longKey+`."}}`)),
		Entry("a key in the code of an error", "[redacted]",
			status(400, `{"error":{"message":"x","code":"`+longKey+`"}}`)),
		Entry("a key in an HTML error page", "<h1>[redacted]", status(500, "<h1>"+longKey)),
		Entry("a key in an error after retries", "[redacted]", status(429, longKey)),
		Entry("a key in a refusal", "[redacted]", status(200, `{"choices":[{"message":{"refusal":"`+longKey+`"}}]}`)),
		Entry("a key in an error inside a successful response", "[redacted]",
			status(200, `{"error":{"message":"`+longKey+`"}}`)),
		Entry("a key in the target of a redirect", "[redacted]", status(302, "", "Location", "http://x.test/"+longKey)),
		Entry("a key in a transport error", "[redacted]", fails(errors.New("dial "+longKey))),
	)

	DescribeTable("is redacted in a stream, for any size of the pieces", func(cut int) {
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
	}, Entry("pieces of one letter", 1), Entry("pieces of five letters", 5),
		Entry("one piece with the whole text", 100))

	It("is not assembled from the pieces of two attempts of a stream", func() {
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

	It("is redacted in errors, and so are the password and the query of the base URL", func() {
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
		Expect(err).To(MatchError(llm.KindConnectionReset))
		Expect(err.Error()).NotTo(Or(ContainSubstring("passw0rd"), ContainSubstring("0123456789")))
	})
})

var _ = DescribeTable("llm.Client ignores impossible token counts: the answer is valid and its usage is unreported",
	func(counts string) {
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
	Entry("a negative count", `{"prompt_tokens":-1,"completion_tokens":5,"total_tokens":4}`),
	Entry("a count that is too large", `{"prompt_tokens":1,"completion_tokens":1000000001,"total_tokens":4}`),
	Entry("a count that exceeds an int", `{"prompt_tokens":1e30,"completion_tokens":5,"total_tokens":4}`),
	Entry("a count with a fraction", `{"prompt_tokens":1.5,"completion_tokens":5,"total_tokens":4}`),
	Entry("a word as a count", `{"prompt_tokens":"ten","completion_tokens":5,"total_tokens":4}`),
	Entry("a string where the counts belong", `"free"`),
	Entry("null where the counts belong", `null`),
)

var _ = It("llm.Client marks the usage of embeddings as unreported if a token count is impossible", func() {
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

var _ = DescribeTable("llm.Client returns a malformed-response error for an answer that exceeds a limit or is a redirect",
	func(problem string, streamed bool, s step) {
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
	Entry("content of more than 1 MiB", "1048576 bytes of text", false, says(strings.Repeat("x", 1<<20+1))),
	Entry("streamed content of more than 1 MiB", "1048576 bytes of text", true,
		frames(0, nil, repeated(delta(strings.Repeat("x", 300_000)), 4)...)),
	Entry("streamed reasoning of more than 1 MiB", "1048576 bytes of text", true,
		frames(0, nil, repeated(`{"choices":[{"delta":{"reasoning_content":"`+strings.Repeat("x", 300_000)+`"}}]}`,
			4)...)),
	Entry("more pieces than a stream may have", "32768 pieces", true,
		frames(0, nil, strings.Repeat(delta("x")+"\n\ndata: ", 32_769)+delta("x"))),
	Entry("more JSON objects than an answer may have", "4096 objects", false,
		status(200, `{"choices":[`+strings.Repeat("{},", 5000)+`{}]}`)),
	Entry("more JSON objects than a stream event may have", "4096 objects", true,
		frames(0, nil, `{"choices":[`+strings.Repeat("{},", 5000)+`{}]}`)),
	Entry("a line of 2 MiB in a stream", "1048576 bytes", true, frames(0, nil, strings.Repeat("x", 2<<20))),
	Entry("an answer above the limit of the HTTP client", "longer than 7 bytes", false,
		fails(&outbound.ResponseTooLargeError{Limit: 7})),
	Entry("a stream above the limit of the HTTP client", "longer than 7 bytes", true,
		frames(0, &outbound.ResponseTooLargeError{Limit: 7}, delta("x"))),
	Entry("a redirect", "the answer is the redirect 307 to x.test/v2, which is not followed", false,
		status(307, `{"error":{"message":"moved"}}`, "Location", "http://me:pw@x.test/v2?token=abc")),
)

func repeated(s string, n int) (list []string) {
	for range n {
		list = append(list, s)
	}
	return list
}

var _ = DescribeTable("llm.Client returns a timeout error when a stream exceeds the time limit of an attempt, even if data still arrives", func(piece string) {
	_, duration := simulate(func(ctx context.Context) {
		s := &script{steps: []step{frames(time.Second, nil, repeated(piece, 100)...)}}
		_, err := client(s).Stream(ctx, ask("hi"), nil)
		Expect(err).To(MatchError(llm.KindTimeout))
	})
	Expect(duration).To(Equal(20 * time.Second))
}, Entry("content every second", delta("x")), Entry("a comment every second", "\n: hm"),
	Entry("a blank line every second", ""))

var _ = It("An llm.Error contains a short message even if the service returned a long page", func() {
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

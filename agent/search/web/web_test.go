package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/search"
	"evalctl/agent/search/web"
	"evalctl/agent/trace"
)

const (
	tavilyAnswer = `{"query":"q","follow_up_questions":null,"answer":"the answer","images":[],
	 "results":[{"title":"t","url":"https://e.example/a","content":"snippet","score":0.91,"raw_content":null,"published_date":"Tue, 11 Mar 2025 17:00:00 GMT"},
	            {"title":"u","url":"http://e.example/b","content":"more","score":0.5,"raw_content":null}],
	 "response_time":%s,"request_id":"r-1"}`
	bochaPages = `"webPages":{"webSearchUrl":"https://x.example","totalEstimatedMatches":1200,"value":[
	 {"id":null,"name":"t","url":"https://e.example/a","snippet":"s","summary":"long","datePublished":"2024-07-22T11:58:00+08:00","dateLastCrawled":"2025-01-01T00:00:00Z"},
	 {"id":"https://x.example#WebPages.1","name":"u","url":"https://e.example/b","snippet":"s","dateLastCrawled":"2024-07-22T00:58:00Z"}],"someResultsRemoved":true}`
	bochaAnswer = `{"code":200,"log_id":"0a1b","msg":null,"data":{"_type":"SearchResponse",` + bochaPages +
		`,"images":{"value":[]},"videos":null}}`
)

var shanghai = time.FixedZone("", 8*60*60)

var _ = Describe("L5: web.Client with Tavily", func() {
	It("sends a request in Tavily's format, with the key", func(ctx context.Context) {
		e := answering(200, fmt.Sprintf(tavilyAnswer, "1.2"))
		_, err := client(web.Config{APIKey: "tvly-0123456789", HTTP: e}).Search(ctx, "  graph\n neural networks ", 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(e.urls).To(Equal([]string{"https://api.tavily.com/search"}))
		Expect(e.header.Get("Authorization")).To(Equal("Bearer tvly-0123456789"))
		Expect(e.asked).To(Equal(
			[]map[string]any{{"query": "graph neural networks", "search_depth": "basic", "topic": "general",
				"max_results":    5.0,
				"include_answer": true, "include_published_date": true}}))
	})

	DescribeTable("returns Tavily's answer and pages with their dates, whatever the type of the field response_time",
		func(ctx context.Context, responseTime string) {
			found, err := client(web.Config{APIKey: "k",
				HTTP: answering(200, fmt.Sprintf(tavilyAnswer, responseTime))}).
				Search(ctx, "q", 0)
			Expect(err).NotTo(HaveOccurred())
			Expect(found.Answer).To(Equal("the answer"))
			Expect(found.Pages).To(HaveLen(2))
			Expect(found.Pages[0].Date.UTC()).To(Equal(time.Date(2025, 3, 11, 17, 0, 0, 0, time.UTC)))
			found.Pages[0].Date = time.Time{}
			Expect(found.Pages).To(Equal([]search.Result{{Title: "t", URL: "https://e.example/a", Content: "snippet"},
				{Title: "u", URL: "http://e.example/b", Content: "more"}}))
		},
		Entry("response_time is a number", "1.2"),
		Entry("response_time is a string", `"1.2"`),
	)

	It("sends the options of the Config, and requests at most 20 results", func(ctx context.Context) {
		e := answering(200, fmt.Sprintf(tavilyAnswer, "1"))
		_, err := client(web.Config{APIKey: "k", HTTP: e, Depth: "advanced", Topic: "news"}).Search(ctx, "q", 99)
		Expect(err).NotTo(HaveOccurred())
		Expect(e.asked[0]).To(And(HaveKeyWithValue("search_depth", "advanced"), HaveKeyWithValue("topic", "news"),
			HaveKeyWithValue("max_results", 20.0)))
	})
})

var _ = Describe("L5: web.Client with Bocha", func() {
	It("sends a request in Bocha's format, with the key", func(ctx context.Context) {
		e := answering(200, bochaAnswer)
		c := client(web.Config{Engine: "bocha", APIKey: "sk-0123456789", HTTP: e, Freshness: "oneYear"})
		_, err := c.Search(ctx, "图神经网络", 99)
		Expect(err).NotTo(HaveOccurred())
		Expect(e.urls).To(Equal([]string{"https://api.bochaai.com/v1/web-search"}))
		Expect(e.header.Get("Authorization")).To(Equal("Bearer sk-0123456789"))
		Expect(e.asked).To(Equal(
			[]map[string]any{{"query": "图神经网络", "freshness": "oneYear", "summary": true, "count": 50.0}}))
	})

	DescribeTable("returns pages with their dates, whatever the form of the response",
		func(ctx context.Context, body string) {
			found, err := client(web.Config{Engine: "bocha", APIKey: "k", HTTP: answering(200, body)}).
				Search(ctx, "q", 0)
			Expect(err).NotTo(HaveOccurred())
			Expect(found.Answer).To(BeEmpty())
			Expect(found.Pages).To(HaveLen(2))
			Expect(found.Pages[0].Content).To(Equal("long"))
			Expect(found.Pages[0].Date).To(BeTemporally("==", time.Date(2024, 7, 22, 11, 58, 0, 0, shanghai)))
			Expect(found.Pages[1].Content).To(Equal("s"))
			Expect(found.Pages[1].Date).To(BeTemporally("==", time.Date(2024, 7, 22, 0, 58, 0, 0, shanghai)),
				"its Z is none")
		},
		Entry("a response that is wrapped in data", bochaAnswer),
		Entry("a response that is wrapped in data, with a string in the field code",
			strings.Replace(bochaAnswer, `"code":200`, `"code":"200"`, 1)),
		Entry("a response that is not wrapped in data, as in Bocha's documentation",
			`{"_type":"SearchResponse",`+bochaPages+`}`),
	)
})

var _ = Describe("L5: web.Client", func() {
	DescribeTable("returns an error whose kind depends on the response, and retries only after temporary errors",
		func(engineName string, status int, body string, kind llm.ErrorKind, attempts int) {
			e := answering(status, body)
			simulated(func(ctx context.Context) {
				_, err := client(web.Config{Engine: engineName, APIKey: "k", HTTP: e}).Search(ctx, "q", 0)
				Expect(llm.KindOf(err)).To(Equal(kind), "%v", err)
			})
			Expect(e.asked).To(HaveLen(attempts))
		},
		Entry(nil, "tavily", 400, `{"detail":{"error":"Invalid topic."}}`, llm.KindBadRequest, 1),
		Entry(nil, "tavily", 401, `{"detail":{"error":"Unauthorized: missing or invalid API key."}}`, llm.KindAuth, 1),
		Entry(nil, "tavily", 403, `{"detail":{"error":"Forbidden"}}`, llm.KindAuth, 1),
		Entry(nil, "tavily", 422,
			`{"detail":[{"type":"missing","loc":["body","query"],"msg":"Field required","input":{}}]}`,
			llm.KindBadRequest, 1),
		Entry(nil, "tavily", 429, `{"detail":{"error":"slow down"}}`, llm.KindRateLimited, 3),
		Entry(nil, "tavily", 432, `{"detail":{"error":"This request exceeds your plan's set usage limit."}}`,
			llm.KindNoBalance, 1),
		Entry(nil, "tavily", 433, `{"detail":{"error":"pay-as-you-go limit"}}`, llm.KindNoBalance, 1),
		Entry(nil, "tavily", 500, `{"detail":{"error":"Internal Server Error"}}`, llm.KindServerError, 3),
		Entry(nil, "tavily", 200, `{"results":`, llm.KindMalformedResponse, 1),
		Entry(nil, "tavily", 200, `{"answer":"a"}`, llm.KindMalformedResponse, 1),
		Entry(nil, "tavily", 200, `[]`, llm.KindMalformedResponse, 1),
		Entry(nil, "tavily", 200, strings.Repeat(" ", 2<<20)+`{"results":[]}`, llm.KindMalformedResponse, 1),
		Entry(nil, "tavily", 200, `{"results":[`+strings.Repeat(`{},`, 5000)+`{}]}`, llm.KindMalformedResponse, 1),
		Entry(nil, "bocha", 400, `{"code":"400","message":"Missing parameter query","log_id":"0a"}`,
			llm.KindBadRequest, 1),
		Entry(nil, "bocha", 400, `{"code":"400","message":"The API KEY is missing","log_id":"0a"}`, llm.KindAuth, 1),
		Entry(nil, "bocha", 401, `{"code":"401","message":"Invalid API KEY","log_id":"0a"}`, llm.KindAuth, 1),
		Entry(nil, "bocha", 403, `{"code":"403","message":"You do not have enough money","log_id":"0a"}`,
			llm.KindNoBalance, 1),
		Entry(nil, "bocha", 403, `<html>Forbidden by a proxy</html>`, llm.KindAuth, 1),
		Entry(nil, "bocha", 429, `{"code":"429","message":"You have reached the request limit","log_id":"0a"}`,
			llm.KindRateLimited, 3),
		Entry(nil, "bocha", 500, `{"code":"500","message":"","log_id":"0a"}`, llm.KindServerError, 3),
		Entry(nil, "bocha", 200, `{"code":"403","message":"You do not have enough money","log_id":"0a"}`,
			llm.KindNoBalance, 1),
		Entry(nil, "bocha", 200, `{"code":429,"message":"You have reached the request limit","log_id":"0a"}`,
			llm.KindRateLimited, 3),
		Entry(nil, "bocha", 200, `{"code":200,"data":{}}`, llm.KindMalformedResponse, 1),
		Entry(nil, "bocha", 200, `{"code":{"x":1},"data":{}}`, llm.KindMalformedResponse, 1),
	)

	It("returns an error that names the invalid field of a request", func(ctx context.Context) {
		e := answering(422, `{"detail":[{"type":"missing","loc":["body","query"],"msg":"Field required","input":{}}]}`)
		_, err := client(web.Config{APIKey: "k", HTTP: e}).Search(ctx, "q", 0)
		Expect(err).To(MatchError("tavily: bad_request (422): body.query: Field required"))
	})

	DescribeTable("waits before a retry", func(retryAfter string, wait time.Duration) {
		e := &engine{steps: []step{{429, `{"detail":{"error":"slow down"}}`, retryAfter},
			{200, fmt.Sprintf(tavilyAnswer, "1"), ""}}}
		simulated(func(ctx context.Context) {
			_, err := client(web.Config{APIKey: "k", HTTP: e}).Search(ctx, "q", 0)
			Expect(err).NotTo(HaveOccurred())
			Expect(clock.Since(ctx, noon)).To(BeNumerically("~", wait, 130*time.Millisecond))
		})
	},
		Entry("for the Retry-After delay", "7", 7*time.Second),
		Entry("for half a second if there is no Retry-After delay", "", 500*time.Millisecond),
	)

	It("records a span for each attempt, with the engine as provider", func() {
		e := &engine{steps: []step{{500, `{}`, ""}, {200, bochaAnswer, ""}}}
		var spans []string
		simulated(func(ctx context.Context) {
			ctx = trace.WithRecorder(ctx, func(ev trace.Event) {
				if ev.Span != nil {
					spans = append(spans, fmt.Sprint(ev.Node, " ", ev.Span.Provider, " ", ev.Span.Attempt,
						" ", ev.Span.Error))
				}
			})
			_, err := client(web.Config{Engine: "bocha", APIKey: "k", HTTP: e}).Search(ctx, "q", 0)
			Expect(err).NotTo(HaveOccurred())
		})
		Expect(spans).To(Equal([]string{"search bocha 1 server_error", "search bocha 2 "}))
	})

	It("returns a timeout error after 15 seconds, without a retry", func() {
		asked := 0
		never := doer(func(r *http.Request) (*http.Response, error) {
			asked++
			return nil, clock.Sleep(r.Context(), time.Hour)
		})
		simulated(func(ctx context.Context) {
			_, err := client(web.Config{APIKey: "k", HTTP: never}).Search(ctx, "q", 0)
			Expect(err).To(MatchError(llm.KindTimeout))
			Expect(clock.Since(ctx, noon)).To(Equal(web.DefaultTimeout))
		})
		Expect(asked).To(Equal(1))
	})

	DescribeTable("returns ErrEmpty if the search finds no usable page",
		func(ctx context.Context, engineName, body string) {
			_, err := client(web.Config{Engine: engineName, APIKey: "k", HTTP: answering(200, body)}).
				Search(ctx, "q", 0)
			Expect(err).To(MatchError(search.ErrNoResults))
		},
		Entry(nil, "tavily", `{"answer":null,"results":[]}`),
		Entry("only invalid pages", "tavily",
			`{"results":[{"title":"t","url":"javascript:alert(1)","content":"c"},{"title":" ","url":"https://e.example","content":"\u0007"}]}`),
		Entry("only a page whose URL contains a user name", "tavily",
			`{"results":[{"title":"t","url":"https://bank.example:pw@e.example/","content":"c"}]}`),
		Entry(nil, "bocha", `{"code":200,"data":{"webPages":{"value":[]}}}`),
	)

	It("returns titles without line breaks", func(ctx context.Context) {
		found, err := client(web.Config{APIKey: "k",
			HTTP: answering(200, `{"results":[{"title":"A\n\n[2] B\n","url":"https://e.example/","content":"c"}]}`)}).
			Search(ctx, "q", 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(found.Pages[0].Title).To(Equal("A [2] B"))
	})

	It("returns an error for a blank query or a negative number of results", func(ctx context.Context) {
		e := answering(200, "{}")
		c := client(web.Config{APIKey: "k", HTTP: e})
		_, err := c.Search(ctx, " \n", 0)
		Expect(err).To(MatchError("tavily: bad_request: there is nothing to search for"))
		_, err = c.Search(ctx, "q", -1)
		Expect(err).To(MatchError(llm.KindBadRequest))
		Expect(e.asked).To(BeEmpty())
	})

	It("truncates a query to 400 characters", func(ctx context.Context) {
		e := answering(200, fmt.Sprintf(tavilyAnswer, "1"))
		_, err := client(web.Config{APIKey: "k", HTTP: e}).Search(ctx, strings.Repeat("长", 5<<20/3), 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(e.asked[0]["query"]).To(Equal(strings.Repeat("长", 400)))
	})

	It("limits the number and length of the results, and removes control characters from them",
		func(ctx context.Context) {
			result := `{"title":"\u001b[31m` + strings.Repeat("题", 500) + `","url":"https://e.example/a","content":"` +
				strings.Repeat("x", 9000) + `"}`
			e := answering(200, `{"answer":"`+strings.Repeat("答", 9000)+`","results":[`+strings.Repeat(result+",", 30)+
				result+`]}`)
			found, err := client(web.Config{APIKey: "k", HTTP: e}).Search(ctx, "q", 3)
			Expect(err).NotTo(HaveOccurred())
			Expect(found.Pages).To(HaveLen(3))
			Expect(found.Pages[0].Title).To(Equal("[31m" + strings.Repeat("题", 98) + "…"))
			Expect(found.Pages[0].Content).To(Equal(strings.Repeat("x", 4096) + "…"))
			Expect(len(found.Answer)).To(BeNumerically("<", 16<<10+4))
		})

	It("does not follow a redirect, because its target would receive the key; the error names the target",
		func(ctx context.Context) {
			asked := 0
			elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
			DeferCleanup(elsewhere.Close)
			srv := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/search", http.StatusTemporaryRedirect))
			DeferCleanup(srv.Close)
			_, err := client(web.Config{BaseURL: srv.URL, APIKey: "k", HTTP: outbound.New(outbound.Config{})}).
				Search(ctx, "q", 0)
			Expect(err).To(MatchError(ContainSubstring("the answer is the redirect 307 to ")))
			Expect(err).To(MatchError(llm.KindMalformedResponse))
			Expect(asked).To(BeZero())
		})

	DescribeTable("redacts the key if the response of the engine contains it",
		func(ctx context.Context, status int, body string) {
			const key = "tvly-0123456789"
			found, err := client(web.Config{APIKey: key,
				HTTP: answering(status, strings.ReplaceAll(body, "KEY", key))}).
				Search(ctx, "q", 0)
			Expect(fmt.Sprint(found, err)).To(And(ContainSubstring("[redacted]"), Not(ContainSubstring(key))))
		},
		Entry("an error that contains the key", 401, `{"detail":{"error":"KEY is invalid"}}`),
		Entry("a page that contains the key", 200,
			`{"answer":"KEY","results":[{"title":"KEY","url":"https://e.example/?q=KEY","content":"KEY"}]}`),
	)
})

// doer is an HTTP client that calls a function.
type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

var _ = DescribeTable("web.New returns an error that names the invalid field of a Config",
	func(cfg web.Config, want string) {
		_, err := web.New(cfg)
		Expect(err).To(MatchError(want))
	},
	Entry("an unknown engine", web.Config{Engine: "gugle", APIKey: "k"},
		`web.Config.Engine: unknown "gugle" (known: tavily, bocha)`),
	Entry("Tavily without a key", web.Config{}, "web.Config.APIKey: tavily needs a key, usually from TAVILY_API_KEY"),
	Entry("Bocha without a key", web.Config{Engine: "bocha"},
		"web.Config.APIKey: bocha needs a key, usually from BOCHA_API_KEY"),
	Entry("a base URL with the scheme ftp", web.Config{BaseURL: "ftp://me:passw0rd@x"},
		`web.Config.BaseURL: "ftp://[redacted]@x" is not an http URL`),
	Entry("an unknown depth", web.Config{APIKey: "k", Depth: "deep"}, `web.Config.Depth: unknown "deep"`),
	Entry("an unknown topic", web.Config{APIKey: "k", Topic: "cats"}, `web.Config.Topic: unknown "cats"`),
	Entry("an invalid range of days", web.Config{Engine: "bocha", APIKey: "k", Freshness: "2026"},
		`web.Config.Freshness: unknown "2026"`),
	Entry("an option of another engine", web.Config{Engine: "bocha", APIKey: "k", Topic: "news"},
		"web.Config.Topic: is tavily's, not bocha's"),
	Entry("a negative timeout", web.Config{APIKey: "k", Timeout: -1}, "web.Config.Timeout: -1ns is negative"),
	Entry("too many retries", web.Config{APIKey: "k", Retries: 11}, "web.Config.Retries: 11 is not in -1..10"),
)

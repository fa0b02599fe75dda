package mocks_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/search/web"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/transport"
	"evalctl/mocks/wire"
)

// searchPaths are the URL paths of the search engines.
var searchPaths = map[wire.Dialect]string{wire.Tavily: "/search", wire.Bocha: "/v1/web-search"}

// generatedFields matches the fields that differ from search to search.
var generatedFields = regexp.MustCompile(
	`"(title|url|content|answer|name|displayUrl|snippet|summary|siteName|siteIcon|favicon|raw_content|thumbnailUrl|contentUrl|hostPageUrl|published_date|datePublished|dateLastCrawled|log_id|request_id|description)":"(?:[^"\\]|\\.)+"|"(score|totalEstimatedMatches)":[0-9.]+|"https://[^"]+\.jpg"`)

// maskGenerated replaces the values of fields that differ from search to search by "…".
func maskGenerated(body string) string {
	return generatedFields.ReplaceAllStringFunc(body, func(s string) string {
		if key, _, ok := strings.Cut(s, `":`); ok && !strings.HasPrefix(s, `"https`) {
			return key + `":…`
		}
		return "…"
	})
}

var _ = Describe("L5: the simulated search engines", func() {
	const tavily, bocha = wire.Tavily, wire.Bocha

	DescribeTable("return the same bytes as the real ones", func(d wire.Dialect, request, want string) {
		w := post(newServer(mocks.Config{}), searchPaths[d], request)
		Expect(w.Code).To(Equal(200), w.Body.String())
		Expect(w.Header().Get("Content-Type")).To(Equal("application/json"))
		Expect(json.Valid(w.Body.Bytes())).To(BeTrue())
		Expect(maskGenerated(w.Body.String())).To(Equal(want))
	},
		Entry(nil, tavily, `{"query":"q","max_results":1}`,
			`{"query":"q","follow_up_questions":null,"answer":null,"images":[],"results":[{"title":…,"url":…,"content":…,"score":…,"raw_content":null}],"response_time":0.01,"request_id":…}`),
		Entry("Tavily with all options", tavily,
			`{"query":"q","max_results":1,"include_answer":"basic","include_raw_content":true,"include_images":true,"include_favicon":true,"include_usage":true,"search_depth":"advanced","topic":"news","days":3,"nobody":1}`,
			`{"query":"q","follow_up_questions":null,"answer":…,"images":[…],"results":[{"title":…,"url":…,"content":…,"score":…,"raw_content":…,"published_date":…,"favicon":…}],"response_time":0.01,"usage":{"credits":2},"request_id":…}`),
		Entry("Tavily with described images", tavily,
			`{"query":"q","max_results":1,"include_images":true,"include_image_descriptions":true}`,
			`{"query":"q","follow_up_questions":null,"answer":null,"images":[{"url":…,"description":…}],"results":[{"title":…,"url":…,"content":…,"score":…,"raw_content":null}],"response_time":0.01,"request_id":…}`),
		Entry("Tavily with max_results 0", tavily, `{"query":"q","max_results":0,"include_answer":true}`,
			`{"query":"q","follow_up_questions":null,"answer":null,"images":[],"results":[],"response_time":0.01,"request_id":…}`),
		Entry(nil, bocha, `{"query":"q","count":1}`,
			`{"code":200,"log_id":…,"msg":null,"data":{"_type":"SearchResponse","queryContext":{"originalQuery":"q"},"webPages":{"webSearchUrl":"https://bochaai.com/search?q=q","totalEstimatedMatches":…,"value":[`+
				`{"id":null,"name":…,"url":…,"displayUrl":…,"snippet":…,"siteName":…,"siteIcon":…,"datePublished":…,"dateLastCrawled":…,"cachedPageUrl":null,"language":null,"isFamilyFriendly":null,"isNavigational":null}],"someResultsRemoved":true},`+
				`"images":{"id":null,"readLink":null,"webSearchUrl":null,"isFamilyFriendly":null,"value":[{"webSearchUrl":null,"name":null,"thumbnailUrl":…,"contentUrl":…,"hostPageUrl":…,"width":0,"height":0}]},"videos":null}}`),
	)

	It("return a summary if a request to Bocha requires it; Bocha's last crawl time is in Beijing time but ends with Z",
		func() {
			w := post(newServer(mocks.Config{}), searchPaths[bocha],
				`{"query":"图神经网络","count":1,"summary":true,"freshness":"oneWeek"}`)
			var a struct {
				Data struct {
					WebPages struct {
						Value []struct{ Snippet, Summary, DatePublished, DateLastCrawled string }
					}
				}
			}
			decode(w.Body.String(), &a)
			page := a.Data.WebPages.Value[0]
			Expect(page.Summary).To(HavePrefix(page.Snippet))
			Expect(page.DatePublished).To(HaveSuffix("+08:00"))
			Expect(page.DateLastCrawled).To(Equal(strings.TrimSuffix(page.DatePublished, "+08:00") + "Z"))
			at, err := time.Parse(time.RFC3339, page.DatePublished)
			Expect(err).NotTo(HaveOccurred())
			Expect(time.Since(at)).To(BeNumerically("<", 7*24*time.Hour+time.Minute))
		})

	DescribeTable("refuse invalid requests with the errors of the real ones",
		func(d wire.Dialect, request string, status int, want string) {
			w := post(newServer(mocks.Config{}), searchPaths[d], request)
			Expect(w.Code).To(Equal(status))
			Expect(maskGenerated(w.Body.String())).To(Equal(want))
		},
		Entry(nil, tavily, `{"topic":"news"}`, 422,
			`{"detail":[{"type":"missing","loc":["body","query"],"msg":"Field required","input":{"topic":"news"}}]}`),
		Entry(nil, tavily, `{"query":5}`, 422,
			`{"detail":[{"type":"string_type","loc":["body","query"],"msg":"Input should be a valid string","input":5}]}`),
		Entry(nil, tavily, `{"query":null}`, 422,
			`{"detail":[{"type":"string_type","loc":["body","query"],"msg":"Input should be a valid string","input":null}]}`),
		Entry(nil, tavily, `{"query":"q","max_results":"five"}`, 422,
			`{"detail":[{"type":"int_type","loc":["body","max_results"],"msg":"Input should be a valid integer","input":"five"}]}`),
		Entry(nil, tavily, `{"query":"q","topic":7}`, 422,
			`{"detail":[{"type":"string_type","loc":["body","topic"],"msg":"Input should be a valid string","input":7}]}`),
		Entry(nil, tavily, `{"query":`, 422,
			`{"detail":[{"type":"json_invalid","loc":["body"],"msg":"JSON decode error","input":{}}]}`),
		Entry(nil, tavily, `{"query":" "}`, 400, `{"detail":{"error":"Query is missing."}}`),
		Entry(nil, bocha, `{"query":"`+strings.Repeat("长", 4001)+`"}`, 400,
			`{"code":"400","message":"Parameter query is too long","log_id":…}`),
		Entry(nil, tavily, `{"query":"`+strings.Repeat("长", 401)+`"}`, 400,
			`{"detail":{"error":"Query is too long. Max query length is 400 characters."}}`),
		Entry(nil, tavily, `{"query":"q","max_results":21}`, 400,
			`{"detail":{"error":"Max results must be between 0 and 20."}}`),
		Entry(nil, tavily, `{"query":"q","max_results":-1}`, 400,
			`{"detail":{"error":"Max results must be between 0 and 20."}}`),
		Entry(nil, tavily, `{"query":"q","topic":"cats"}`, 400,
			`{"detail":{"error":"Invalid topic. Must be 'general', 'news', 'finance'."}}`),
		Entry(nil, tavily, `{"query":"q","search_depth":"deep"}`, 400,
			`{"detail":{"error":"Invalid search depth. Must be 'basic', 'advanced', 'fast', 'ultra-fast'."}}`),
		Entry(nil, tavily, `{"query":"q","time_range":"eon"}`, 400,
			`{"detail":{"error":"Invalid time range. Must be 'day', 'week', 'month', 'year', 'd', 'w', 'm', 'y'."}}`),
		Entry(nil, bocha, `{}`, 400, `{"code":"400","message":"Missing parameter query","log_id":…}`),
		Entry(nil, bocha, `{"query":""}`, 400, `{"code":"400","message":"Missing parameter query","log_id":…}`),
		Entry(nil, bocha, `{"query":7}`, 400, `{"code":"400","message":"Invalid request body","log_id":…}`),
		Entry(nil, bocha, `[]`, 400, `{"code":"400","message":"invalid type: array for ","log_id":…}`),
		Entry(nil, bocha, `{"query":"q","count":51}`, 400,
			`{"code":"400","message":"Invalid parameter count","log_id":…}`),
		Entry(nil, bocha, `{"query":"q","count":0}`, 400,
			`{"code":"400","message":"Invalid parameter count","log_id":…}`),
		Entry(nil, bocha, `{"query":"q","freshness":"eon"}`, 400,
			`{"code":"400","message":"Invalid parameter freshness","log_id":…}`),
		Entry(nil, bocha, `{"query":"q","freshness":"2026-01-01..2026-13-01"}`, 400,
			`{"code":"400","message":"Invalid parameter freshness","log_id":…}`),
	)

	DescribeTable("return the errors of the real ones for injected faults",
		func(d wire.Dialect, kind fault.Kind, status int, want string) {
			w := post(newServer(mocks.Config{Faults: []fault.Fault{{Component: "search_engine", Kind: kind}}}),
				searchPaths[d],
				`{"query":"q"}`)
			Expect(w.Code).To(Equal(status))
			Expect(maskGenerated(w.Body.String())).To(Equal(want))
			Expect(w.Header().Get("Retry-After") != "").To(Equal(kind == fault.RateLimited))
		},
		Entry(nil, tavily, fault.Auth, 401, `{"detail":{"error":"Unauthorized: missing or invalid API key."}}`),
		Entry(nil, tavily, fault.NoBalance, 432,
			`{"detail":{"error":"This request exceeds your plan's set usage limit. Please upgrade your plan or contact support@tavily.com"}}`),
		Entry(nil, tavily, fault.RateLimited, 429,
			`{"detail":{"error":"Your request has been blocked due to excessive requests. Please reduce the rate of requests."}}`),
		Entry(nil, tavily, fault.RateLimitedNoRetryAfter, 429,
			`{"detail":{"error":"Your request has been blocked due to excessive requests. Please reduce the rate of requests."}}`),
		Entry(nil, tavily, fault.ServerError, 500, `{"detail":{"error":"Internal Server Error"}}`),
		Entry(nil, tavily, fault.Overloaded, 503, `{"detail":{"error":"Service Unavailable"}}`),
		Entry(nil, bocha, fault.Auth, 401, `{"code":"401","message":"Invalid API KEY","log_id":…}`),
		Entry(nil, bocha, fault.NoBalance, 403, `{"code":"403","message":"You do not have enough money","log_id":…}`),
		Entry(nil, bocha, fault.RateLimited, 429,
			`{"code":"429","message":"You have reached the request limit","log_id":…}`),
		Entry(nil, bocha, fault.RateLimitedNoRetryAfter, 429,
			`{"code":"429","message":"You have reached the request limit","log_id":…}`),
		Entry(nil, bocha, fault.ServerError, 500, `{"code":"500","message":"Internal Server Error","log_id":…}`),
		Entry(nil, bocha, fault.Overloaded, 503, `{"code":"503","message":"Service Unavailable","log_id":…}`),
	)

	It("require a valid API key and their own HTTP method and path", func() {
		s := newServer(mocks.Config{APIKey: "right"})
		for d, missing := range map[wire.Dialect]int{tavily: 401, bocha: 400} {
			Expect(send(s, "POST", searchPaths[d], `{"query":"q"}`, "Authorization: ").Code).To(Equal(missing))
			Expect(post(s, searchPaths[d], `{"query":"q"}`, "Authorization: Bearer wrong").Code).To(Equal(401))
			Expect(post(s, searchPaths[d], `{"query":"q"}`, "Authorization: Bearer right").Code).To(Equal(200))
			Expect(send(s, "GET", searchPaths[d], "").Code).To(Equal(405))
		}
		Expect(maskGenerated(send(s, "POST", searchPaths[bocha], "", "Authorization: ").Body.String())).
			To(Equal(`{"code":"400","message":"The API KEY is missing","log_id":…}`))
		for _, host := range []string{"https://api.tavily.com", "https://api.bochaai.com", "https://api.bocha.cn"} {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("POST", host+"/v1/extract", nil))
			Expect(w.Code).To(Equal(404))
			Expect(w.Body.String()).To(ContainSubstring("Not Found"))
		}
	})

	It("return the same results for the same query and seed, in the query's language", func() {
		found := func(seed uint64, query string) string {
			w := post(newServer(mocks.Config{Seed: seed}), searchPaths[tavily],
				`{"query":"`+query+`","max_results":20}`)
			_, results, ok := strings.Cut(w.Body.String(), `"results":`)
			Expect(ok).To(BeTrue())
			results, _, _ = strings.Cut(results, `,"response_time"`)
			return results
		}
		Expect(found(1, "图神经网络")).To(Equal(found(1, "图神经网络")))
		Expect(found(1, "图神经网络")).NotTo(Equal(found(2, "图神经网络")))
		Expect(found(1, "图神经网络")).NotTo(Equal(found(1, "知识蒸馏")))
		Expect(strings.Count(found(1, "图神经网络"), "图神经网络")).To(BeNumerically(">=", 20))
		Expect(found(1, "graph networks")).NotTo(MatchRegexp(`\p{Han}`))
		Expect(regexp.MustCompile(`https://[^/"]+`).FindAllString(found(1, "graph networks"), -1)).
			To(HaveEach(MatchRegexp(`\.example\.(com|org|net)$`)))
	})
})

// clientSearch performs a web search with the client of evalctl.
func clientSearch(ctx context.Context, cfg web.Config, query string) (search.Results, error) {
	GinkgoHelper()
	cfg.APIKey = "sk-test1234"
	c, err := web.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return c.Search(ctx, query, 7)
}

var _ = Describe("L5: the client of a search engine", func() {
	for _, engine := range web.Engines() {
		base := map[string]string{"tavily": "", "bocha": "/v1"}[engine]

		It("finds the same with "+engine+" over a socket, in process and in simulated time", func(ctx context.Context) {
			s := newServer(mocks.Config{Seed: 3})
			srv := httptest.NewServer(s)
			DeferCleanup(srv.Close)
			over, err := clientSearch(ctx, web.Config{Engine: engine, BaseURL: srv.URL + base, HTTP: srv.Client()},
				"图神经网络")
			Expect(err).NotTo(HaveOccurred())
			Expect(over.Pages).To(HaveLen(7))
			Expect(over.Answer != "").To(Equal(engine == web.Tavily))
			inside, err := clientSearch(ctx,
				web.Config{Engine: engine,
					HTTP: &http.Client{Transport: transport.Transport{Handler: s.ForComponent("search_engine")}}},
				"图神经网络")
			Expect(err).NotTo(HaveOccurred())
			simulate(s, func(ctx context.Context, c *http.Client) {
				found, err := clientSearch(ctx, web.Config{Engine: engine, HTTP: c}, "图神经网络")
				Expect(err).NotTo(HaveOccurred())
				for i, r := range found.Pages {
					Expect(r.Date).To(BeTemporally("<=", clock.Now(ctx)))
					Expect(r.Date).To(BeTemporally(">", clock.Now(ctx).AddDate(-2, 0, 0)))
					for _, other := range []search.Results{over, inside} {
						// dates are relative to the current time
						r.Date, other.Pages[i].Date = time.Time{}, time.Time{}
						Expect(other.Pages[i]).To(Equal(r))
					}
				}
			})
			Expect(s.Calls("search_engine")).To(Equal(3))
		})

		DescribeTable("meets the faults of "+engine, func(kind fault.Kind, want llm.ErrorKind, calls int) {
			s := newServer(mocks.Config{Faults: []fault.Fault{{Component: "search_engine", Kind: kind}}})
			simulate(s, func(ctx context.Context, c *http.Client) {
				_, err := clientSearch(ctx, web.Config{Engine: engine, HTTP: c}, "q")
				if want == llm.KindEmptyContent {
					Expect(err).To(MatchError(search.ErrNoResults))
				} else {
					Expect(llm.KindOf(err)).To(Equal(want), "%v", err)
				}
			})
			Expect(s.Calls("search_engine")).To(Equal(calls))
		},
			Entry(nil, fault.EmptyContent, llm.KindEmptyContent, 1),
			Entry(nil, fault.Timeout, llm.KindTimeout, 1),
			Entry(nil, fault.Reset, llm.KindConnectionReset, 3),
			Entry(nil, fault.RateLimited, llm.KindRateLimited, 3),
			Entry(nil, fault.RateLimitedNoRetryAfter, llm.KindRateLimited, 3),
			Entry(nil, fault.ServerError, llm.KindServerError, 3),
			Entry(nil, fault.Overloaded, llm.KindServerError, 3),
			Entry(nil, fault.Auth, llm.KindAuth, 1),
			Entry(nil, fault.NoBalance, llm.KindNoBalance, 1),
		)
	}

	It("waits for the latency of the engine, which Tavily reports", func() {
		s := newServer(mocks.Config{Latency: map[string]latency.Latency{"search_engine": latency.Constant(
			1200 * time.Millisecond)}})
		simulate(s, func(ctx context.Context, c *http.Client) {
			began := clock.Now(ctx)
			_, err := clientSearch(ctx, web.Config{HTTP: c}, "q")
			Expect(err).NotTo(HaveOccurred())
			Expect(clock.Since(ctx, began)).To(Equal(1200 * time.Millisecond))
		})
	})
})

package recall_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/trace"
)

// one is the response of a service that found one passage.
const one = `{"code":0,"data":{"chunks":[{"id":"c1","content":"见 91.3%","content_ltks":"","document_id":"d1","document_keyword":"a.pdf","dataset_id":"k1",` +
	`"important_keywords":[],"tag_kwd":[],"image_id":"","positions":[],"doc_type_kwd":"","similarity":0.62,"vector_similarity":0.55,"term_similarity":0.65}],` +
	`"doc_aggs":[{"doc_name":"a.pdf","doc_id":"d1","count":1}],"total":1}}`

var found = recall.Chunk{ID: "c1", DocumentID: "d1", DocumentName: "a.pdf", Content: "见 91.3%", Similarity: 0.62,
	VectorSimilarity: 0.55, TermSimilarity: 0.65}

var _ = Describe("L5: A recall.Client", func() {
	It("sends a query in exactly the format of RAGFlow", func() {
		s := &service{status: 200, body: one}
		Expect(search(client(s),
			recall.Query{Question: "准确率", Datasets: []string{"k1", "k2"}, Documents: []string{"d1"}, TopN: 5, TopK: 50,
				Threshold: number(0), VectorWeight: number(0.7), Reranker: "r"})).To(Equal([]recall.Chunk{found}))
		Expect(s.request).To(Equal(
			`{"question":"准确率","dataset_ids":["k1","k2"],"document_ids":["d1"],"page":1,"page_size":5,` +
				`"similarity_threshold":0,"vector_similarity_weight":0.7,"top_k":50,"rerank_id":"r"}`))
		r := s.asked[0]
		Expect(r.Method + " " + r.URL.String()).To(Equal("POST http://127.0.0.1:9380/api/v1/retrieval"))
		Expect(r.Header).To(Equal(http.Header{"Authorization": {"Bearer ragflow-secret-key"},
			"Content-Type": {"application/json"}}))
	})

	It("sends the default parameters for a query that sets none, and no API key if none is configured", func() {
		s := &service{status: 200, body: one}
		_, err := search(client(s,
			func(c *recall.Config) { c.APIKey, c.BaseURL = "", "https://u:p@ragflow.test/x/?tenant=1" }),
			recall.Query{Question: "q"})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.request).To(Equal(
			`{"question":"q","dataset_ids":["default"],"page":1,"page_size":10,"similarity_threshold":0.2,"vector_similarity_weight":0.3,"top_k":1024}`))
		Expect(s.asked[0].URL.Path + "?" + s.asked[0].URL.RawQuery).To(Equal("/x/api/v1/retrieval?tenant=1"))
		Expect(s.asked[0].Header).NotTo(HaveKey("Authorization"))
	})

	It("sends no request if the question is blank", func() {
		s := &service{}
		Expect(search(client(s), recall.Query{Question: " \n"})).To(BeEmpty())
		Expect(s.asked).To(BeEmpty())
	})

	DescribeTable("sends no request and returns an error if the query is invalid",
		func(q recall.Query, problem string) {
			s := &service{}
			q.Question += "?"
			_, err := search(client(s), q)
			Expect(err).To(MatchError(llm.KindBadRequest))
			Expect(err).To(MatchError(ContainSubstring(problem)))
			Expect(s.asked).To(BeEmpty())
		},
		Entry("a query for 101 passages", recall.Query{TopN: 101}, "TopN: 101 is not in 0..100"),
		Entry("a query for -1 passages", recall.Query{TopN: -1}, "TopN: -1"),
		Entry("a query for a million candidates", recall.Query{TopK: 1e6}, "TopK: 1000000 is not in 0..100000"),
		Entry("a threshold above 1", recall.Query{Threshold: number(1.1)}, "Threshold: 1.1 is not in 0..1"),
		Entry("a vector weight below 0", recall.Query{VectorWeight: number(-0.1)}, "VectorWeight: -0.1"),
		Entry("a question of more than 64 KiB", recall.Query{Question: strings.Repeat("x", 70_000)},
			"Question: has 70001 bytes"),
		Entry("a query that names 10,001 documents", recall.Query{Documents: make([]string, 10_001)},
			"Documents: are 10001"),
		Entry("a query that names 10,001 datasets", recall.Query{Datasets: make([]string, 10_001)},
			"Datasets: are 10001"),
	)

	DescribeTable("is not created from an invalid Config; the error names the field",
		func(cfg recall.Config, problem string) {
			_, err := recall.New(cfg)
			Expect(err).To(MatchError(ContainSubstring(problem)))
		},
		Entry("a base URL with the scheme ftp", recall.Config{BaseURL: "ftp://u:passw0rd@x"},
			"recall.Config.BaseURL: "),
		Entry("eleven retries", recall.Config{Retries: 11}, "recall.Config.Retries: 11"),
		Entry("a negative timeout", recall.Config{Timeout: -1}, "recall.Config.Timeout: "),
		Entry("10,001 datasets", recall.Config{Datasets: make([]string, 10_001)}, "recall.Config.Datasets: "),
	)

	DescribeTable("ignores the field doc_aggs of a response, whatever its type", func(aggregates string) {
		s := &service{status: 200, body: `{"code":0,"data":{"chunks":[],"doc_aggs":` + aggregates + `,"total":0}}`}
		Expect(search(client(s), recall.Query{Question: "q"})).To(BeEmpty())
	},
		Entry("doc_aggs is an object", `{}`),
		Entry("doc_aggs is an empty list", `[]`),
		Entry("doc_aggs is a list of objects", `[{"doc_name":"a","doc_id":"d","count":1}]`),
	)

	It("limits similarities to 0..1 if the service adds a document's rank or returns a negative cosine", func() {
		body := strings.NewReplacer(`"similarity":0.62`, `"similarity":10.62`, `"vector_similarity":0.55`,
			`"vector_similarity":-0.2`).Replace(one)
		got, err := search(client(&service{status: 200, body: body}), recall.Query{Question: "q"})
		Expect(err).NotTo(HaveOccurred())
		Expect(got[0].Similarity).To(Equal(1.0))
		Expect(got[0].VectorSimilarity).To(BeZero())
	})
})

var _ = DescribeTable("L5: recall.Client returns an error for an unusable response; its kind depends on the code and status",
	func(status int, body string, kind llm.ErrorKind, calls int) {
		s := &service{status: status, body: body}
		_, err := search(client(s), recall.Query{Question: "q"})
		Expect(err).To(MatchError(kind), "%v", err)
		Expect(s.asked).To(HaveLen(calls))
		Expect(err).To(MatchError(HavePrefix("ragflow: ")))
	},
	Entry("code 102, a data error", 200, "{\"code\":102,\"message\":\"`dataset_ids` is required.\"}",
		llm.KindBadRequest, 1),
	Entry("code 101, an argument error", 200, `{"code":101,"message":"x"}`, llm.KindBadRequest, 1),
	Entry("code 100, an exception", 200, `{"code":100,"message":"ValueError('x')","data":null}`,
		llm.KindServerError, 3),
	Entry("code 109, an invalid key in an older release", 200,
		`{"code":109,"message":"API key is invalid!","data":false}`,
		llm.KindAuth, 1),
	Entry("code 108, a permission error", 200, `{"code":108,"message":"x"}`, llm.KindAuth, 1),
	Entry("code 106, an operation that is still running", 200, `{"code":106,"message":"x"}`, llm.KindServerError, 3),
	Entry("code 429 with status 200", 200, `{"code":429,"message":"x"}`, llm.KindRateLimited, 3),
	Entry("status 401 and code 401, a missing key", 401,
		`{"code":401,"message":"<Unauthorized '401: Unauthorized'>","data":null}`, llm.KindAuth, 1),
	Entry("status 401 and code 0", 401, `{"code":0,"message":"x","data":false}`, llm.KindAuth, 1),
	Entry("status 404 and code 404, an unknown path", 404,
		`{"code":404,"message":"Not Found: /x","data":null,"error":"Not Found"}`,
		llm.KindNotFound, 1),
	Entry("status 500 and code 102", 500, `{"code":102,"message":"x"}`, llm.KindBadRequest, 1),
	Entry("status 429 and code 429", 429, `{"code":429,"message":"x"}`, llm.KindRateLimited, 3),
	Entry("status 502 with an HTML page of a proxy", 502, `<html>Bad Gateway</html>`, llm.KindServerError, 3),
	Entry("status 200 with an HTML page", 200, `<html>Welcome</html>`, llm.KindMalformedResponse, 1),
	Entry("an empty response", 200, ``, llm.KindMalformedResponse, 1),
	Entry("a response body that breaks off", 200, one[:len(one)/2], llm.KindMalformedResponse, 1),
	Entry("a response without a code", 200, `{"data":{"chunks":[]}}`, llm.KindMalformedResponse, 1),
	Entry("a string as the code", 200, `{"code":"0","data":{"chunks":[]}}`, llm.KindMalformedResponse, 1),
	Entry("a response without data", 200, `{"code":0}`, llm.KindMalformedResponse, 1),
	Entry("the value false in the field data", 200, `{"code":0,"data":false}`, llm.KindMalformedResponse, 1),
	Entry("the value null in the field data", 200, `{"code":0,"data":null}`, llm.KindMalformedResponse, 1),
	Entry("NaN as the similarity", 200, strings.Replace(one, "0.62", "NaN", 1), llm.KindMalformedResponse, 1),
	Entry("a similarity that exceeds the range of float64", 200, strings.Replace(one, "0.62", "1e999", 1),
		llm.KindMalformedResponse, 1),
	Entry("a vector similarity above 1", 200, strings.Replace(one, "0.55", "55", 1), llm.KindMalformedResponse, 1),
	Entry("a similarity below -1", 200, strings.Replace(one, "0.62", "-3", 1), llm.KindMalformedResponse, 1),
	Entry("a similarity above 1000", 200, strings.Replace(one, "0.62", "1e308", 1), llm.KindMalformedResponse, 1),
	Entry("a passage ID with a line break and an escape sequence", 200,
		strings.Replace(one, `"c1"`, `"c1\n\u001b[31m"`, 1),
		llm.KindMalformedResponse, 1),
	Entry("a passage without a similarity", 200, strings.Replace(one, `"similarity":0.62,`, "", 1),
		llm.KindMalformedResponse, 1),
	Entry("a passage without an ID", 200, strings.Replace(one, `"c1"`, `""`, 1), llm.KindMalformedResponse, 1),
	Entry("a document name of 2,000 bytes", 200,
		strings.Replace(one, `"a.pdf"`, `"`+strings.Repeat("a", 2000)+`"`, 1),
		llm.KindMalformedResponse, 1),
	Entry("a passage of 300,000 bytes", 200, strings.Replace(one, `见`, strings.Repeat("见", 100_000), 1),
		llm.KindMalformedResponse, 1),
	Entry("more passages than requested", 200,
		`{"code":0,"data":{"chunks":[`+strings.Repeat(`{"id":"c","document_id":"d","similarity":1},`, 10)+
			`{"id":"c","document_id":"d","similarity":1}]}}`, llm.KindMalformedResponse, 1),
	Entry("a response with more than 5,000 objects", 200,
		`{"code":0,"data":{"chunks":[`+strings.Repeat(`{},`, 5000)+`{}]}}`,
		llm.KindMalformedResponse, 1),
	Entry("a response of 9 MiB", 200, one+strings.Repeat(" ", 9<<20), llm.KindMalformedResponse, 1),
)

var _ = Describe("L5: A recall.Client", func() {
	It("31.7: ignores a passage of a document that was not requested", func() {
		Expect(search(client(&service{status: 200, body: one}),
			recall.Query{Question: "q", Documents: []string{"d2"}})).To(BeEmpty())
	})

	DescribeTable("31.7: accepts a passage of a document that the service names like the query, under its own ID",
		func(name string) {
			own := found
			own.DocumentID = name
			Expect(search(client(&service{status: 200, body: one}), recall.Query{Question: "q",
				Documents: []string{"d2", name}})).To(Equal([]recall.Chunk{own}))
		},
		Entry("with its extension", "a.pdf"), Entry("without its extension", "a"),
	)

	It("31.7: finds the service's IDs of documents by name if the service does not know the IDs of the query", func() {
		var requests []string
		serve := recallService(func(r *http.Request, body string) string {
			ids := regexp.MustCompile(`"document_ids":\[.*?\]`).FindString(body)
			requests = append(requests, r.Method+" "+r.URL.RequestURI()+" "+ids)
			switch {
			case r.Method == http.MethodGet:
				return `{"code":0,"data":{"docs":[{"id":"d1","name":"a.pdf"},{"id":"d9","name":"x.pdf"}],"total":2}}`
			case strings.Contains(body, `"document_ids":["d1"]`):
				return one
			}
			return `{"code":102,"message":"The datasets don't own the document a"}`
		})
		c, err := recall.New(recall.Config{HTTP: serve})
		Expect(err).NotTo(HaveOccurred())
		own := found
		own.DocumentID = "a"
		q := recall.Query{Question: "q", Datasets: []string{"k1"}, Documents: []string{"a", "b"}}
		for range 2 {
			Expect(search(c, q)).To(Equal([]recall.Chunk{own}))
		}
		Expect(requests).To(Equal([]string{
			`POST /api/v1/retrieval "document_ids":["a","b"]`,
			"GET /api/v1/datasets/k1/documents?page=1&page_size=1000 ",
			`POST /api/v1/retrieval "document_ids":["d1"]`,
			`POST /api/v1/retrieval "document_ids":["d1"]`, // the IDs are known now
		}))
		q.Documents = []string{"c"}
		_, err = search(c, q)
		Expect(err).To(MatchError(ContainSubstring("don't own the document")))
	})

	It("31.7: has the names of the service's documents, by ID or file name, and remembers them", func() {
		requests := 0
		c, err := recall.New(recall.Config{Datasets: []string{"k1"}, HTTP: recallService(func(*http.Request, string) string {
			requests++
			return `{"code":0,"data":{"docs":[{"id":"d1","name":"a.pdf"},{"id":"d9","name":"x.pdf"}],"total":2}}`
		})})
		Expect(err).NotTo(HaveOccurred())
		for range 2 {
			Expect(c.DocumentNames(context.Background(), recall.Query{Documents: []string{"d1", "x"}}, nil)).
				To(Equal(map[string]string{"d1": "a.pdf", "x": "x.pdf"}))
		}
		Expect(requests).To(Equal(1))
	})

	It("31.7: looks up an unknown document again only after a minute", func() {
		var requests []string
		c, err := recall.New(recall.Config{HTTP: recallService(func(r *http.Request, _ string) string {
			requests = append(requests, r.Method)
			if r.Method == http.MethodPost {
				return `{"code":102,"message":"The datasets don't own the document d2"}`
			}
			return `{"code":0,"data":{"docs":[],"total":0}}`
		})})
		Expect(err).NotTo(HaveOccurred())
		q := recall.Query{Question: "q", Documents: []string{"d2"}}
		simulate(func(ctx context.Context) {
			for range 3 {
				Expect(c.DocumentNames(ctx, q, nil)).To(BeEmpty())
			}
			_, err := c.Search(ctx, q)
			Expect(err).To(MatchError(ContainSubstring("don't own the document")))
			Expect(requests).To(Equal([]string{"GET", "POST"}))
			Expect(clock.Sleep(ctx, time.Minute)).To(Succeed()) // the document may have been added
			Expect(c.DocumentNames(ctx, q, nil)).To(BeEmpty())
			Expect(requests).To(Equal([]string{"GET", "POST", "GET"}))
		})
	})

	It("31.7: remembers a document of each dataset, even if their names are equal", func() {
		c, err := recall.New(recall.Config{HTTP: recallService(func(r *http.Request, _ string) string {
			dataset := regexp.MustCompile(`datasets/(k.)/`).FindStringSubmatch(r.URL.Path)[1]
			return fmt.Sprintf(`{"code":0,"data":{"docs":[{"id":"d1","name":"a.%s"}],"total":1}}`, dataset)
		})})
		Expect(err).NotTo(HaveOccurred())
		for _, dataset := range []string{"k1", "k2", "k1"} {
			q := recall.Query{Datasets: []string{dataset}, Documents: []string{"a"}}
			Expect(c.DocumentNames(context.Background(), q, nil)).To(Equal(map[string]string{"a": "a." + dataset}))
		}
	})

	It("31.7: requests each page of the list in a slot of its own", func() {
		page := make([]string, 1000)
		for i := range page {
			page[i] = fmt.Sprintf(`{"id":"d%d","name":"%[1]d.pdf"}`, i)
		}
		var calls []string
		simulate(func(ctx context.Context) {
			c, err := recall.New(recall.Config{HTTP: recallService(func(r *http.Request, _ string) string {
				calls = append(calls, "page "+r.URL.Query().Get("page"))
				Expect(clock.Sleep(ctx, time.Second)).To(Succeed())
				if r.URL.Query().Get("page") == "2" {
					return `{"code":0,"data":{"docs":[],"total":1000}}`
				}
				return `{"code":0,"data":{"docs":[` + strings.Join(page, ",") + `],"total":1000}}`
			})})
			Expect(err).NotTo(HaveOccurred())
			slots := clock.NewSemaphore(ctx, "calls", 1)
			group, _ := clock.NewGroup(ctx, 0)
			group.Go("names", func(ctx context.Context) error {
				_, err := c.DocumentNames(ctx, recall.Query{Documents: []string{"x"}}, slots)
				return err
			})
			group.Go("another call", func(ctx context.Context) error {
				Expect(slots.Acquire(ctx)).To(Succeed())
				calls = append(calls, "another call")
				slots.Release()
				return nil
			})
			Expect(group.Wait()).To(Succeed())
		})
		Expect(calls).To(Equal([]string{"page 1", "another call", "page 2"}))
	})

	It("removes control characters from passages, and line breaks from document names", func() {
		body := strings.NewReplacer("91.3%", `91.3%\u001b[2J\u0007\n`, `"a.pdf"`, `"a\n\nb\u009b.pdf"`).Replace(one)
		got, err := search(client(&service{status: 200, body: body}), recall.Query{Question: "q"})
		Expect(err).NotTo(HaveOccurred())
		Expect(got[0].DocumentName).To(Equal("a b.pdf"))
		Expect(got[0].Content).To(ContainSubstring("91.3%[2J\n"))
	})

	It("redacts the API key if the service echoes it in an error or a passage", func() {
		s := &service{status: 200, body: `{"code":102,"message":"no such key: ragflow-secret-key"}`}
		_, err := search(client(s), recall.Query{Question: "q"})
		Expect(err).To(MatchError(Not(ContainSubstring("secret-key"))))
		s.body = strings.Replace(one, "91.3%", "ragflow-secret-key", 1)
		got, err := search(client(s), recall.Query{Question: "q"})
		Expect(err).NotTo(HaveOccurred())
		Expect(got[0].Content).NotTo(ContainSubstring("secret-key"))
	})

	It("does not follow a redirect, because it would send the API key to another host", func() {
		asked := 0
		elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
		DeferCleanup(elsewhere.Close)
		s := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/api/v1/retrieval", http.StatusTemporaryRedirect))
		DeferCleanup(s.Close)
		c, err := recall.New(recall.Config{BaseURL: s.URL, APIKey: "k"})
		Expect(err).NotTo(HaveOccurred())
		_, err = c.Search(context.Background(), recall.Query{Question: "q"})
		Expect(err).To(MatchError(llm.KindMalformedResponse))
		Expect(err).To(MatchError(ContainSubstring("which is not followed")))
		Expect(asked).To(BeZero())
	})

	It("X2: waits for the Retry-After delay before each retry, and records a span for each attempt", func() {
		s := &service{status: 429, body: `{"code":429,"message":"x"}`, header: http.Header{"Retry-After": {"3"}}}
		var spans []trace.Span
		_, err := search(recorded{client(s, func(c *recall.Config) { c.Node = "execution" }), &spans},
			recall.Query{Question: "q", Reranker: "r"})
		Expect(err).To(MatchError(llm.KindRateLimited))
		Expect(spans).To(HaveLen(3))
		Expect(spans[2].Start.Seconds()).To(Equal(6.0))
		Expect(spans[2].Provider + "/" + spans[2].Model + "/" + spans[2].Error).To(Equal("ragflow/r/rate_limited"))
	})

	It("X2: retries after a broken connection", func() {
		s := &service{err: syscall.ECONNRESET}
		_, err := search(client(s, func(c *recall.Config) { c.Retries = 1 }), recall.Query{Question: "q"})
		Expect(err).To(MatchError(llm.KindConnectionReset))
		Expect(s.asked).To(HaveLen(2))
	})
})

// recorded is a Searcher that stores the trace spans of its searches.
type recorded struct {
	recall.Searcher
	spans *[]trace.Span
}

func (r recorded) Search(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
	ctx = trace.WithRecorder(ctx, func(e trace.Event) {
		if e.Kind == trace.KindSpan {
			*r.spans = append(*r.spans, *e.Span)
		}
	})
	return r.Searcher.Search(ctx, q)
}

// FuzzAnswer checks that any response results in an error, or in passages with valid similarities.
func FuzzAnswer(f *testing.F) {
	f.Add(one)
	f.Add(`{"code":102,"message":"x"}`)
	f.Add(`{"code":0,"data":{"chunks":[{"id":"c","document_id":"d","similarity":1e308}],"doc_aggs":{},"total":-1}}`)
	f.Fuzz(func(t *testing.T, body string) {
		c, err := recall.New(recall.Config{HTTP: &service{status: 200, body: body}, Retries: llm.NoRetries})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Search(context.Background(), recall.Query{Question: "q", TopN: 2})
		if err == nil && len(got) > 2 || err != nil && llm.KindOf(err) == "" {
			t.Fatal(len(got), err)
		}
		for _, p := range got {
			for _, x := range []float64{p.Similarity, p.VectorSimilarity, p.TermSimilarity} {
				if !(x >= 0 && x <= 1) {
					t.Fatal(p)
				}
			}
		}
	})
}

func ExampleClient() {
	service := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, one) }))
	defer service.Close()
	c, err := recall.New(recall.Config{BaseURL: service.URL, APIKey: "ragflow-…", Datasets: []string{"k1"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := c.Search(context.Background(), recall.Query{Question: "准确率是多少", Documents: []string{"d1"}})
	fmt.Println(found[0].ID, found[0].Similarity, err)
	// Output: c1 0.62 <nil>
}

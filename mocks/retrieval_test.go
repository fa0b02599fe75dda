package mocks_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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

const retrievalPath = "/api/v1/retrieval"

// fakeCorpus is a corpus with the documents d1 and d2 in the dataset k1. Every search returns the
// same passages.
type fakeCorpus struct {
	found []wire.FoundPassage
	asked *wire.RetrievalQuery // the last retrieval request
	err   error
}

func (s fakeCorpus) Contains(document string, datasets ...string) bool {
	for _, d := range datasets {
		if d == "k1" && (document == "" || document == "d1" || document == "d2") {
			return true
		}
	}
	return false
}

func (s fakeCorpus) Search(_ context.Context, r wire.RetrievalQuery) ([]wire.FoundPassage, error) {
	*s.asked = r
	return s.found[:min(len(s.found), r.MaxResults())], s.err
}

// retrievalServer returns a server whose component shelf finds n passages, and the last request to
// the corpus.
func retrievalServer(n int, change ...func(*mocks.Config, *fakeCorpus)) (*mocks.Server, *wire.RetrievalQuery) {
	GinkgoHelper()
	s := fakeCorpus{asked: &wire.RetrievalQuery{}}
	for i := range n {
		s.found = append(s.found,
			wire.FoundPassage{ID: fmt.Sprintf("c%d", i+1), Content: "The ResNet-50 见准确率 91.3%",
				Document: fmt.Sprintf("d%d", i%2+1),
				Name:     fmt.Sprintf("%d.pdf", i%2+1), Dataset: "k1", Similarity: 0.62, VectorSimilarity: 0.55,
				TermSimilarity: 0.65})
	}
	cfg := mocks.Config{Components: component.Components{"library": component.RoleRetrieval}}
	for _, c := range change {
		c(&cfg, &s)
	}
	cfg.Corpora = map[string]mocks.Corpus{"library": s}
	return newServer(cfg), s.asked
}

// retrieve sends a retrieval request with the placeholders in its body filled in.
func retrieve(s http.Handler, body string) (status int, answer string) {
	GinkgoHelper()
	w := post(s, retrievalPath, body)
	Expect(w.Header().Get("Content-Type")).To(Equal("application/json"))
	return w.Code, w.Body.String()
}

var _ = Describe("L5: the simulated retrieval API", func() {
	const chunk = `{"id":"c1","content":"The ResNet-50 见准确率 91.3%","content_ltks":"the resnet-50 见准确率 91.3%","document_id":"d1","document_keyword":"1.pdf","dataset_id":"k1",` +
		`"important_keywords":[],"tag_kwd":[],"image_id":"","positions":[],"doc_type_kwd":"","similarity":0.62,"vector_similarity":0.55,"term_similarity":0.65`

	It("returns the same bytes as RAGFlow", func() {
		s, _ := retrievalServer(1)
		status, body := retrieve(s, `{"question":"准确率","dataset_ids":["k1"]}`)
		Expect(status).To(Equal(200))
		Expect(body).To(Equal(`{"code":0,"data":{"chunks":[` + chunk +
			`}],"doc_aggs":[{"doc_name":"1.pdf","doc_id":"d1","count":1}],"total":1}}`))
	})

	It("highlights the words of the question if the request requires it", func() {
		s, _ := retrievalServer(1)
		for _, yes := range []string{`true`, `"true"`} {
			_, body := retrieve(s, `{"question":"resnet 的准确率？","dataset_ids":["k1"],"highlight":`+yes+`}`)
			Expect(body).To(ContainSubstring(chunk + `,"highlight":"The <em>ResNet</em>-50 见<em>准确率</em> 91.3%"}]`))
		}
		_, body := retrieve(s, `{"question":"resnet","dataset_ids":["k1"],"highlight":"false"}`)
		Expect(body).NotTo(ContainSubstring("highlight"))
	})

	DescribeTable("returns doc_aggs with the same JSON type as RAGFlow", func(found int, question, want string) {
		s, _ := retrievalServer(found)
		_, body := retrieve(s, `{"question":`+question+`,"dataset_ids":["k1"]}`)
		Expect(body).To(HaveSuffix(want))
	},
		Entry("a blank question", 3, `" "`, `{"code":0,"data":{"chunks":[],"doc_aggs":{},"total":0}}`),
		Entry("a question that is null", 3, `null`, `{"code":0,"data":{"chunks":[],"doc_aggs":{},"total":0}}`),
		Entry("a question without hits", 0, `"q"`, `{"code":0,"data":{"chunks":[],"doc_aggs":[],"total":0}}`),
		Entry("a question with hits", 3, `"q"`,
			`"doc_aggs":[{"doc_name":"1.pdf","doc_id":"d1","count":2},{"doc_name":"2.pdf","doc_id":"d2","count":1}],"total":3}}`),
	)

	DescribeTable("returns one page of the passages found", func(page string, first, last, total string) {
		s, _ := retrievalServer(300)
		_, body := retrieve(s, `{"question":"q","dataset_ids":["k1"],`+page+`}`)
		Expect(body).To(ContainSubstring(`"total":` + total + `}}`))
		if first == "" {
			Expect(body).To(HavePrefix(`{"code":0,"data":{"chunks":[],"doc_aggs":[],`))
			return
		}
		Expect(body).To(HavePrefix(`{"code":0,"data":{"chunks":[{"id":"` + first + `"`))
		Expect(body[strings.LastIndex(body, `{"id":"`):]).To(HavePrefix(`{"id":"` + last + `"`))
	},
		Entry("the default page of 30", `"top_k":1`, "c1", "c30", "90"),
		Entry("the second page of ten", `"page":2,"page_size":10`, "c11", "c20", "70"),
		Entry("the longest page, of 100", `"page_size":100`, "c1", "c100", "100"),
		Entry("invalid page numbers, which become the default", `"page":"x","page_size":-1`, "c1", "c30", "90"),
		Entry("a page after the last one", `"page":8,"page_size":10`, "", "", "70"),
		Entry("page numbers as strings", `"page":"2","page_size":"10"`, "c11", "c20", "70"),
	)

	It("passes all fields of the request to the corpus", func() {
		s, asked := retrievalServer(1)
		retrieve(s, `{"question":" q ","dataset_ids":["k1"],"document_ids":["d2","d1"],"page_size":7,"similarity_threshold":0,"vector_similarity_weight":"0.9","top_k":9,"rerank_id":"r","keyword":false}`)
		Expect(*asked).To(Equal(wire.RetrievalQuery{Question: "q", Datasets: []string{"k1"},
			Documents: []string{"d2", "d1"},
			Page:      1, PageSize: 7, VectorWeight: 0.9, TopK: 9, Rerank: "r"}))
		retrieve(s, `{"question":"q","dataset_ids":["k1"]}`)
		Expect(*asked).To(Equal(wire.RetrievalQuery{Question: "q", Datasets: []string{"k1"}, Page: 1, PageSize: 30,
			MinSimilarity: 0.2, VectorWeight: 0.3, TopK: 1024}))
	})

	DescribeTable("refuses invalid requests with RAGFlow's error", func(body string, status int, want string) {
		s, _ := retrievalServer(1)
		got, answer := retrieve(s, body)
		Expect(got).To(Equal(status))
		Expect(answer).To(Equal(want))
		Expect(s.Calls("library")).To(BeZero())
	},
		Entry("no datasets", `{"question":"q"}`, 200, "{\"code\":102,\"message\":\"`dataset_ids` is required.\"}"),
		Entry("an empty list of datasets", `{"question":"q","dataset_ids":[]}`, 200,
			"{\"code\":102,\"message\":\"`dataset_ids` is required.\"}"),
		Entry("datasets that are not a list", `{"question":"q","dataset_ids":"k1"}`, 200,
			"{\"code\":102,\"message\":\"`dataset_ids` should be a list\"}"),
		Entry("an unknown dataset", `{"question":"q","dataset_ids":["k1","k2"]}`, 200,
			`{"code":102,"message":"You don't own the dataset k2."}`),
		Entry("no question", `{"dataset_ids":["k1"]}`, 200, "{\"code\":102,\"message\":\"`question` is required.\"}"),
		Entry("documents that are not a list", `{"question":"q","dataset_ids":["k1"],"document_ids":"d1"}`, 200,
			"{\"code\":102,\"message\":\"`documents` should be a list\"}"),
		Entry("an unknown document", `{"question":"q","dataset_ids":["k1"],"document_ids":["d1","d3"]}`, 200,
			`{"code":102,"message":"The datasets don't own the document d3"}`),
		Entry("a top_k of 0", `{"question":"q","dataset_ids":["k1"],"top_k":0}`, 200,
			"{\"code\":102,\"message\":\"`top_k` must be greater than 0\"}"),
		Entry("a negative top_k", `{"question":"q","dataset_ids":["k1"],"top_k":-5}`, 200,
			"{\"code\":102,\"message\":\"`top_k` must be greater than 0\"}"),
		Entry("a highlight that is not a boolean", `{"question":"q","dataset_ids":["k1"],"highlight":"maybe"}`, 200,
			"{\"code\":102,\"message\":\"`highlight` should be a boolean\"}"),
		Entry("a page size above 100", `{"question":"q","dataset_ids":["k1"],"page_size":101}`, 200,
			`{"code":100,"message":"ValueError('page_size must not be greater than 100')","data":null}`),
		Entry("a threshold that is not a number", `{"question":"q","dataset_ids":["k1"],"similarity_threshold":"high"}`,
			200,
			`{"code":100,"message":"ValueError(\"could not convert string to float: 'high'\")","data":null}`),
		Entry("a body that is not JSON", `{"question"`, 200,
			`{"code":100,"message":"<BadRequest '400: Bad Request'>","data":null}`),
		Entry("a rerank_id that is a number", `{"question":"q","dataset_ids":["k1"],"rerank_id":5}`, 200,
			`{"code":101,"message":"invalid type: number for rerank_id"}`),
	)

	It("refuses a missing key, another HTTP method and an unknown path, also without a corpus", func() {
		s, _ := retrievalServer(1, func(c *mocks.Config, _ *fakeCorpus) { c.APIKey = "right" })
		for _, authorization := range []string{"Authorization: ", "Authorization: Bearer wrong"} {
			w := post(s, retrievalPath, `{}`, authorization)
			Expect(w.Code).To(Equal(401))
			Expect(w.Body.String()).To(Equal(`{"code":401,"message":"<Unauthorized '401: Unauthorized'>","data":null}`))
		}
		w := send(s, "GET", retrievalPath, "")
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.String()).
			To(Equal(`{"code":100,"message":"<MethodNotAllowed '405: Method Not Allowed'>","data":null}`))
		_, body := retrieve(newServer(mocks.Config{}), `{"question":"q","dataset_ids":["k1"]}`)
		Expect(body).To(Equal(`{"code":102,"message":"You don't own the dataset k1."}`))
	})

	It("returns an error of its corpus as a server error", func() {
		s, _ := retrievalServer(1, func(_ *mocks.Config, s *fakeCorpus) { s.err = errors.New("the index is gone") })
		_, body := retrieve(s, `{"question":"q","dataset_ids":["k1"]}`)
		Expect(body).To(Equal(`{"code":100,"message":"the index is gone","data":null}`))
	})

	It("accepts a corpus only for components with the retrieval role", func() {
		_, err := mocks.New(mocks.Config{Corpora: map[string]mocks.Corpus{"chat": fakeCorpus{}}})
		Expect(err).To(MatchError("mocks: Config.Corpora: chat does not do the work of retrieval"))
		s, _ := retrievalServer(1)
		retrieve(s, `{"question":"q","dataset_ids":["k1"]}`)
		ex := s.Log()[0]
		Expect(ex.ComponentName + " " + string(ex.Role) + " " + string(ex.Dialect)).
			To(Equal("library retrieval ragflow"))
	})

	DescribeTable("returns the error of an injected fault in RAGFlow's format",
		func(kind fault.Kind, status int, want string) {
			s, _ := retrievalServer(1,
				func(c *mocks.Config, _ *fakeCorpus) {
					c.Faults = []fault.Fault{{Component: "library", Kind: kind, CallNumber: 1}}
				})
			got, body := retrieve(s, `{"question":"q","dataset_ids":["k1"]}`)
			Expect(got).To(Equal(status))
			Expect(body).To(Equal(want))
			_, body = retrieve(s, `{"question":"q","dataset_ids":["k1"]}`)
			Expect(body).To(HavePrefix(`{"code":0,"data":{"chunks":[{`), "the fault affects only the first call")
		},
		Entry(nil, fault.ServerError, 200,
			`{"code":100,"message":"ConnectionTimeout('Connection timed out')","data":null}`),
		Entry(nil, fault.Auth, 401, `{"code":401,"message":"<Unauthorized '401: Unauthorized'>","data":null}`),
		Entry(nil, fault.NoBalance, 401, `{"code":401,"message":"<Unauthorized '401: Unauthorized'>","data":null}`),
		Entry(nil, fault.RateLimited, 429, `{"code":429,"message":"Too Many Requests","data":null}`),
		Entry(nil, fault.RateLimitedNoRetryAfter, 429, `{"code":429,"message":"Too Many Requests","data":null}`),
		Entry(nil, fault.Overloaded, 503, `{"code":503,"message":"Service Unavailable","data":null}`),
		Entry(nil, fault.EmptyContent, 200, `{"code":0,"data":{"chunks":[],"doc_aggs":[],"total":0}}`),
	)

	It("takes the latency of its component, ten times as long under the fault slow; it hangs under timeout and disconnects under reset",
		func() {
			duration := func(kind fault.Kind) (time.Duration, error) {
				GinkgoHelper()
				s, _ := retrievalServer(1, func(c *mocks.Config, _ *fakeCorpus) {
					l, err := latency.Parse("constant:300ms")
					Expect(err).NotTo(HaveOccurred())
					c.Latency = map[string]latency.Latency{"library": l}
					if kind != "" {
						c.Faults = []fault.Fault{{Component: "library", Kind: kind}}
					}
				})
				var d time.Duration
				var err error
				simulate(s, func(ctx context.Context, c *http.Client) {
					begin := clock.Now(ctx)
					ctx, cancel := clock.WithTimeout(ctx, 20*time.Second)
					defer cancel()
					r, _ := http.NewRequestWithContext(ctx, "POST", "http://x"+retrievalPath,
						strings.NewReader(`{"question":"q","dataset_ids":["k1"]}`))
					r.Header.Set("Authorization", "Bearer k")
					resp, failed := c.Do(r)
					if err = failed; err == nil {
						_, err = io.Copy(io.Discard, resp.Body)
					}
					d = clock.Since(ctx, begin)
				})
				return d, err
			}
			for kind, want := range map[fault.Kind]time.Duration{"": 300 * time.Millisecond,
				fault.Slow: 3 * time.Second} {
				d, err := duration(kind)
				Expect(err).NotTo(HaveOccurred())
				Expect(d).To(Equal(want), string(kind))
			}
			d, err := duration(fault.Timeout)
			Expect(err).To(MatchError(context.DeadlineExceeded))
			Expect(d).To(Equal(20 * time.Second))
			d, err = duration(fault.Reset)
			Expect(err).To(HaveOccurred())
			Expect(d).To(BeZero())
		})
})

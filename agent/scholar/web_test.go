package scholar_test

import (
	"net/http"
	"net/http/httputil"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/scholar"
	"evalctl/agent/system"
)

// requestRecorder is an HTTP client that records requests.
type requestRecorder struct {
	next interface {
		Do(*http.Request) (*http.Response, error)
	}
	sent strings.Builder
}

func (w *requestRecorder) Do(r *http.Request) (*http.Response, error) {
	dump, err := httputil.DumpRequest(r, true)
	if err != nil {
		return nil, err
	}
	w.sent.Write(dump)
	return w.next.Do(r)
}

var _ = Describe("The operator's search engine", func() {
	const operators = "tvly-operators-key"

	DescribeTable("15.11: is the only search engine that a request can use", func(options string, goes, own bool) {
		s, tap := newStage(simple), &requestRecorder{}
		s.set = func(cfg *scholar.Config) {
			link := cfg.EndpointOf
			cfg.EndpointOf = func(part string) system.Endpoint {
				l := link(part)
				if part == "search" {
					tap.next = l.HTTP
					l.Provider, l.APIKey, l.HTTP = "tavily", operators, tap
				}
				return l
			}
		}
		reply := s.runTurns(with(on("最近有什么新闻"), options))[0]
		Expect(strings.Contains(tap.sent.String(), operators)).To(Equal(goes))
		Expect(strings.Contains(tap.sent.String(), "sk-own-key-123")).To(Equal(own))
		if goes || own {
			Expect(reply.ErrorReply).To(BeNil())
			return
		}
		Expect(tap.sent.String()).To(BeEmpty())
		Expect(reply.ErrorReply).To(HaveField("Code", "BAD_OPTIONS"))
		Expect(reply.ErrorReply.Message).To(ContainSubstring("search_engine 只能是已配置的 tavily，不能是 bocha"))
	},
		Entry("a request without a search engine", `{"web_search":true}`, true, false),
		Entry("a request that names the operator's engine", `{"web_search":true,"search_engine":"tavily"}`,
			true, false),
		Entry("a request that names the operator's engine and has its own key",
			`{"web_search":true,"search_engine":"tavily","search_engine_api_key":"sk-own-key-123"}`, false, true),
		Entry("a request that names another engine", `{"web_search":true,"search_engine":"bocha"}`, false, false),
		Entry("a request that names another engine and has its own key",
			`{"web_search":true,"search_engine":"bocha","search_engine_api_key":"sk-own-key-123"}`, false, false),
	)
})

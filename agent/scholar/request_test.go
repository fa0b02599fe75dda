package scholar_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/recall"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
)

var _ = Describe("A request to the scholar", func() {
	DescribeTable("gets an error reply without a model call if it is invalid",
		func(t func() agent.Turn, code, message string) {
			s := newStage(summary)
			reply := s.runTurns(t())[0]
			Expect(reply.ErrorReply).NotTo(BeNil())
			Expect(reply.ErrorReply.Code).To(Equal(code))
			Expect(reply.Content).To(ContainSubstring(message))
			Expect(reply.AnsweredBy).To(Equal("failed"))
			Expect(s.requests).To(BeEmpty())
			Expect(s.stream()).To(Equal("error:request_init "))
		},
		Entry("a blank message", func() agent.Turn { return on(" \n") }, "EMPTY_INPUT", "没有收到内容"),
		Entry("a message of more than 64 KiB", func() agent.Turn { return on(strings.Repeat("a", 65537)) },
			"TEXT_TOO_LONG",
			"has 65537 bytes, more than 65536"),
		Entry("an unknown document", func() agent.Turn { return on("总结", "zh-99") }, "UNKNOWN_DOCUMENT",
			"没有编号为“zh-99”的文献"),
		Entry("the same document twice", func() agent.Turn { return on("总结", small, small) }, "BAD_DOCUMENTS",
			"there twice"),
		Entry("a string instead of the list of documents", func() agent.Turn {
			return agent.Turn{Text: "总结", State: map[string]json.RawMessage{"documents": json.RawMessage(`"zh-01"`)}}
		}, "BAD_DOCUMENTS", "is not a list"),
		Entry("an attached document with the ID of a paper", func() agent.Turn {
			return agent.Turn{Text: "总结", Documents: []agent.Document{{Name: "zh-01", Content: "x"}}}
		}, "BAD_DOCUMENTS", "重名"),
		Entry("31.7: two attached documents with the same name", func() agent.Turn {
			return agent.Turn{Text: "sum up", Documents: []agent.Document{{Name: "a", Content: "x"},
				{Name: "a", Content: "y"}}}
		}, "BAD_DOCUMENTS", `Two documents have the name "a". Please send one of them under another name.`),
		Entry("31.7: two attached documents with the same name", func() agent.Turn {
			return agent.Turn{Text: "总结", Documents: []agent.Document{{Name: "a", Content: "x"},
				{Name: "a", Content: "y"}}}
		}, "BAD_DOCUMENTS", "请把其中一篇换个名字再发"),
		Entry("an attached document with an invalid name", func() agent.Turn {
			return agent.Turn{Text: "sum up", Documents: []agent.Document{{Name: "a#1", Content: "x"}}}
		}, "BAD_DOCUMENTS", "is not a name of a document"),
		Entry("attached documents that are too large", func() agent.Turn {
			return agent.Turn{Text: "sum up",
				Documents: []agent.Document{{Name: "a", Content: strings.Repeat("a", 16<<20+1)}}}
		}, "DOCUMENTS_TOO_LARGE", "more than 16 MB"),
		Entry("attached documents with too many sections", func() agent.Turn {
			return agent.Turn{Text: "sum up",
				Documents: []agent.Document{{Name: "a", Content: strings.Repeat("\n## a\n", 100_001)}}}
		}, "DOCUMENTS_TOO_LARGE", "more than 100000 sections"),
		Entry("a context window that is too small for the attached document", func() agent.Turn {
			return with(on("sum it up", small), `{"max_context_tokens":580}`)
		}, "NO_ROOM", "a context of 580 − session 0 − question "),
		Entry("L10: an option that is out of range",
			func() agent.Turn { return with(on("总结", small), `{"recall_top_n":101}`) },
			"BAD_OPTIONS", "recall_top_n: 101 is not a whole number from 1 to 100"),
		Entry("L10: a base URL that the operator has not allowed", func() agent.Turn {
			return with(on("总结", small),
				`{"openai_api_base":"http://169.254.169.254/v1","openai_api_key":"sk-abcdefgh"}`)
		}, "BAD_OPTIONS", "openai_api_base 不在允许的地址之列"),
	)

	DescribeTable("L10: can set parameters, which are validated", func(options, want string) {
		var all map[string]json.RawMessage
		Expect(json.Unmarshal([]byte(options), &all)).To(Succeed())
		_, err := scholar.ReadParams(all)
		for name, raw := range all {
			check := scholar.System().Contract.OptionChecks[name]
			if check != nil {
				Expect(check(raw) == nil).To(Equal(want == ""), name)
			}
		}
		if want == "" {
			Expect(err).NotTo(HaveOccurred())
		} else {
			Expect(err).To(MatchError(want))
		}
	},
		Entry(nil, `{"mode_type":"LITERATURE_QA","max_context_tokens":9000,"model_name":"m","search_engine":"bocha","recall_top_n":1,"recall_similarity_threshold":0,`+
			`"recall_vector_similarity_weight":1,"recall_use_rerank":false,"recall_index_names":["a"],"openai_api_key":"sk","openai_api_base":"https://a.example/v1"}`, ""),
		Entry(nil, `{"mode_type":"QA"}`,
			`mode_type: "QA" is not one of LITERATURE_SUMMARY, REVIEW_GENERATION, PAPER_REVIEW, LITERATURE_QA, SIMPLE_INTERACTION`),
		Entry(nil, `{"max_context_tokens":0}`, `max_context_tokens: 0 is not a whole number from 1 to 10000000`),
		Entry(nil, `{"max_context_tokens":1.5}`, `max_context_tokens: 1.5 is not a whole number from 1 to 10000000`),
		Entry(nil, `{"model_name":""}`, `model_name: "" is not a text of 1 to 200 characters`),
		Entry(nil, `{"openai_api_key":"sk 12"}`,
			`openai_api_key: is not a key: it has 1 to 1000 visible ASCII characters`),
		Entry(nil, `{"openai_api_base":"https://me:secret@a.example"}`,
			`openai_api_base: is not an http URL without a user, of at most 200 characters`),
		Entry(nil, `{"openai_api_base":"file:///etc/passwd"}`,
			`openai_api_base: is not an http URL without a user, of at most 200 characters`),
		Entry(nil, `{"search_engine":"google"}`, `search_engine: "google" is not one of tavily, bocha`),
		Entry(nil, `{"recall_similarity_threshold":1.1}`,
			`recall_similarity_threshold: 1.1 is not a number from 0 to 1`),
		Entry(nil, `{"recall_vector_similarity_weight":null}`,
			`recall_vector_similarity_weight: null is not a number from 0 to 1`),
		Entry(nil, `{"recall_use_rerank":"yes"}`, `recall_use_rerank: "yes" is neither true nor false`),
		Entry(nil, `{"recall_index_names":[]}`, `recall_index_names: [] is not a list of 1 to 50 names`),
		Entry(nil, `{"recall_index_names":[""]}`, `recall_index_names: "" is not a name`),
		Entry(nil, `{"show_thinking":1}`, `show_thinking: 1 is neither true nor false`),
	)

	It("L10: can select a model and an API key. No event contains the key, and the operator's key is not sent to a base URL of the request", func() {
		const key = "sk-the-users-own-key"
		var went []string
		s := newStage(summary)
		s.set = func(c *scholar.Config) {
			c.AllowedBaseURLs = []string{"https://allowed.example/v1"}
			link := c.EndpointOf
			c.EndpointOf = func(part string) system.Endpoint {
				l := link(part)
				l.APIKey = "the-operators-key"
				l.HTTP = spy{l.HTTP, &went}
				return l
			}
		}
		turn := with(on("讲了什么", small),
			`{"model_name":"their-model","openai_api_base":"https://allowed.example/v1/","openai_api_key":"`+key+`"}`)
		Expect(s.runTurns(turn)[0].ErrorReply).To(BeNil())
		Expect(went).To(HaveLen(2))
		for _, w := range went {
			Expect(w).To(Equal("allowed.example Bearer " + key))
		}
		Expect(s.requests["answer"][0].Model).To(HaveSuffix("their-model"))
		observed, err := json.Marshal(s.events)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(observed)).NotTo(ContainSubstring(key))

		turn = with(on("讲了什么", small), `{"openai_api_base":"https://allowed.example/v1"}`)
		Expect(s.runTurns(turn)[0].ErrorReply).To(HaveField("Code", "BAD_OPTIONS"))
		Expect(went).To(HaveLen(2))
	})

	DescribeTable("may contain unusual documents", func(content, intent, strategy, code string) {
		s := newStage(intent)
		reply := s.runTurns(agent.Turn{Text: "这里写了什么",
			Documents: []agent.Document{{Name: "a.txt", Content: content}}})[0]
		Expect(reply.Attributes["strategy"]).To(Equal(strategy))
		if code == "" {
			Expect(reply.ErrorReply).To(BeNil())
			return
		}
		Expect(reply.ErrorReply).To(HaveField("Code", code))
		Expect(reply.Content).To(Equal("文献里没有可以阅读的文字：a.txt"))
	},
		Entry("an empty document", "", qa, "", "EMPTY_DOCUMENT"),
		Entry("a document of control characters", "\x00\x01\x02\x7f", qa, "", "EMPTY_DOCUMENT"),
		Entry("a document of control characters and terminal colors", "\x00\x01\x07\x1b[31m\x1b[0m", qa,
			"", "EMPTY_DOCUMENT"),
		Entry("a document that sets the terminal's title", "\x1b]0;title\x07", qa, "", "EMPTY_DOCUMENT"),
		Entry("a document without letters and numbers", "————！！！", qa, "", "EMPTY_DOCUMENT"),
		Entry("an empty document whose content the message does not require", "", simple, "simple_interaction", ""),
		Entry("a document of many paragraphs", strings.Repeat("样本 72 个。\n\n", 200<<10/17), qa, "chunk_recall", ""),
		Entry("a document of a megabyte of the same letter", strings.Repeat("a", 1<<20), summary, "chunk_recall", ""),
	)

	It("X6: gets an error reply that names the node if a dependency panics", func() {
		s := newStage(qa)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) { panic("broken") }
		reply := s.runText("样本有多少", large)
		Expect(reply.ErrorReply).To(And(HaveField("Node", "execution"), HaveField("Cause", "panic")))
	})
})

// spy is an HTTP client that records hosts and API keys of requests.
type spy struct {
	next interface {
		Do(*http.Request) (*http.Response, error)
	}
	went *[]string
}

func (s spy) Do(r *http.Request) (*http.Response, error) {
	*s.went = append(*s.went, r.URL.Host+" "+r.Header.Get("Authorization"))
	return s.next.Do(r)
}

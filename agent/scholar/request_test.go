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

var _ = Describe("A request", func() {
	DescribeTable("is rejected with a message for the user and without a call",
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
		Entry("if empty", func() agent.Turn { return on(" \n") }, "EMPTY_INPUT", "没有收到内容"),
		Entry("if too long", func() agent.Turn { return on(strings.Repeat("a", 65537)) }, "TEXT_TOO_LONG",
			"has 65537 bytes, more than 65536"),
		Entry("for an unknown document", func() agent.Turn { return on("总结", "zh-99") }, "UNKNOWN_DOCUMENT",
			"没有编号为“zh-99”的文献"),
		Entry("for a duplicate document", func() agent.Turn { return on("总结", small, small) }, "BAD_DOCUMENTS",
			"there twice"),
		Entry("for documents that are not a list", func() agent.Turn {
			return agent.Turn{Text: "总结", State: map[string]json.RawMessage{"documents": json.RawMessage(`"zh-01"`)}}
		}, "BAD_DOCUMENTS", "is not a list"),
		Entry("for a name that is already used", func() agent.Turn {
			return agent.Turn{Text: "总结", Documents: []agent.Document{{Name: "zh-01", Content: "x"}}}
		}, "BAD_DOCUMENTS", "重名"),
		Entry("for an invalid name", func() agent.Turn {
			return agent.Turn{Text: "sum up", Documents: []agent.Document{{Name: "a#1", Content: "x"}}}
		}, "BAD_DOCUMENTS", "is not a name of a document"),
		Entry("for too much content", func() agent.Turn {
			return agent.Turn{Text: "sum up",
				Documents: []agent.Document{{Name: "a", Content: strings.Repeat("a", 16<<20+1)}}}
		}, "DOCUMENTS_TOO_LARGE", "more than 16 MB"),
		Entry("for more sections than an index allows", func() agent.Turn {
			return agent.Turn{Text: "sum up",
				Documents: []agent.Document{{Name: "a", Content: strings.Repeat("\n## a\n", 100_001)}}}
		}, "DOCUMENTS_TOO_LARGE", "more than 100000 sections"),
		Entry("for too little room for its document", func() agent.Turn {
			return with(on("sum it up", small), `{"max_context_tokens":580}`)
		}, "NO_ROOM", "a context of 580 − session 0 − question "),
		Entry("L10: for an invalid option", func() agent.Turn { return with(on("总结", small), `{"recall_top_n":101}`) },
			"BAD_OPTIONS", "recall_top_n: 101 is not a whole number from 1 to 100"),
		Entry("L10: for a base URL that is not allowed", func() agent.Turn {
			return with(on("总结", small),
				`{"openai_api_base":"http://169.254.169.254/v1","openai_api_key":"sk-abcdefgh"}`)
		}, "BAD_OPTIONS", "openai_api_base 不在允许的地址之列"),
	)

	DescribeTable("L10: has checked parameters", func(options, want string) {
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
			`mode_type: "QA" is none of LITERATURE_SUMMARY, REVIEW_GENERATION, PAPER_REVIEW, LITERATURE_QA, SIMPLE_INTERACTION`),
		Entry(nil, `{"max_context_tokens":0}`, `max_context_tokens: 0 is not a whole number from 1 to 10000000`),
		Entry(nil, `{"max_context_tokens":1.5}`, `max_context_tokens: 1.5 is not a whole number from 1 to 10000000`),
		Entry(nil, `{"model_name":""}`, `model_name: "" is not a text of 1 to 200 characters`),
		Entry(nil, `{"openai_api_key":"sk 12"}`,
			`openai_api_key: is not a key: it has 1 to 1000 visible ASCII characters`),
		Entry(nil, `{"openai_api_base":"https://me:secret@a.example"}`,
			`openai_api_base: is not an http URL without a user, of at most 200 characters`),
		Entry(nil, `{"openai_api_base":"file:///etc/passwd"}`,
			`openai_api_base: is not an http URL without a user, of at most 200 characters`),
		Entry(nil, `{"search_engine":"google"}`, `search_engine: "google" is none of tavily, bocha`),
		Entry(nil, `{"recall_similarity_threshold":1.1}`,
			`recall_similarity_threshold: 1.1 is not a number from 0 to 1`),
		Entry(nil, `{"recall_vector_similarity_weight":null}`,
			`recall_vector_similarity_weight: null is not a number from 0 to 1`),
		Entry(nil, `{"recall_use_rerank":"yes"}`, `recall_use_rerank: "yes" is neither true nor false`),
		Entry(nil, `{"recall_index_names":[]}`, `recall_index_names: [] is not a list of 1 to 50 names`),
		Entry(nil, `{"recall_index_names":[""]}`, `recall_index_names: "" is not a name`),
		Entry(nil, `{"show_thinking":1}`, `show_thinking: 1 is neither true nor false`),
	)

	It("L10: may contain a model and a key, which are never revealed; the operator's key is not sent to another address", func() {
		const key = "sk-the-users-own-key"
		var went []string
		s := newStage(summary)
		s.set = func(c *scholar.Config) {
			c.Bases = []string{"https://allowed.example/v1"}
			link := c.Link
			c.Link = func(part string) system.Endpoint {
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
		Entry("empty", "", qa, "", "EMPTY_DOCUMENT"),
		Entry("control characters", "\x00\x01\x02\x7f", qa, "", "EMPTY_DOCUMENT"),
		Entry("control characters and a terminal color", "\x00\x01\x07\x1b[31m\x1b[0m", qa, "", "EMPTY_DOCUMENT"),
		Entry("a terminal title", "\x1b]0;title\x07", qa, "", "EMPTY_DOCUMENT"),
		Entry("neither a letter nor a number", "————！！！", qa, "", "EMPTY_DOCUMENT"),
		Entry("empty and irrelevant to the message", "", simple, "simple_interaction", ""),
		Entry("many paragraphs", strings.Repeat("样本 72 个。\n\n", 200<<10/17), qa, "chunk_recall", ""),
		Entry("a megabyte of the same letter", strings.Repeat("a", 1<<20), summary, "chunk_recall", ""),
	)

	It("X6: reports a panic as an error of its node", func() {
		s := newStage(qa)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) { panic("broken") }
		reply := s.runText("样本有多少", large)
		Expect(reply.ErrorReply).To(And(HaveField("Node", "execution"), HaveField("Cause", "panic")))
	})
})

// spy records the addresses and keys of requests.
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

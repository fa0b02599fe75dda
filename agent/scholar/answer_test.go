package scholar_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/recall"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

var _ = Describe("Answers", func() {
	DescribeTable("L8: are made by the prompt of the intent and of what was gathered", func(intent, papers, begins string) {
		s := newStage(intent)
		s.say("请看看", strings.Fields(papers)...)
		Expect(s.asked["answer"]).To(HaveLen(1))
		Expect(s.asked["answer"][0].Messages[0].Text).To(HavePrefix(begins))
	},
		Entry(nil, summary, "zh-01", "你是学术文献助手。请根据下面的文献材料，回应用户的总结要求"),
		Entry(nil, summary, "zh-02", "你是学术文献助手。请根据下面的文献材料，回应用户的总结要求"),
		Entry(nil, summary, "zh-01 zh-03", "你是学术文献助手。下面是用户选中的各篇文献的压缩总结"),
		Entry(nil, review, "zh-01", "你是撰写文献综述的研究者。请根据下面的文献材料"),
		Entry(nil, review, "zh-01 zh-03", "你是撰写文献综述的研究者。下面是各篇文献的压缩总结"),
		Entry(nil, critique, "zh-01", "你是一位严谨、公正的审稿人"),
		Entry(nil, critique, "zh-01 zh-03", "你是一位严谨、公正的审稿人"),
		Entry(nil, qa, "zh-01", "你是学术文献助手。请只根据下面的文献材料回答用户的问题"),
		Entry(nil, qa, "zh-01 zh-03", "你是学术文献助手。请只根据下面的文献材料回答用户的问题"),
	)

	It("L8: are streamed, and what nodes and models think is told apart from them", func() {
		s := newStage(summary).saying("answer", "<think>先看结果，再说。</think>\n\n结论是甲。")
		reply := s.say("讲了什么", small)
		Expect(reply.Content).To(Equal("结论是甲。"))
		Expect(s.text(trace.KindChunk)).To(Equal("结论是甲。"))
		Expect(s.text(trace.KindThoughtChunk)).To(Equal("识别到的意图：LITERATURE_SUMMARY信息收集策略：full_content先看结果，再说。"))
		Expect(s.of(trace.KindThinkingStart)).To(HaveLen(3))
		Expect(s.of(trace.KindThinkingEnd)).To(HaveLen(3))
		Expect(s.stream()).To(Equal("node_complete:document_check " +
			"thinking_start:intent_recognition thinking_end:intent_recognition node_complete:intent_recognition " +
			"thinking_start:strategy_selection thinking_end:strategy_selection node_complete:strategy_selection " +
			"thinking_start:answer_generation thinking_end:answer_generation node_complete:answer_generation node_complete:session_save "))
	})

	It("L8: have nothing of thoughts where the user wants none", func() {
		s := newStage(summary).saying("answer", "<think>先看结果，再说。</think>结论是甲。")
		reply := s.play(with(on("讲了什么", small), `{"show_thinking":false}`))[0]
		Expect(reply.Content).To(Equal("结论是甲。"))
		for _, kind := range []trace.Kind{trace.KindThinkingStart, trace.KindThoughtChunk, trace.KindThinkingEnd} {
			Expect(s.of(kind)).To(BeEmpty())
		}
		for _, e := range s.events {
			Expect(e.Kind == trace.KindChunk && strings.Contains(e.Text, "先看")).To(BeFalse())
		}
	})

	DescribeTable("L8: are parted from thoughts wherever a stream is cut", func(whole, said, thought string) {
		runes := []rune(whole)
		for size := 1; size <= len(runes); size++ {
			var chunks []string
			for from := 0; from < len(runes); from += size {
				chunks = append(chunks, string(runes[from:min(from+size, len(runes))]))
			}
			gotSaid, gotThought := scholar.Heard(chunks...)
			Expect([]string{gotSaid, gotThought}).To(Equal([]string{said, thought}), "in pieces of %d", size)
		}
	},
		Entry("none", "a < b，<thin 不是", "a < b，<thin 不是", ""),
		Entry("one before", "<think>嗯</think>\n答", "答", "嗯"),
		Entry("one in the midst", "答<think>嗯</think>案", "答案", "嗯"),
		Entry("one that does not end", "答<think>嗯</thi", "答", "嗯</thi"),
		Entry("only one", "<think>嗯</think>", "", "嗯"),
	)

	DescribeTable("L9: that fail are apologised for", func(answer model.Answer, faults, reason string) {
		s := newStage(summary)
		s.says["answer"] = func(model.Request) model.Answer { return answer }
		s.faults = faults
		reply := s.say("讲了什么", small)
		Expect(reply.Failure).To(Equal(&agent.Failure{Code: "ANSWER_FAILED", Message: "抱歉，生成回答时出了问题，请稍后再试。", Node: "answer_generation", Reason: reason}))
		Expect(s.of(trace.KindNodeError)).To(Equal([]string{"answer_generation → " + reason}))
		Expect(decided(reply)).To(Equal("LITERATURE_SUMMARY by llm, served failed"))
		var told agent.Failure
		for _, e := range s.events {
			if e.Kind == trace.KindError {
				Expect(json.Unmarshal(e.Data, &told)).To(Succeed())
			}
		}
		Expect(told).To(Equal(reply.Failure.Public()))
		Expect(s.nodes()).NotTo(ContainElement("session_save"))
	},
		Entry("by nothing said", model.Answer{Content: " "}, "", "empty"),
		Entry("by nothing but thoughts", model.Answer{Content: "<think>嗯</think>"}, "", "empty"),
		Entry("by a call that fails", model.Answer{}, "answer:auth", "auth"),
		Entry("by a stream that breaks", model.Answer{Content: strings.Repeat("很长的回答。", 50)}, "answer:truncated_stream", "truncated"),
	)

	It("L8: tell of all thirteen kinds of events, by the names that clients know", func() {
		s := newStage(summary)
		s.says["summary"] = func(r model.Request) model.Answer {
			if strings.Contains(r.Text, "第 2 号") {
				return model.Answer{}
			}
			return model.Answer{Content: "摘要"}
		}
		seen := map[string]bool{}
		names := scholar.System().Events
		note := func() {
			for _, e := range s.events {
				name := string(e.Kind)
				if names[e.Kind] != "" {
					name = names[e.Kind]
				}
				seen[name] = true
			}
		}
		s.play(attached("总结一下", 3))
		note()
		s.faults = "router:timeout+answer:auth+chat:auth"
		s.say("总结一下", small)
		note()
		for _, kind := range []string{"thinking_start", "thinking_end", "thought_chunk", "answer_chunk", "final_answer", "node_complete", "node_error",
			"doc_summary_init", "doc_summary_start", "doc_summary_chunk", "doc_summary_complete", "doc_summary_error", "error"} {
			Expect(seen).To(HaveKey(kind))
		}
	})
})

var _ = Describe("Conversation", func() {
	It("L7: shows the windows of each stage: two turns to decide and to plan, three to answer, all to talk", func() {
		var turns []agent.Turn
		for i := range 5 {
			t := on(fmt.Sprintf("问 %d", i+1), large)
			t.Session = "s"
			turns = append(turns, t)
		}
		s := newStage(qa)
		s.saying("answer", "答")
		s.set = func(c *scholar.Config) { c.Context = 2800 }
		s.play(turns...)
		users := func(r model.Request) (n int) { return strings.Count(said(r), "问") - 1 }
		Expect(users(s.asked["router"][4])).To(Equal(2))
		Expect(users(s.asked["questions"][4])).To(Equal(2))
		Expect(users(s.asked["answer"][4])).To(Equal(3))
		Expect(s.queries[4].Question).To(Equal("问 5"))

		talk := newStage(simple)
		talk.saying("chat", "好")
		for i := range turns {
			turns[i].State = nil
		}
		talk.play(turns...)
		Expect(users(talk.asked["chat"][4])).To(Equal(4))
	})

	It("L7: is compressed when it grows, the summary stands before what follows, and nothing that was compressed is shown", func() {
		s := newStage(simple)
		s.saying("chat", strings.Repeat("回答说了很多内容。", 60)).saying("compression", "摘要：用户问过一到四。")
		var turns []agent.Turn
		for i := range 8 {
			turns = append(turns, agent.Turn{Text: fmt.Sprintf("问题 %d", i+1), Session: "s"})
		}
		a, at := s.open(), 0
		for i, t := range turns {
			s.playBy(a, t)
			if len(s.of(trace.KindCompression)) > 0 {
				at = i
				break
			}
		}
		Expect(at).To(BeNumerically(">", 2))
		told := said(s.asked["chat"][at])
		Expect(told).To(HavePrefix("摘要：用户问过一到四。"))
		Expect(told).NotTo(ContainSubstring("问题 1"))
		Expect(told).To(HaveSuffix(fmt.Sprintf("问题 %d", at+1)))
		for _, e := range s.events {
			if e.Kind == trace.KindCompression {
				var c trace.Compressed
				Expect(json.Unmarshal(e.Data, &c)).To(Succeed())
				Expect(c.After).To(BeNumerically("<", c.Before))
				Expect(c.Before).To(BeNumerically(">", 2400))
				Expect(c.Context).To(ContainSubstring("摘要：用户问过一到四。"))
			}
		}
	})

	It("L7: that cannot be compressed goes on as it was, as long as there is room", func() {
		s := newStage(simple)
		s.saying("chat", "好")
		s.faults = "compression:server_error"
		t := agent.Turn{Text: "还记得吗", Session: "s"}
		for i := range 6 {
			t.History = append(t.History, agent.Message{Role: "user", Content: fmt.Sprintf("问 %d", i)}, agent.Message{Role: "assistant", Content: strings.Repeat("说了很多。", 150)})
		}
		reply := s.play(t)[0]
		Expect(s.of(trace.KindNodeError)).To(ContainElement("compression → server"))
		Expect(reply.Failure == nil || reply.Failure.Code == "NO_ROOM").To(BeTrue())
	})

	It("has a turn that fails leave nothing behind", func() {
		s := newStage(simple)
		n := 0
		s.says["chat"] = func(model.Request) model.Answer {
			if n++; n == 1 {
				return model.Answer{}
			}
			return model.Answer{Content: "好"}
		}
		replies := s.play(agent.Turn{Text: "第一句", Session: "s"}, agent.Turn{Text: "第二句", Session: "s"})
		Expect(replies[0].Failure).To(HaveField("Code", "CHAT_FAILED"))
		Expect(said(s.asked["chat"][1])).To(Equal("第二句"))
	})

	It("L5: has what the web found, numbered with addresses, where the user wants that", func() {
		s := newStage(simple)
		reply := s.play(with(on("最近有什么关于大模型的新闻"), `{"web_search":true,"search_engine":"bocha","search_engine_api_key":"sk-own-key-123"}`))[0]
		told := s.asked["chat"][0].Messages[0].Text
		Expect(told).To(MatchRegexp(`\[1\] .+\nhttps?://`))
		Expect(told).To(ContainSubstring("[2] "))
		Expect(reply.Content).To(ContainSubstring("[1]"))
		Expect(s.spans("search")).To(Equal(1))
		for _, e := range s.events {
			if e.Kind == trace.KindSpan && e.Node == "search" {
				Expect(e.Span.Provider).To(Equal("bocha"))
			}
		}
	})

	DescribeTable("L5, L9: goes on without the web where that fails or has nothing", func(faults, reason string) {
		s := newStage(simple)
		s.faults = faults
		reply := s.play(with(on("最近有什么新闻"), `{"web_search":true}`))[0]
		Expect(reply.Failure).To(BeNil())
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"search search→simple_interaction " + reason}))
		Expect(s.asked["chat"][0].Messages[0].Text).NotTo(ContainSubstring("[1]"))
	},
		Entry(nil, "search:timeout", "timeout"), Entry(nil, "search:auth", "auth"), Entry(nil, "search:no_balance", "balance"), Entry(nil, "search:empty_content", "nothing_found"),
	)
})

var _ = Describe("A request", func() {
	DescribeTable("is refused, the user told why, and nobody is asked", func(t func() agent.Turn, code, message string) {
		s := newStage(summary)
		reply := s.play(t())[0]
		Expect(reply.Failure).NotTo(BeNil())
		Expect(reply.Failure.Code).To(Equal(code))
		Expect(reply.Content).To(ContainSubstring(message))
		Expect(reply.Served).To(Equal("failed"))
		Expect(s.asked).To(BeEmpty())
		Expect(s.stream()).To(Equal("error:request_init "))
	},
		Entry("empty", func() agent.Turn { return on(" \n") }, "EMPTY_INPUT", "没有收到内容"),
		Entry("too long", func() agent.Turn { return on(strings.Repeat("a", 65537)) }, "TEXT_TOO_LONG", "has 65537 bytes, more than 65536"),
		Entry("of an unknown document", func() agent.Turn { return on("总结", "zh-99") }, "UNKNOWN_DOCUMENT", "没有编号为“zh-99”的文献"),
		Entry("of one document twice", func() agent.Turn { return on("总结", small, small) }, "BAD_DOCUMENTS", "there twice"),
		Entry("of documents that are no list", func() agent.Turn {
			return agent.Turn{Text: "总结", State: map[string]json.RawMessage{"documents": json.RawMessage(`"zh-01"`)}}
		}, "BAD_DOCUMENTS", "is no list"),
		Entry("with a name that is taken", func() agent.Turn {
			return agent.Turn{Text: "总结", Documents: []agent.Document{{Name: "zh-01", Content: "x"}}}
		}, "BAD_DOCUMENTS", "重名"),
		Entry("with a name that cannot be", func() agent.Turn {
			return agent.Turn{Text: "sum up", Documents: []agent.Document{{Name: "a#1", Content: "x"}}}
		}, "BAD_DOCUMENTS", "is no name of a document"),
		Entry("with too much", func() agent.Turn {
			return agent.Turn{Text: "sum up", Documents: []agent.Document{{Name: "a", Content: strings.Repeat("a", 16<<20+1)}}}
		}, "DOCUMENTS_TOO_LARGE", "more than 16 MB"),
		Entry("L10: with an option that is wrong", func() agent.Turn { return with(on("总结", small), `{"recall_top_n":101}`) }, "BAD_OPTIONS", "recall_top_n: 101 is no whole number from 1 to 100"),
		Entry("L10: with an address that is not allowed", func() agent.Turn {
			return with(on("总结", small), `{"openai_api_base":"http://169.254.169.254/v1","openai_api_key":"sk-abcdefgh"}`)
		}, "BAD_OPTIONS", "openai_api_base 不在允许的地址之列"),
	)

	DescribeTable("L10: has parameters that are checked", func(options, want string) {
		var all map[string]json.RawMessage
		Expect(json.Unmarshal([]byte(options), &all)).To(Succeed())
		_, err := scholar.ReadParams(all)
		for name, raw := range all {
			check := scholar.System().Contract.Params[name]
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
		Entry(nil, `{"mode_type":"QA"}`, `mode_type: "QA" is none of LITERATURE_SUMMARY, REVIEW_GENERATION, PAPER_REVIEW, LITERATURE_QA, SIMPLE_INTERACTION`),
		Entry(nil, `{"max_context_tokens":0}`, `max_context_tokens: 0 is no whole number from 1 to 10000000`),
		Entry(nil, `{"max_context_tokens":1.5}`, `max_context_tokens: 1.5 is no whole number from 1 to 10000000`),
		Entry(nil, `{"model_name":""}`, `model_name: "" is no text of 1 to 200 characters`),
		Entry(nil, `{"openai_api_key":"sk 12"}`, `openai_api_key: is no key: it has 1 to 1000 visible ASCII characters`),
		Entry(nil, `{"openai_api_base":"https://me:secret@a.example"}`, `openai_api_base: is no http address without a user, of at most 200 characters`),
		Entry(nil, `{"openai_api_base":"file:///etc/passwd"}`, `openai_api_base: is no http address without a user, of at most 200 characters`),
		Entry(nil, `{"search_engine":"google"}`, `search_engine: "google" is none of tavily, bocha`),
		Entry(nil, `{"recall_similarity_threshold":1.1}`, `recall_similarity_threshold: 1.1 is no number from 0 to 1`),
		Entry(nil, `{"recall_vector_similarity_weight":null}`, `recall_vector_similarity_weight: null is no number from 0 to 1`),
		Entry(nil, `{"recall_use_rerank":"yes"}`, `recall_use_rerank: "yes" is neither true nor false`),
		Entry(nil, `{"recall_index_names":[]}`, `recall_index_names: [] is no list of 1 to 50 names`),
		Entry(nil, `{"recall_index_names":[""]}`, `recall_index_names: "" is no name`),
		Entry(nil, `{"show_thinking":1}`, `show_thinking: 1 is neither true nor false`),
	)

	It("L10: brings a model and a key of its own, which nothing tells; the operator's key goes to no other address", func() {
		const key = "sk-the-users-own-key"
		var went []string
		s := newStage(summary)
		s.set = func(c *scholar.Config) {
			c.Bases = []string{"https://allowed.example/v1"}
			link := c.Link
			c.Link = func(part string) system.Link {
				l := link(part)
				l.APIKey = "the-operators-key"
				l.HTTP = spy{l.HTTP, &went}
				return l
			}
		}
		turn := with(on("讲了什么", small), `{"model_name":"their-model","openai_api_base":"https://allowed.example/v1/","openai_api_key":"`+key+`"}`)
		Expect(s.play(turn)[0].Failure).To(BeNil())
		Expect(went).To(HaveLen(2))
		for _, w := range went {
			Expect(w).To(Equal("allowed.example Bearer " + key))
		}
		Expect(s.asked["answer"][0].Model).To(HaveSuffix("their-model"))
		told, err := json.Marshal(s.events)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(told)).NotTo(ContainSubstring(key))

		turn = with(on("讲了什么", small), `{"openai_api_base":"https://allowed.example/v1"}`)
		Expect(s.play(turn)[0].Failure).To(HaveField("Code", "BAD_OPTIONS"))
		Expect(went).To(HaveLen(2))
	})

	DescribeTable("brings documents that are odd", func(content, intent, strategy, code string) {
		s := newStage(intent)
		reply := s.play(agent.Turn{Text: "这里写了什么", Documents: []agent.Document{{Name: "a.txt", Content: content}}})[0]
		Expect(reply.Aspects["strategy"]).To(Equal(strategy))
		if code == "" {
			Expect(reply.Failure).To(BeNil())
			return
		}
		Expect(reply.Failure).To(HaveField("Code", code))
		Expect(reply.Content).To(Equal("文献里没有可以阅读的文字：a.txt"))
	},
		Entry("nothing", "", qa, "", "EMPTY_DOCUMENT"),
		Entry("control characters", "\x00\x01\x02\x7f", qa, "", "EMPTY_DOCUMENT"),
		Entry("nothing that is talked of", "", simple, "simple_interaction", ""),
		Entry("many paragraphs", strings.Repeat("样本 72 个。\n\n", 200<<10/17), qa, "chunk_recall", ""),
		Entry("5 MB of one letter", strings.Repeat("a", 5<<20), summary, "chunk_recall", ""),
	)

	It("X6: whose node panics is told of as that node's", func() {
		s := newStage(qa)
		s.recall = func(context.Context, recall.Query) ([]recall.Chunk, error) { panic("broken") }
		reply := s.say("样本有多少", large)
		Expect(reply.Failure).To(And(HaveField("Node", "execution"), HaveField("Reason", "panic")))
	})
})

// spy notes where requests go, and with which key.
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

var _ = Describe("Papers", func() {
	It("are read from a folder, what else lies there is passed over", func() {
		l, err := scholar.ReadLibrary(fstest.MapFS{"b.md": {Data: []byte("# 乙\n\n文")}, "a.txt": {Data: []byte("甲")}, "c.pdf": {Data: []byte("x")}, "d/e.md": {Data: []byte("x")}}, ".")
		Expect(err).NotTo(HaveOccurred())
		Expect(l.IDs()).To(Equal([]string{"a", "b"}))
	})

	DescribeTable("are refused, the file named", func(files map[string]string, want string) {
		fs := fstest.MapFS{}
		for name, text := range files {
			fs[name] = &fstest.MapFile{Data: []byte(text)}
		}
		_, err := scholar.ReadLibrary(fs, ".")
		Expect(err).To(MatchError(want))
	},
		Entry("none", map[string]string{"a.pdf": "x"}, "holds no paper: no .md or .txt file"),
		Entry("an empty one", map[string]string{"a.md": " \x00"}, "a.md: holds nothing that can be read"),
		Entry("two of a name", map[string]string{"a.md": "x", "a.txt": "y"}, `a.txt: the id "a" is taken by another file`),
		Entry("a bad name", map[string]string{"a#b.md": "x"}, `a#b.md: "a#b" is no name of a document: it has a control character, # or a comma, or a space at its ends`),
		Entry("too large", map[string]string{"a.md": strings.Repeat("a", 8<<20+1)}, "a.md: has more than 8 MB"),
	)

	It("that are shipped have passages as long as they may be, and ids that are plain", func() {
		_, err := shelf()
		Expect(err).NotTo(HaveOccurred())
	})

	It("X7: are replaced by a folder, and prompts by files; both change the version", func() {
		dir := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(dir, "own.md"), []byte("# 自己的\n\n样本 5 个。"), 0o600)).To(Succeed())
		prompt := filepath.Join(GinkgoT().TempDir(), "qa.md")
		Expect(os.WriteFile(prompt, []byte("只说：{{.Context}}"), 0o600)).To(Succeed())
		of := scholar.System()
		versions := map[string]bool{}
		for _, v := range []system.Values{{}, {"papers": dir}, {"qa-prompt": prompt}} {
			opened, err := of.Open(system.Options{Values: of.Resolve(v)})
			Expect(err).NotTo(HaveOccurred())
			versions[opened.Version] = true
		}
		Expect(versions).To(HaveLen(3))
		_, err := of.Open(system.Options{Values: of.Resolve(system.Values{"papers": prompt})})
		Expect(err).To(MatchError(HavePrefix("papers: ")))
	})
})

var _ = Describe("The scholar's declaration", func() {
	It("has a setting for every prompt, and refuses a file with another place", func() {
		of, n := scholar.System(), 0
		bad := filepath.Join(GinkgoT().TempDir(), "bad.md")
		Expect(os.WriteFile(bad, []byte("{{.Secret}}"), 0o600)).To(Succeed())
		for _, set := range of.Settings {
			if strings.HasSuffix(set.Name, "prompt") {
				n++
				Expect(set.Check(bad)).To(MatchError(ContainSubstring("Secret")))
			}
		}
		Expect(n).To(Equal(15)) // the seed's thirteen, that of compression and the grader's
	})

	DescribeTable("guesses what nobody has labelled", func(text, want string) { Expect(scholar.GuessIntent(text)).To(Equal(want)) },
		Entry(nil, "你好", simple), Entry(nil, "what can you do", simple), Entry(nil, "谢谢", simple),
		Entry(nil, "总结一下", summary), Entry(nil, "这篇论文讲了什么", summary), Entry(nil, "tl;dr", summary),
		Entry(nil, "写一篇文献综述", review), Entry(nil, "write a literature review", review),
		Entry(nil, "评审这篇论文", critique), Entry(nil, "有什么缺陷", critique), Entry(nil, "would you accept this paper", critique),
		Entry(nil, "使用了什么数据集", qa), Entry(nil, "what learning rate did they use", qa),
	)

	DescribeTable("has a grader that tells facts from what is not stated, and whose answer is checked", func(answer string, want []bool, fails string) {
		s := newStage(qa)
		if answer != "" {
			s.saying("grader", answer)
		}
		s.open()
		of := scholar.System()
		opened, err := of.Open(system.Options{Values: of.Resolve(nil)})
		Expect(err).NotTo(HaveOccurred())
		grade, err := opened.Grade(1, s.link)
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.Run(context.Background(), noon, func(ctx context.Context) error {
			got, err := grade(ctx, [][]string{{"91.3%", "91.3 %"}, {"ResNet"}}, "准确率 91.3%。")
			if fails != "" {
				Expect(err).To(MatchError(ContainSubstring(fails)))
				return nil
			}
			Expect(got).To(Equal(want))
			return err
		})).To(Succeed())
	},
		Entry("as it is", "", []bool{true, false}, ""),
		Entry("in words", `好的 {"stated":[false,true]}`, []bool{false, true}, ""),
		Entry("too few", `{"stated":[true]}`, nil, "has 1 verdicts of 2 facts"),
		Entry("none", `都对`, nil, "invalid_json"),
	)
})

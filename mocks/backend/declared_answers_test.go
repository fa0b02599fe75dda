package backend_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/backend"
)

var _ = Describe("A component whose system simulates its answers", func() {
	const brief, tone = `{"next":"write","n":1}`, `{"next":"end","n":2}`
	want := func(a answer) string { GinkgoHelper(); return string(a.receivedRequest().Expected) }

	It("receives the system prompt, the text, the expected outcome and the number of its call", func() {
		s := correctServer(turn("写一篇露营的笔记", brief))
		for _, part := range []string{"write", "review", "look", "talk"} {
			got := ask(s, part, nil, user("写一篇露营的笔记")).receivedRequest()
			Expect(got.System).To(Equal("Answer in JSON.\n"))
			Expect(got.Text).To(Equal("写一篇露营的笔记"))
			Expect(got.SampleText).To(MatchRegexp(`\p{Han}`))
			Expect(got.CallNumber).To(Equal(1))
			Expect(string(got.Expected)).To(MatchJSON(brief))
		}
		Expect(ask(s, "write", nil, user("写一篇露营的笔记")).receivedRequest().CallNumber).To(Equal(2))
	})

	It("gets a sample text in the language of the user's message, even if the prompt contains other text", func() {
		s := correctServer(turn("写一篇露营的笔记", brief))
		Expect(ask(s, "write", nil, user(`{"topic":"camping"}`)).receivedRequest().SampleText).
			To(MatchRegexp(`\p{Han}`))
	})

	It("gets a sample text about the last line of the message if the turn is unknown", func() {
		wired := server(desk(), backend.OverWire(desk(), nil), "")
		for _, s := range []*mocks.Server{correctServer(), wired} {
			Expect(ask(s, "write", nil, user("用户消息：\n在吗")).receivedRequest().SampleText).
				To(And(ContainSubstring("「在吗」"), Not(ContainSubstring("用户消息"))))
		}
	})

	It("gets the same seed in a repeated run, and different seeds for each epoch, component and call", func() {
		seeds := func(epoch int) (list []uint64) {
			t := trial(turn("写一篇露营的笔记", brief))
			t.Epoch = epoch
			s := server(desk(), backend.Answers(desk(), t, suite.Simulated{}), "")
			for _, part := range []string{"write", "write", "review"} {
				list = append(list, ask(s, part, nil, user("笔记：写一篇露营的笔记")).receivedRequest().Seed)
			}
			return list
		}
		Expect(seeds(1)).To(Equal(seeds(1)))
		all := map[uint64]bool{}
		for _, seed := range append(seeds(1), seeds(2)...) {
			all[seed] = true
		}
		Expect(all).To(HaveLen(6))
	})

	It("calls only offered tools, and receives the number of tool results since the last user message", func() {
		s := correctServer(turn("写一篇露营的笔记", brief))
		tools := map[string]any{"tools": []any{map[string]any{"type": "function",
			"function": map[string]any{"name": "look_up"}}}}
		got := ask(s, "write", tools, user("写一篇露营的笔记 JSON"))
		Expect(got.ToolCalls).To(HaveLen(1))
		Expect(got.ToolCalls[0].Function).To(And(HaveField("Name", "look_up"), HaveField("Arguments", `{"q":"tea"}`)))
		called := json.RawMessage(`[{"id":"a","type":"function","function":{"name":"look_up","arguments":"{}"}}]`)
		tools["messages"] = []any{user("写一篇露营的笔记 JSON"),
			map[string]any{"role": "assistant", "content": nil, "tool_calls": called},
			map[string]any{"role": "tool", "tool_call_id": "a", "content": "green"}}
		got = ask(s, "write", tools)
		Expect(got.ToolCalls).To(BeEmpty())
		Expect(got.receivedRequest().ToolResults).To(Equal(1))
		tools["messages"] = append(tools["messages"].([]any), message{Role: "assistant", Content: "green tea"},
			user("and now? JSON"))
		got = ask(s, "write", tools)
		Expect(got.ToolCalls).To(HaveLen(1), "what was found before the user spoke again is not of this question")
		Expect(got.receivedRequest().ToolResults).To(BeZero())
	})

	It("returns plausible text if its system defines no simulation, with or without tools", func() {
		s := correctServer(turn("写一篇露营的笔记", brief))
		Expect(ask(s, "plain", nil, user("写一篇露营的笔记")).Content).To(MatchRegexp(`^\{"reply":".*\p{Han}.*"\}$`))
		tools := map[string]any{"tools": []any{map[string]any{"type": "function",
			"function": map[string]any{"name": "look_up"}}}}
		Expect(ask(s, "plain", tools, user("写一篇露营的笔记 JSON")).Content).To(HavePrefix(`{"reply":`))
	})

	It("receives no expected outcome in a conversation without a case", func() {
		s := correctServer()
		for range 2 {
			got := ask(s, "write", nil, user("hello")).receivedRequest()
			Expect(got.CallNumber).To(Equal(1))
			Expect(got.Expected).To(BeNil())
		}
	})

	Describe("determines the turn of a request", func() {
		It("by the user's message in the request", func() {
			s := correctServer(turn("写一篇露营的笔记", brief), turn("给新手看", tone))
			Expect(want(ask(s, "write", nil, user("写一篇露营的笔记")))).To(MatchJSON(brief))
			Expect(want(ask(s, "write", nil, user("写一篇露营的笔记"), message{Role: "assistant", Content: "给谁看？"},
				user("给新手看")))).To(MatchJSON(tone))
		})

		It("as the last turn whose message is in a prompt that contains the whole conversation", func() {
			s := correctServer(turn("写一篇露营的笔记，要活泼一点", brief), turn("好", tone))
			history := `{"messages":[{"role":"user","content":"写一篇露营的笔记，要活泼一点"},{"role":"user","content":"好"}]}`
			Expect(want(ask(s, "write", nil,
				user(`{"messages":[{"role":"user","content":"写一篇露营的笔记，要活泼一点"}],"reply":"好的，写一篇好看的"}`)))).
				To(MatchJSON(brief))
			Expect(want(ask(s, "write", nil, user(history)))).To(MatchJSON(tone))
			Expect(want(ask(s, "write", nil, message{Role: "system", Content: "用户：写一篇露营的笔记，要活泼一点\n用户：好\n"},
				user("go on")))).To(MatchJSON(tone))
		})

		It("as the turn in progress if the prompt is built from earlier results", func() {
			s := correctServer(turn("写一篇露营的笔记", brief), turn("给新手看", tone))
			ask(s, "router", nil, user("写一篇露营的笔记"))
			Expect(want(ask(s, "write", nil, user(`{"topic":"露营"}`)))).To(MatchJSON(brief))
			ask(s, "router", nil, user("给新手看"))
			got := ask(s, "write", nil, user(`{"topic":"露营"}`)).receivedRequest()
			Expect(string(got.Expected)).To(MatchJSON(tone))
			Expect(got.CallNumber).To(Equal(1), "of this turn")
			Expect(want(ask(s, "review", nil, user(`写一篇露营的笔记 {"topic":"露营"}`)))).
				To(MatchJSON(tone), "turns are played in order")
		})

		It("as the turn that another component has begun, even if it made no decision", func() {
			s := correctServer(turn("写一篇露营的笔记", brief), turn("给新手看", tone))
			ask(s, "talk", nil, user("给新手看"))
			Expect(want(ask(s, "write", nil, user(`{"topic":"露营"}`)))).To(MatchJSON(tone))
		})

		It("by a message that the prompt contains as a JSON string", func() {
			s := correctServer(turn("a", brief), turn("say \"Q&A\"\nnow", tone))
			text, err := json.Marshal(map[string]string{"content": "say \"Q&A\"\nnow"})
			Expect(err).NotTo(HaveOccurred())
			Expect(want(ask(s, "write", nil, user(string(text))))).To(MatchJSON(tone))
		})

		It("by the history or the number of decisions if several turns have the same message", func() {
			s := correctServer(turn("再来", brief), turn("再来", tone))
			Expect(want(ask(s, "write", nil, user("再来")))).To(MatchJSON(brief))
			Expect(want(ask(s, "write", nil, user("再来")))).To(MatchJSON(brief))
			Expect(want(ask(s, "write", nil, user("再来"), message{Role: "assistant", Content: "x"}, user("再来")))).
				To(MatchJSON(tone))
			Expect(want(ask(s, "write", nil, user("再来")))).To(MatchJSON(tone), "nothing goes back")
		})

		It("by the number of occurrences in a prompt if several turns have the same message", func() {
			s := correctServer(turn("再来", brief), turn("别的", tone), turn("再来", `{"n":3}`))
			one, other := "用户：再来\n", "用户：别的\n"
			for _, said := range []struct{ prompt, want string }{{one, brief}, {one + other, tone}, {one + other, tone},
				{one + other + one, `{"n":3}`}} {
				Expect(want(ask(s, "write", nil, user("历史\n"+said.prompt+"请回答。")))).To(MatchJSON(said.want))
			}
			found, _ := backend.TurnsOf(
				eval.Case{Turns: []eval.LabeledTurn{turn("再来", brief), turn("别的", tone), turn("再来", brief)}}).Find(one +
				other)
			Expect(string(found.Expected)).To(MatchJSON(tone))
		})

		It("as the last turn of a burst of messages", func() {
			burst := []eval.LabeledTurn{{}, {}, turn("昨天聊了什么", tone)}
			burst[0].Text, burst[1].Text = "在吗在吗在吗在吗在吗在吗", "嗯"
			burst[1].Delay, burst[2].Delay = 1, 1
			s := backend.TurnsOf(eval.Case{Turns: burst})
			step, ok := s.Find("在吗在吗在吗在吗在吗在吗 嗯 昨天聊了什么")
			Expect(ok).To(BeTrue())
			Expect(string(step.Expected)).To(MatchJSON(tone))
			written := correctServer(burst...)
			Expect(want(ask(written, "write", nil, user("在吗在吗在吗在吗在吗在吗 嗯 昨天聊了什么")))).To(MatchJSON(tone))
		})
	})

	DescribeTable("returns damaged answers under faults, as a router does", func(part, kind, form string) {
		s := server(desk(), backend.Answers(desk(), trial(turn("写", brief)), suite.Simulated{}), part+":"+kind)
		content := ask(s, part, nil, user("写")).Content
		Expect(content).To(MatchRegexp(form))
		Expect(json.Valid([]byte(content))).To(Equal(kind == "wrong_schema"))
	},
		Entry(nil, "write", "malformed_json", `.`),
		Entry(nil, "write", "wrong_schema", `"System":"no_such_value"|^\{"Text"`),
		Entry(nil, "plain", "malformed_json", `.`),
		Entry(nil, "review", "wrong_schema", `"System":"no_such_value"|^\{"Text"`),
		Entry(nil, "look", "malformed_json", `.`),
		Entry(nil, "talk", "empty_content", `^$`),
		Entry(nil, "write", "truncated_stream", `^\{`),
	)

	It("answers requests of unknown clients of a server, for texts with and without a label", func() {
		of := desk()
		s := server(of, backend.OverWire(of, map[string]json.RawMessage{"写一篇露营的笔记": json.RawMessage(brief)}), "")
		Expect(want(ask(s, "write", nil, user("写一篇露营的笔记")))).To(MatchJSON(brief))
		Expect(want(ask(s, "review", nil, user("写一篇露营的笔记"), user("{}")))).To(MatchJSON(brief))
		got := ask(s, "write", nil, user("什么都不是")).receivedRequest()
		Expect(got.Expected).To(BeNil())
		Expect(got.CallNumber).To(Equal(1))
	})

	It("is selected on a server by the model name, or by a prompt that it recognizes", func() {
		s := server(desk(), backend.OverWire(desk(), map[string]json.RawMessage{"写一篇露营的笔记": json.RawMessage(brief)}),
			"")
		for _, by := range []map[string]any{{"model": "write/m"},
			{"messages": []message{{Role: "system", Content: "You write. JSON"}, user("写一篇露营的笔记")}}} {
			Expect(want(send(s, by, user("写一篇露营的笔记")))).To(MatchJSON(brief))
		}
		Expect(send(s, nil, user("写一篇露营的笔记")).decided()).To(Equal("write"), "other JSON is a decision")
	})

	It("rejects score_noise for a critic, because its system defines the scores", func() {
		Expect(backend.Simulate(desk(), "review", suite.Model{Simulated: suite.Simulated{Behavior: "labeled"}})).
			To(Succeed())
		Expect(backend.Simulate(desk(), "review", suite.Model{Simulated: suite.Simulated{ScoreNoise: 0.1}})).
			To(MatchError(HavePrefix("score_noise: ")))
	})
})

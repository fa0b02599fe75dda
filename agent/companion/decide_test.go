package companion_test

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// decision formats the decision of a reply in one line.
func decision(r agent.Reply) string {
	return strings.TrimSpace(fmt.Sprintf("%s by %s %v, served %s; %s %s", r.Predicted, r.DecidedBy, r.Confidence,
		r.AnsweredBy, r.Slots["date"], r.Slots["keywords"]))
}

var _ = Describe("The companion's intent", func() {
	It("C1: is requested with a low temperature, few tokens, JSON mode and no thinking", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		Expect(decision(s.runText("晚上吃什么好"))).To(Equal("NORMAL_CHAT by llm 0.9, served NORMAL_CHAT;"))
		Expect(s.requestsTo("router")).To(HaveLen(1))
		body := s.requestsTo("router")[0].body
		Expect(body.Model).To(Equal("doubao-router"))
		Expect(body.Temperature).To(BeNumerically("~", 0.1, 1e-6))
		Expect(body.MaxTokens).To(Equal(300))
		Expect(body.Thinking.Type).To(Equal("disabled"))
		Expect(body.ResponseFormat.Type).To(Equal("json_object"))
		Expect(body.Messages[1:]).To(Equal([]message{{"user", "晚上吃什么好"}}))
	})

	It("C2: is reported with the confidence, the reason and the raw answer of the model", func() {
		answer := "<think>嗯</think>```json\n" + routerReply(query, 0.85, `{"date":"yesterday","keywords":["火锅"]}`) +
			"\n```"
		s := newStage(answer)
		reply := s.runText("那顿火锅怎么样")
		Expect(decision(reply)).To(Equal("KNOWLEDGE_QUERY by llm 0.85, served KNOWLEDGE_QUERY; 2026-11-19 火锅"))
		Expect(s.eventLines(trace.KindRoute)).To(Equal([]string{"route KNOWLEDGE_QUERY (llm) 因为"}))
		for _, e := range s.events {
			if e.Kind == trace.KindRoute {
				Expect(e.RawAnswer()).To(Equal(answer))
			}
		}
		Expect(reply.ModelDecision).
			To(Equal(&agent.ModelDecision{Label: query, Confidence: new(0.85), DecisionIfRejected: chat}))
	})

	DescribeTable("C2: is accepted with a confidence of another type only if it is a number in 0..1",
		func(confidence, want string) {
			s := newStage(`{"intent":"KNOWLEDGE_QUERY","confidence":` + confidence +
				`,"query_params":{"date":"yesterday"}}`)
			Expect(decision(s.runText("那顿饭"))).To(HavePrefix(want))
		},
		Entry("for a number in quotes", `" 0.85 "`, "KNOWLEDGE_QUERY by llm 0.85"),
		Entry("not for a number above 1 in quotes", `"85"`, "NORMAL_CHAT by keywords"),
		Entry("not for NaN", `"NaN"`, "NORMAL_CHAT by keywords"),
		Entry("not for a word", `"high"`, "NORMAL_CHAT by keywords"),
		Entry("for a list with one number", `[0.9]`, "KNOWLEDGE_QUERY by llm 0.9"),
	)

	DescribeTable("C2: has a query from the model's answer, and from the user's message for parts that the answer lacks",
		func(params, text, want string, unused ...string) {
			s := newStage(routerReply(query, 0.9, params))
			s.settings["fast-path"] = "off"
			Expect(decision(s.runText(text))).To(Equal("KNOWLEDGE_QUERY by llm 0.9, served KNOWLEDGE_QUERY; " + want))
			Expect(s.eventLines(trace.KindIgnoredInput)).To(HaveExactElements(unused))
			kept := "kept"
			if regexp.MustCompile(`\((unreadable_date|wrong_schema)\)`).MatchString(strings.Join(unused, " ")) {
				kept = "wrong_schema"
			}
			Expect(s.eventLines(trace.KindFormCheck)[0]).To(Equal("intent " + kept))
		},
		Entry("for a complete query", `{"date":"2026-11-01","keywords":["猫","医院"],"date_range":null}`,
			"前天聊的", "2026-11-01 猫 医院"),
		Entry("for a date range, which has priority over a date",
			`{"date":"yesterday","keywords":["猫"],"date_range":{"from":"2026-11-01","to":"2026-11-03"}}`, "那几天",
			"2026-11-01..2026-11-03 猫"),
		Entry("for the current week, which ends after today",
			`{"keywords":[],"date_range":{"from":"2026-11-16","to":"2026-11-22"}}`, "这周的",
			"2026-11-16..2026-11-22"),
		Entry("for a future day", `{"date":"2027-03-05","keywords":[]}`, "那天", "2027-03-05"),
		Entry("for a date in the user's words", `{"date":"上周三","keywords":["猫"]}`, "那天", "2026-11-11 猫"),
		Entry("for a date in the form last_week", `{"date":"last_week","keywords":[]}`, "上周三说的猫",
			"2026-11-09..2026-11-15"),
		Entry("for an empty range", `{"date":"yesterday","keywords":["猫"],"date_range":{"from":"","to":null}}`,
			"猫呢", "2026-11-19 猫"),
		Entry("for an answer without a query", `null`, "前天说的火锅店", "2026-11-18 火锅店"),
		Entry("for an answer without a date", `{"keywords":["火锅"]}`, "前天说的", "2026-11-18 火锅"),
		Entry("for an answer without keywords", `{"date":"yesterday"}`, "那家火锅店", "2026-11-19 火锅店"),
		Entry("for keywords in one string", `{"date":"yesterday","keywords":"火锅、重庆"}`, "那家店", "2026-11-19 火锅 重庆"),
		Entry("for a date that cannot be parsed", `{"date":"someday","keywords":["猫"]}`, "前天说的猫", "2026-11-18 猫",
			`intent: date→2026-11-18 (unreadable_date) "someday"`),
		Entry("for a date that is a number instead of text", `{"date":20261101,"keywords":["猫"]}`,
			"前天说的猫", "2026-11-18 猫",
			`intent: date→2026-11-18 (wrong_schema) 20261101`),
		Entry("for an impossible date", `{"date":"2024-02-30","keywords":["猫"]}`, "那天的猫", " 猫",
			`intent: date→ (invalid_date) "2024-02-30"`),
		Entry("for a reversed range",
			`{"date":"yesterday","keywords":["猫"],"date_range":{"from":"2026-11-03","to":"2026-11-01"}}`,
			"猫呢", "2026-11-19 猫",
			`intent: date_range→ (reversed_range) {"from":"2026-11-03","to":"2026-11-01"}`),
		Entry("for a range that is too long", `{"date":"过去两年","keywords":["猫"]}`, "猫呢", "2025-10-17..2026-11-20 猫",
			`intent: date→ (too_long) "过去两年"`),
		Entry("for a range without from and to",
			`{"date":"yesterday","keywords":["猫"],"date_range":{"since":"2026-11-03"}}`,
			"猫呢", "2026-11-19 猫",
			`intent: date_range→ (wrong_schema) {"since":"2026-11-03"}`),
		Entry("for too many keywords", `{"date":"yesterday","keywords":["a","b","c","d","e","f","g","h","i"]}`, "猫呢",
			"2026-11-19 a b c d e f g h",
			`intent: keywords→a b c d e f g h (too_many) ["a","b","c","d","e","f","g","h","i"]`),
		Entry("for a keyword that is too long", `{"date":"yesterday","keywords":["猫","`+strings.Repeat("x", 41)+`"]}`,
			"猫呢", "2026-11-19 猫",
			`intent: keywords→猫 (too_many) ["猫","`+strings.Repeat("x", 41)+`"]`),
		Entry("for keywords in an object instead of a list", `{"date":"yesterday","keywords":{"a":1}}`,
			"前天那家火锅店", "2026-11-19 火锅店",
			`intent: keywords→火锅店 (wrong_schema) {"a":1}`),
		Entry("for a query that is text instead of an object", `"昨天"`, "前天的火锅店", "2026-11-18 火锅店",
			`intent: query_params→message (wrong_schema) "昨天"`),
	)

	It("C5: ignores an impossible date in the user's message and emits an event for it", func() {
		s := newStage(routerReply(query, 0.9, "null"))
		s.settings["fast-path"] = "off"
		reply := s.runText("2024-02-30我们聊了什么")
		Expect(reply.Slots["date"]).To(BeEmpty())
		Expect(s.eventLines(trace.KindIgnoredInput)).To(Equal([]string{"intent: message→ (invalid_date) 2024-02-30"}))
	})

	It("C2: has no query if it is normal conversation", func() {
		s := newStage(routerReply(chat, 0.9, `{"date":"yesterday","keywords":["猫"]}`))
		reply := s.runText("昨天好累啊")
		Expect(reply.Slots).To(BeNil())
		Expect(reply.Retrieved).To(BeNil())
	})

	DescribeTable("C3: is derived from the user's message if the model's answer is invalid",
		func(answer, text, want, reason string) {
			s := newStage(answer)
			s.settings["fast-path"] = "off"
			reply := s.runText(text)
			Expect(decision(reply)).To(Equal(want))
			Expect(reply.ModelDecision).To(BeNil())
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"intent: intent→keywords (" + reason + ")"}))
			Expect(s.eventLines(trace.KindFormCheck)[0]).To(Equal("intent " + reason))
		},
		Entry("if the message names a past date", "这是在问昨天", "昨天聊了啥",
			"KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY; 2026-11-19",
			"malformed_json"),
		Entry("if the message contains a keyword", "?", "之前那家火锅店",
			"KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店",
			"malformed_json"),
		Entry("if the message contains neither, regardless of the words in the answer", "昨天 之前 记得", "晚上吃什么",
			"NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("if the message contains 记得 in a request", "?", "记得提醒我吃药",
			"NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("if the answer has an unknown intent", routerReply("SMALL_TALK", 0.9, "null"), "之前那家火锅店",
			"KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店", "unknown_label"),
		Entry("if the answer has a confidence out of range", routerReply(chat, 1.2, "null"), "你好",
			"NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "wrong_schema"),
		Entry("if the answer has no confidence", `{"intent":"NORMAL_CHAT"}`, "你好",
			"NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;",
			"wrong_schema"),
		Entry("if the answer is empty", "", "昨天聊了啥",
			"KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY; 2026-11-19",
			"empty_content"),
		Entry("if the message names today", "?", "今天风大还跑不跑", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;",
			"malformed_json"),
		Entry("if the message names a weekday, which may be the next one", "?", "周四会下雪吗",
			"NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;",
			"malformed_json"),
		Entry("if the message names the current week", "?", "这周天气怎么样",
			"NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("if the message names a future day", "?", "明天吃什么", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;",
			"malformed_json"),
	)

	It("C3: is normal conversation after a failed call, whose reason is recorded", func() {
		for faults, reason := range map[string]string{"router:timeout": "timeout",
			"router:server_error": "server_error", "router:auth": "auth"} {
			s := newStage("")
			s.faults = faults
			s.settings["fast-path"] = "off"
			Expect(decision(s.runText("昨天聊了啥"))).To(Equal("NORMAL_CHAT by guard 0, served NORMAL_CHAT;"))
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"intent: intent→NORMAL_CHAT (" + reason + ")"}))
			Expect(s.eventLines(trace.KindRoute)[0]).To(HavePrefix("route NORMAL_CHAT (" + reason + ")"))
			Expect(s.eventLines(trace.KindFormCheck)).To(Equal([]string{"chat kept"}),
				"of a call that failed there is no form")
		}
	})

	DescribeTable("C4: depends on the confidence and its threshold",
		func(answer string, settings map[string]string, want string, fallbacks ...string) {
			s := newStage(answer)
			s.settings = settings
			settings["fast-path"] = "off"
			Expect(decision(s.runText("之前那家火锅店"))).To(Equal(want))
			Expect(s.eventLines(trace.KindFallback)).To(HaveExactElements(fallbacks))
		},
		Entry("and is accepted at the threshold", routerReply(query, 0.7, `{"keywords":["猫"]}`), map[string]string{},
			"KNOWLEDGE_QUERY by llm 0.7, served KNOWLEDGE_QUERY;  猫"),
		Entry("and is replaced by normal conversation below the threshold",
			routerReply(query, 0.69, `{"keywords":["猫"]}`), map[string]string{},
			"NORMAL_CHAT by guard 0.69, served NORMAL_CHAT;", "intent: KNOWLEDGE_QUERY→NORMAL_CHAT (low_confidence)"),
		Entry("and is accepted above a threshold from the settings", routerReply(query, 0.69, `{"keywords":["猫"]}`),
			map[string]string{"threshold": "0.6"}, "KNOWLEDGE_QUERY by llm 0.69, served KNOWLEDGE_QUERY;  猫"),
		Entry("and stays a query below the threshold if the settings prefer queries",
			routerReply(query, 0.3, `{"keywords":["猫"]}`),
			map[string]string{"low-confidence-action": "query"},
			"KNOWLEDGE_QUERY by llm 0.3, served KNOWLEDGE_QUERY;  猫"),
		Entry("and becomes a query from the message below the threshold if the settings prefer queries",
			routerReply(chat, 0.3, `null`),
			map[string]string{"low-confidence-action": "query"},
			"KNOWLEDGE_QUERY by guard 0.3, served KNOWLEDGE_QUERY;  火锅店",
			"intent: NORMAL_CHAT→KNOWLEDGE_QUERY (low_confidence)"),
		Entry("and stays normal conversation below the threshold", routerReply(chat, 0.3, `null`), map[string]string{},
			"NORMAL_CHAT by llm 0.3, served NORMAL_CHAT;"),
		Entry("and has a separate threshold if keywords decide", "?", map[string]string{"threshold": "1"},
			"KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店",
			"intent: intent→keywords (malformed_json)"),
		Entry("and is normal conversation if keywords are below their threshold", "?",
			map[string]string{"keyword-threshold": "0.61"},
			"NORMAL_CHAT by keywords 0.6, served NORMAL_CHAT;",
			"intent: intent→keywords (malformed_json)", "intent: KNOWLEDGE_QUERY→NORMAL_CHAT (low_confidence)"),
	)

	It("X12: is reported together with the intent that would result below the threshold", func() {
		for below, want := range map[string]string{"chat": chat, "query": query} {
			s := newStage(routerReply(query, 0.9, "null"))
			s.settings["low-confidence-action"] = below
			Expect(s.runText("那家店").ModelDecision.DecisionIfRejected).To(Equal(want))
		}
	})

	It("C7: is decided without a model call if a rule matches the message", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		Expect(decision(s.runText("昨天我们聊了什么"))).
			To(Equal("KNOWLEDGE_QUERY by rules 1, served KNOWLEDGE_QUERY; 2026-11-19"))
		Expect(s.requestsTo("router")).To(BeEmpty())
		s.settings["fast-path"] = "off"
		Expect(decision(s.runText("昨天我们聊了什么"))).To(Equal("NORMAL_CHAT by llm 0.9, served NORMAL_CHAT;"))
		Expect(s.requestsTo("router")).To(HaveLen(1))
	})

	It("C7: is cached for an hour for the same message if the model decided it", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"yesterday","keywords":["猫"]}`))
		a := s.open()
		ask := func(start time.Time, text string) string {
			return decision(s.runTurnsAt(start, a, agent.Turn{Text: text}))
		}
		want := "KNOWLEDGE_QUERY by llm 0.9, served KNOWLEDGE_QUERY; 2026-11-19 猫"
		Expect(ask(noon, "猫呢")).To(Equal(want))
		Expect(ask(noon.Add(30*time.Minute), "猫呢")).To(Equal(want))
		Expect(s.eventLines(trace.KindCacheHit)).To(Equal([]string{"cache_hit intent (same_request) "}))
		Expect(s.requestsTo("router")).To(HaveLen(1))
		ask(noon, "狗呢")
		Expect(s.requestsTo("router")).To(HaveLen(2))
		ask(noon.Add(2*time.Hour), "猫呢")
		Expect(s.requestsTo("router")).To(HaveLen(3))
	})

	It("C7: is cached with a date in the model's words, so that \"yesterday\" means another day after midnight",
		func() {
			s := newStage(routerReply(query, 0.9, `{"date":"yesterday","keywords":["猫"]}`))
			a := s.open()
			midnight := noon.Add(12 * time.Hour)
			Expect(s.runTurnsAt(midnight.Add(-10*time.Minute), a, agent.Turn{Text: "猫呢"}).Slots["date"]).
				To(Equal("2026-11-19"))
			Expect(s.runTurnsAt(midnight.Add(10*time.Minute), a, agent.Turn{Text: "猫呢"}).Slots["date"]).
				To(Equal("2026-11-20"))
			Expect(s.requestsTo("router")).To(HaveLen(1))
		})

	It("C7: is not cached if the model's answer was invalid or the call failed", func() {
		for _, c := range []struct{ answer, faults string }{{"?", ""}, {"", "router:server_error"}} {
			s := newStage(c.answer)
			s.faults = c.faults
			a := s.open()
			s.runTurnsAt(noon, a, agent.Turn{Text: "那家店"}, agent.Turn{Text: "那家店"})
			Expect(s.eventLines(trace.KindCacheHit)).To(BeEmpty())
		}
	})

	It("is requested with the configured number of earlier turns", func() {
		history := []agent.Message{{Role: "user", Content: "一"}, {Role: "assistant", Content: "二"},
			{Role: "user", Content: "三"}, {Role: "assistant", Content: "四"},
			{Role: "user", Content: "五"}, {Role: "assistant", Content: "六"}}
		for n, want := range map[string]int{"0": 0, "1": 2, "2": 4, "": 4} {
			s := newStage(routerReply(chat, 0.9, "null"))
			if n != "" {
				s.settings["history"] = n
			}
			s.runTurns(agent.Turn{Text: "那前天呢", History: history})
			Expect(s.requestsTo("router")[0].body.Messages).To(HaveLen(2+want), n)
		}
	})

	It("is the only result, without a call of the chat model, if only decisions are requested", func() {
		s := newStage("")
		s.settings["scope"] = "decision"
		Expect(decision(s.runText("昨天我们聊了什么"))).To(Equal("KNOWLEDGE_QUERY by rules 1, served ; 2026-11-19"))
		Expect(s.requests).To(BeEmpty())
		Expect(s.eventLines(trace.KindSpan)).To(BeEmpty())
	})
})

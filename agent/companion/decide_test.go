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

// decision formats a decision with its source.
func decision(r agent.Reply) string {
	return strings.TrimSpace(fmt.Sprintf("%s by %s %v, served %s; %s %s", r.Predicted, r.DecidedBy, r.Confidence,
		r.AnsweredBy, r.Slots["date"], r.Slots["keywords"]))
}

var _ = Describe("The companion's intent", func() {
	It("C1: is requested from a light model with low temperature, few tokens, JSON mode and no thinking", func() {
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

	It("C2: includes confidence, reason and the raw answer", func() {
		answer := "<think>嗯</think>```json\n" + routerReply(query, 0.85, `{"date":"yesterday","keywords":["火锅"]}`) +
			"\n```"
		s := newStage(answer)
		reply := s.runText("那顿火锅怎么样")
		Expect(decision(reply)).To(Equal("KNOWLEDGE_QUERY by llm 0.85, served KNOWLEDGE_QUERY; 2026-11-19 火锅"))
		Expect(s.eventLines(trace.KindRoute)).To(Equal([]string{"route KNOWLEDGE_QUERY (llm) 因为"}))
		for _, e := range s.events {
			if e.Kind == trace.KindRoute {
				Expect(e.Answer()).To(Equal(answer))
			}
		}
		Expect(reply.ModelDecision).
			To(Equal(&agent.ModelDecision{Label: query, Confidence: new(0.85), DecisionIfRejected: chat}))
	})

	DescribeTable("C2: accepts a confidence in quotes", func(confidence, want string) {
		s := newStage(`{"intent":"KNOWLEDGE_QUERY","confidence":` + confidence +
			`,"query_params":{"date":"yesterday"}}`)
		Expect(decision(s.runText("那顿饭"))).To(HavePrefix(want))
	},
		Entry("a number", `" 0.85 "`, "KNOWLEDGE_QUERY by llm 0.85"),
		Entry("one out of range", `"85"`, "NORMAL_CHAT by keywords"),
		Entry("NaN", `"NaN"`, "NORMAL_CHAT by keywords"),
		Entry("a word", `"high"`, "NORMAL_CHAT by keywords"),
		Entry("a list of one", `[0.9]`, "KNOWLEDGE_QUERY by llm 0.9"),
	)

	DescribeTable("C2: takes the query from the answer, and missing parts from the message",
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
		Entry("a complete query", `{"date":"2026-11-01","keywords":["猫","医院"],"date_range":null}`,
			"前天聊的", "2026-11-01 猫 医院"),
		Entry("a range, which takes precedence over a date",
			`{"date":"yesterday","keywords":["猫"],"date_range":{"from":"2026-11-01","to":"2026-11-03"}}`, "那几天",
			"2026-11-01..2026-11-03 猫"),
		Entry("the current week", `{"keywords":[],"date_range":{"from":"2026-11-16","to":"2026-11-22"}}`, "这周的",
			"2026-11-16..2026-11-22"),
		Entry("a future day", `{"date":"2027-03-05","keywords":[]}`, "那天", "2027-03-05"),
		Entry("the user's own words", `{"date":"上周三","keywords":["猫"]}`, "那天", "2026-11-11 猫"),
		Entry("last week", `{"date":"last_week","keywords":[]}`, "上周三说的猫", "2026-11-09..2026-11-15"),
		Entry("an empty range", `{"date":"yesterday","keywords":["猫"],"date_range":{"from":"","to":null}}`,
			"猫呢", "2026-11-19 猫"),
		Entry("no query", `null`, "前天说的火锅店", "2026-11-18 火锅店"),
		Entry("no date", `{"keywords":["火锅"]}`, "前天说的", "2026-11-18 火锅"),
		Entry("no keywords", `{"date":"yesterday"}`, "那家火锅店", "2026-11-19 火锅店"),
		Entry("keywords in one string", `{"date":"yesterday","keywords":"火锅、重庆"}`, "那家店", "2026-11-19 火锅 重庆"),
		Entry("an invalid date", `{"date":"someday","keywords":["猫"]}`, "前天说的猫", "2026-11-18 猫",
			`intent: date→2026-11-18 (unreadable_date) "someday"`),
		Entry("a date of another type", `{"date":20261101,"keywords":["猫"]}`, "前天说的猫", "2026-11-18 猫",
			`intent: date→2026-11-18 (wrong_schema) 20261101`),
		Entry("an impossible date", `{"date":"2024-02-30","keywords":["猫"]}`, "那天的猫", " 猫",
			`intent: date→ (invalid_date) "2024-02-30"`),
		Entry("a reversed range",
			`{"date":"yesterday","keywords":["猫"],"date_range":{"from":"2026-11-03","to":"2026-11-01"}}`,
			"猫呢", "2026-11-19 猫",
			`intent: date_range→ (reversed_range) {"from":"2026-11-03","to":"2026-11-01"}`),
		Entry("a range that is too long", `{"date":"过去两年","keywords":["猫"]}`, "猫呢", "2025-10-17..2026-11-20 猫",
			`intent: date→ (too_long) "过去两年"`),
		Entry("a range without ends", `{"date":"yesterday","keywords":["猫"],"date_range":{"since":"2026-11-03"}}`,
			"猫呢", "2026-11-19 猫",
			`intent: date_range→ (wrong_schema) {"since":"2026-11-03"}`),
		Entry("too many keywords", `{"date":"yesterday","keywords":["a","b","c","d","e","f","g","h","i"]}`, "猫呢",
			"2026-11-19 a b c d e f g h",
			`intent: keywords→a b c d e f g h (too_many) ["a","b","c","d","e","f","g","h","i"]`),
		Entry("a keyword that is too long", `{"date":"yesterday","keywords":["猫","`+strings.Repeat("x", 41)+`"]}`,
			"猫呢", "2026-11-19 猫",
			`intent: keywords→猫 (too_many) ["猫","`+strings.Repeat("x", 41)+`"]`),
		Entry("invalid keywords", `{"date":"yesterday","keywords":{"a":1}}`, "前天那家火锅店", "2026-11-19 火锅店",
			`intent: keywords→火锅店 (wrong_schema) {"a":1}`),
		Entry("invalid parameters", `"昨天"`, "前天的火锅店", "2026-11-18 火锅店",
			`intent: query_params→message (wrong_schema) "昨天"`),
	)

	It("C5: rejects an impossible date in the message, and traces it", func() {
		s := newStage(routerReply(query, 0.9, "null"))
		s.settings["fast-path"] = "off"
		reply := s.runText("2024-02-30我们聊了什么")
		Expect(reply.Slots["date"]).To(BeEmpty())
		Expect(s.eventLines(trace.KindIgnoredInput)).To(Equal([]string{"intent: message→ (invalid_date) 2024-02-30"}))
	})

	It("C2: has no query for conversation", func() {
		s := newStage(routerReply(chat, 0.9, `{"date":"yesterday","keywords":["猫"]}`))
		reply := s.runText("昨天好累啊")
		Expect(reply.Slots).To(BeNil())
		Expect(reply.Retrieved).To(BeNil())
	})

	DescribeTable("C3: is derived from the user's message if the answer is invalid",
		func(answer, text, want, reason string) {
			s := newStage(answer)
			s.settings["fast-path"] = "off"
			reply := s.runText(text)
			Expect(decision(reply)).To(Equal(want))
			Expect(reply.ModelDecision).To(BeNil())
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"intent: intent→keywords (" + reason + ")"}))
			Expect(s.eventLines(trace.KindFormCheck)[0]).To(Equal("intent " + reason))
		},
		Entry("a date", "这是在问昨天", "昨天聊了啥", "KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY; 2026-11-19",
			"malformed_json"),
		Entry("a keyword", "?", "之前那家火锅店", "KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店",
			"malformed_json"),
		Entry("neither of them, for any answer of the model", "昨天 之前 记得", "晚上吃什么",
			"NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("记得 in a request", "?", "记得提醒我吃药", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("an unknown intent", routerReply("SMALL_TALK", 0.9, "null"), "之前那家火锅店",
			"KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店", "unknown_label"),
		Entry("a confidence out of range", routerReply(chat, 1.2, "null"), "你好",
			"NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "wrong_schema"),
		Entry("no confidence", `{"intent":"NORMAL_CHAT"}`, "你好", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;",
			"wrong_schema"),
		Entry("an empty answer", "", "昨天聊了啥", "KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY; 2026-11-19",
			"empty_content"),
		Entry("today", "?", "今天风大还跑不跑", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("a weekday, which may be the next one", "?", "周四会下雪吗", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;",
			"malformed_json"),
		Entry("the current week", "?", "这周天气怎么样", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("a future day", "?", "明天吃什么", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
	)

	It("C3: is conversation after a failed call, and records the reason", func() {
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

	DescribeTable("C4: is accepted from the threshold on",
		func(answer string, settings map[string]string, want string, fallbacks ...string) {
			s := newStage(answer)
			s.settings = settings
			settings["fast-path"] = "off"
			Expect(decision(s.runText("之前那家火锅店"))).To(Equal(want))
			Expect(s.eventLines(trace.KindFallback)).To(HaveExactElements(fallbacks))
		},
		Entry("at the threshold", routerReply(query, 0.7, `{"keywords":["猫"]}`), map[string]string{},
			"KNOWLEDGE_QUERY by llm 0.7, served KNOWLEDGE_QUERY;  猫"),
		Entry("below it: conversation", routerReply(query, 0.69, `{"keywords":["猫"]}`), map[string]string{},
			"NORMAL_CHAT by guard 0.69, served NORMAL_CHAT;", "intent: KNOWLEDGE_QUERY→NORMAL_CHAT (low_confidence)"),
		Entry("above another threshold", routerReply(query, 0.69, `{"keywords":["猫"]}`),
			map[string]string{"threshold": "0.6"}, "KNOWLEDGE_QUERY by llm 0.69, served KNOWLEDGE_QUERY;  猫"),
		Entry("below it: the query, with another action", routerReply(query, 0.3, `{"keywords":["猫"]}`),
			map[string]string{"low-confidence-action": "query"},
			"KNOWLEDGE_QUERY by llm 0.3, served KNOWLEDGE_QUERY;  猫"),
		Entry("below it: a query without parameters, with another action", routerReply(chat, 0.3, `null`),
			map[string]string{"low-confidence-action": "query"},
			"KNOWLEDGE_QUERY by guard 0.3, served KNOWLEDGE_QUERY;  火锅店",
			"intent: NORMAL_CHAT→KNOWLEDGE_QUERY (low_confidence)"),
		Entry("conversation below it", routerReply(chat, 0.3, `null`), map[string]string{},
			"NORMAL_CHAT by llm 0.3, served NORMAL_CHAT;"),
		Entry("keywords, with a separate threshold", "?", map[string]string{"threshold": "1"},
			"KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店",
			"intent: intent→keywords (malformed_json)"),
		Entry("keywords below their threshold", "?", map[string]string{"keyword-threshold": "0.61"},
			"NORMAL_CHAT by keywords 0.6, served NORMAL_CHAT;",
			"intent: intent→keywords (malformed_json)", "intent: KNOWLEDGE_QUERY→NORMAL_CHAT (low_confidence)"),
	)

	It("X12: reports the decision below the threshold", func() {
		for below, want := range map[string]string{"chat": chat, "query": query} {
			s := newStage(routerReply(query, 0.9, "null"))
			s.settings["low-confidence-action"] = below
			Expect(s.runText("那家店").ModelDecision.DecisionIfRejected).To(Equal(want))
		}
	})

	It("C7: is decided by a rule without a model if one matches", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		Expect(decision(s.runText("昨天我们聊了什么"))).
			To(Equal("KNOWLEDGE_QUERY by rules 1, served KNOWLEDGE_QUERY; 2026-11-19"))
		Expect(s.requestsTo("router")).To(BeEmpty())
		s.settings["fast-path"] = "off"
		Expect(decision(s.runText("昨天我们聊了什么"))).To(Equal("NORMAL_CHAT by llm 0.9, served NORMAL_CHAT;"))
		Expect(s.requestsTo("router")).To(HaveLen(1))
	})

	It("C7: is cached by text for an hour if a model decided", func() {
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

	It("C7: is not cached with its day: yesterday is another day tomorrow", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"yesterday","keywords":["猫"]}`))
		a := s.open()
		midnight := noon.Add(12 * time.Hour)
		Expect(s.runTurnsAt(midnight.Add(-10*time.Minute), a, agent.Turn{Text: "猫呢"}).Slots["date"]).
			To(Equal("2026-11-19"))
		Expect(s.runTurnsAt(midnight.Add(10*time.Minute), a, agent.Turn{Text: "猫呢"}).Slots["date"]).
			To(Equal("2026-11-20"))
		Expect(s.requestsTo("router")).To(HaveLen(1))
	})

	It("C7: is requested again after a fallback", func() {
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

	It("stops after the decision if only that is requested", func() {
		s := newStage("")
		s.settings["scope"] = "decision"
		Expect(decision(s.runText("昨天我们聊了什么"))).To(Equal("KNOWLEDGE_QUERY by rules 1, served ; 2026-11-19"))
		Expect(s.requests).To(BeEmpty())
		Expect(s.eventLines(trace.KindSpan)).To(BeEmpty())
	})
})

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

// decision tells who decided what.
func decision(r agent.Reply) string {
	return strings.TrimSpace(fmt.Sprintf("%s by %s %v, served %s; %s %s", r.Predicted, r.DecidedBy, r.Confidence, r.AnsweredBy, r.Slots["date"], r.Slots["keywords"]))
}

var _ = Describe("The companion's intent", func() {
	It("C1: is asked of a light model: cool, short, in JSON, without thinking", func() {
		s := newStage(says(chat, 0.9, "null"))
		Expect(decision(s.say("晚上吃什么好"))).To(Equal("NORMAL_CHAT by llm 0.9, served NORMAL_CHAT;"))
		Expect(s.to("router")).To(HaveLen(1))
		body := s.to("router")[0].body
		Expect(body.Model).To(Equal("doubao-router"))
		Expect(body.Temperature).To(BeNumerically("~", 0.1, 1e-6))
		Expect(body.MaxTokens).To(Equal(300))
		Expect(body.Thinking.Type).To(Equal("disabled"))
		Expect(body.ResponseFormat.Type).To(Equal("json_object"))
		Expect(body.Messages[1:]).To(Equal([]message{{"user", "晚上吃什么好"}}))
	})

	It("C2: keeps intent, confidence, reason and the raw answer", func() {
		answer := "<think>嗯</think>```json\n" + says(query, 0.85, `{"date":"yesterday","keywords":["火锅"]}`) + "\n```"
		s := newStage(answer)
		reply := s.say("那顿火锅怎么样")
		Expect(decision(reply)).To(Equal("KNOWLEDGE_QUERY by llm 0.85, served KNOWLEDGE_QUERY; 2026-11-19 火锅"))
		Expect(s.of(trace.KindRoute)).To(Equal([]string{"route KNOWLEDGE_QUERY (llm) 因为"}))
		for _, e := range s.events {
			if e.Kind == trace.KindRoute {
				Expect(e.Answer()).To(Equal(answer))
			}
		}
		Expect(reply.ModelDecision).To(Equal(&agent.ModelDecision{Label: query, Confidence: new(0.85), IfRejected: chat}))
	})

	DescribeTable("C2: reads a confidence in quotes", func(confidence, want string) {
		s := newStage(`{"intent":"KNOWLEDGE_QUERY","confidence":` + confidence + `,"query_params":{"date":"yesterday"}}`)
		Expect(decision(s.say("那顿饭"))).To(HavePrefix(want))
	},
		Entry("a number", `" 0.85 "`, "KNOWLEDGE_QUERY by llm 0.85"),
		Entry("one out of range", `"85"`, "NORMAL_CHAT by keywords"),
		Entry("none", `"NaN"`, "NORMAL_CHAT by keywords"),
		Entry("a word", `"high"`, "NORMAL_CHAT by keywords"),
		Entry("a list of one", `[0.9]`, "KNOWLEDGE_QUERY by llm 0.9"),
	)

	DescribeTable("C2: takes what is to be looked up from the answer, and what is missing there from the message",
		func(params, text, want string, unused ...string) {
			s := newStage(says(query, 0.9, params))
			s.settings["fast-path"] = "off"
			Expect(decision(s.say(text))).To(Equal("KNOWLEDGE_QUERY by llm 0.9, served KNOWLEDGE_QUERY; " + want))
			Expect(s.of(trace.KindIgnoredInput)).To(HaveExactElements(unused))
			kept := "kept"
			if regexp.MustCompile(`\((unreadable_date|wrong_schema)\)`).MatchString(strings.Join(unused, " ")) {
				kept = "wrong_schema"
			}
			Expect(s.of(trace.KindFormCheck)[0]).To(Equal("intent " + kept))
		},
		Entry("all of it", `{"date":"2026-11-01","keywords":["猫","医院"],"date_range":null}`, "前天聊的", "2026-11-01 猫 医院"),
		Entry("a range, which wins", `{"date":"yesterday","keywords":["猫"],"date_range":{"from":"2026-11-01","to":"2026-11-03"}}`, "那几天", "2026-11-01..2026-11-03 猫"),
		Entry("a week under way", `{"keywords":[],"date_range":{"from":"2026-11-16","to":"2026-11-22"}}`, "这周的", "2026-11-16..2026-11-22"),
		Entry("a day to come", `{"date":"2027-03-05","keywords":[]}`, "那天", "2027-03-05"),
		Entry("the user's own words", `{"date":"上周三","keywords":["猫"]}`, "那天", "2026-11-11 猫"),
		Entry("last week", `{"date":"last_week","keywords":[]}`, "上周三说的猫", "2026-11-09..2026-11-15"),
		Entry("an empty range", `{"date":"yesterday","keywords":["猫"],"date_range":{"from":"","to":null}}`, "猫呢", "2026-11-19 猫"),
		Entry("none at all", `null`, "前天说的火锅店", "2026-11-18 火锅店"),
		Entry("no date", `{"keywords":["火锅"]}`, "前天说的", "2026-11-18 火锅"),
		Entry("no keywords", `{"date":"yesterday"}`, "那家火锅店", "2026-11-19 火锅店"),
		Entry("keywords in one text", `{"date":"yesterday","keywords":"火锅、重庆"}`, "那家店", "2026-11-19 火锅 重庆"),
		Entry("a date that is none", `{"date":"someday","keywords":["猫"]}`, "前天说的猫", "2026-11-18 猫", `intent: date→2026-11-18 (unreadable_date) "someday"`),
		Entry("a date of another type", `{"date":20261101,"keywords":["猫"]}`, "前天说的猫", "2026-11-18 猫", `intent: date→2026-11-18 (wrong_schema) 20261101`),
		Entry("an impossible date", `{"date":"2024-02-30","keywords":["猫"]}`, "那天的猫", " 猫", `intent: date→ (invalid_date) "2024-02-30"`),
		Entry("a range that runs backwards", `{"date":"yesterday","keywords":["猫"],"date_range":{"from":"2026-11-03","to":"2026-11-01"}}`, "猫呢", "2026-11-19 猫",
			`intent: date_range→ (reversed_range) {"from":"2026-11-03","to":"2026-11-01"}`),
		Entry("a span that is too long", `{"date":"过去两年","keywords":["猫"]}`, "猫呢", "2025-10-17..2026-11-20 猫", `intent: date→ (too_long) "过去两年"`),
		Entry("a range without ends", `{"date":"yesterday","keywords":["猫"],"date_range":{"since":"2026-11-03"}}`, "猫呢", "2026-11-19 猫",
			`intent: date_range→ (wrong_schema) {"since":"2026-11-03"}`),
		Entry("more keywords than are taken", `{"date":"yesterday","keywords":["a","b","c","d","e","f","g","h","i"]}`, "猫呢", "2026-11-19 a b c d e f g h",
			`intent: keywords→a b c d e f g h (too_many) ["a","b","c","d","e","f","g","h","i"]`),
		Entry("a keyword that is longer than any", `{"date":"yesterday","keywords":["猫","`+strings.Repeat("x", 41)+`"]}`, "猫呢", "2026-11-19 猫",
			`intent: keywords→猫 (too_many) ["猫","`+strings.Repeat("x", 41)+`"]`),
		Entry("keywords that are none", `{"date":"yesterday","keywords":{"a":1}}`, "前天那家火锅店", "2026-11-19 火锅店", `intent: keywords→火锅店 (wrong_schema) {"a":1}`),
		Entry("parameters that are none", `"昨天"`, "前天的火锅店", "2026-11-18 火锅店", `intent: query_params→message (wrong_schema) "昨天"`),
	)

	It("C5: refuses a date of the message that there is not, and says so", func() {
		s := newStage(says(query, 0.9, "null"))
		s.settings["fast-path"] = "off"
		reply := s.say("2024-02-30我们聊了什么")
		Expect(reply.Slots["date"]).To(BeEmpty())
		Expect(s.of(trace.KindIgnoredInput)).To(Equal([]string{"intent: message→ (invalid_date) 2024-02-30"}))
	})

	It("C2: has no query with a conversation", func() {
		s := newStage(says(chat, 0.9, `{"date":"yesterday","keywords":["猫"]}`))
		reply := s.say("昨天好累啊")
		Expect(reply.Slots).To(BeNil())
		Expect(reply.Retrieved).To(BeNil())
	})

	DescribeTable("C3: is read from the user's own words where the answer cannot be read",
		func(answer, text, want, reason string) {
			s := newStage(answer)
			s.settings["fast-path"] = "off"
			reply := s.say(text)
			Expect(decision(reply)).To(Equal(want))
			Expect(reply.ModelDecision).To(BeNil())
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"intent: intent→keywords (" + reason + ")"}))
			Expect(s.of(trace.KindFormCheck)[0]).To(Equal("intent " + reason))
		},
		Entry("a date", "这是在问昨天", "昨天聊了啥", "KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY; 2026-11-19", "malformed_json"),
		Entry("a keyword", "?", "之前那家火锅店", "KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店", "malformed_json"),
		Entry("neither, whatever the model's words are", "昨天 之前 记得", "晚上吃什么", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("记得 of a request", "?", "记得提醒我吃药", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("an unknown intent", says("SMALL_TALK", 0.9, "null"), "之前那家火锅店", "KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店", "unknown_label"),
		Entry("a confidence out of range", says(chat, 1.2, "null"), "你好", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "wrong_schema"),
		Entry("no confidence", `{"intent":"NORMAL_CHAT"}`, "你好", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "wrong_schema"),
		Entry("nothing", "", "昨天聊了啥", "KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY; 2026-11-19", "empty_content"),
		Entry("today", "?", "今天风大还跑不跑", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("a weekday, which may be the next", "?", "周四会下雪吗", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("a week that is under way", "?", "这周天气怎么样", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
		Entry("a day to come", "?", "明天吃什么", "NORMAL_CHAT by keywords 0.5, served NORMAL_CHAT;", "malformed_json"),
	)

	It("C3: is conversation where the call fails, and keeps why", func() {
		for faults, reason := range map[string]string{"router:timeout": "timeout", "router:server_error": "server_error", "router:auth": "auth"} {
			s := newStage("")
			s.faults = faults
			s.settings["fast-path"] = "off"
			Expect(decision(s.say("昨天聊了啥"))).To(Equal("NORMAL_CHAT by guard 0, served NORMAL_CHAT;"))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"intent: intent→NORMAL_CHAT (" + reason + ")"}))
			Expect(s.of(trace.KindRoute)[0]).To(HavePrefix("route NORMAL_CHAT (" + reason + ")"))
			Expect(s.of(trace.KindFormCheck)).To(Equal([]string{"chat kept"}), "of a call that failed there is no form")
		}
	})

	DescribeTable("C4: is trusted from the threshold on",
		func(answer string, settings map[string]string, want string, fallbacks ...string) {
			s := newStage(answer)
			s.settings = settings
			settings["fast-path"] = "off"
			Expect(decision(s.say("之前那家火锅店"))).To(Equal(want))
			Expect(s.of(trace.KindFallback)).To(HaveExactElements(fallbacks))
		},
		Entry("as it is", says(query, 0.7, `{"keywords":["猫"]}`), map[string]string{}, "KNOWLEDGE_QUERY by llm 0.7, served KNOWLEDGE_QUERY;  猫"),
		Entry("below it: conversation", says(query, 0.69, `{"keywords":["猫"]}`), map[string]string{},
			"NORMAL_CHAT by guard 0.69, served NORMAL_CHAT;", "intent: KNOWLEDGE_QUERY→NORMAL_CHAT (low_confidence)"),
		Entry("another one", says(query, 0.69, `{"keywords":["猫"]}`), map[string]string{"threshold": "0.6"}, "KNOWLEDGE_QUERY by llm 0.69, served KNOWLEDGE_QUERY;  猫"),
		Entry("below it: a query anyway", says(query, 0.3, `{"keywords":["猫"]}`), map[string]string{"low-confidence-action": "query"}, "KNOWLEDGE_QUERY by llm 0.3, served KNOWLEDGE_QUERY;  猫"),
		Entry("below it: a query, for want of a better", says(chat, 0.3, `null`), map[string]string{"low-confidence-action": "query"},
			"KNOWLEDGE_QUERY by guard 0.3, served KNOWLEDGE_QUERY;  火锅店", "intent: NORMAL_CHAT→KNOWLEDGE_QUERY (low_confidence)"),
		Entry("conversation of which it is not sure", says(chat, 0.3, `null`), map[string]string{}, "NORMAL_CHAT by llm 0.3, served NORMAL_CHAT;"),
		Entry("keywords have a threshold of their own", "?", map[string]string{"threshold": "1"},
			"KNOWLEDGE_QUERY by keywords 0.6, served KNOWLEDGE_QUERY;  火锅店", "intent: intent→keywords (malformed_json)"),
		Entry("which can be higher", "?", map[string]string{"keyword-threshold": "0.61"}, "NORMAL_CHAT by keywords 0.6, served NORMAL_CHAT;",
			"intent: intent→keywords (malformed_json)", "intent: KNOWLEDGE_QUERY→NORMAL_CHAT (low_confidence)"),
	)

	It("X12: says what is decided below the threshold", func() {
		for below, want := range map[string]string{"chat": chat, "query": query} {
			s := newStage(says(query, 0.9, "null"))
			s.settings["low-confidence-action"] = below
			Expect(s.say("那家店").ModelDecision.IfRejected).To(Equal(want))
		}
	})

	It("C7: is plain without a model where the message is", func() {
		s := newStage(says(chat, 0.9, "null"))
		Expect(decision(s.say("昨天我们聊了什么"))).To(Equal("KNOWLEDGE_QUERY by rules 1, served KNOWLEDGE_QUERY; 2026-11-19"))
		Expect(s.to("router")).To(BeEmpty())
		s.settings["fast-path"] = "off"
		Expect(decision(s.say("昨天我们聊了什么"))).To(Equal("NORMAL_CHAT by llm 0.9, served NORMAL_CHAT;"))
		Expect(s.to("router")).To(HaveLen(1))
	})

	It("C7: is remembered by text, for an hour, where a model has decided", func() {
		s := newStage(says(query, 0.9, `{"date":"yesterday","keywords":["猫"]}`))
		a := s.open()
		ask := func(start time.Time, text string) string { return decision(s.playAt(start, a, agent.Turn{Text: text})) }
		want := "KNOWLEDGE_QUERY by llm 0.9, served KNOWLEDGE_QUERY; 2026-11-19 猫"
		Expect(ask(noon, "猫呢")).To(Equal(want))
		Expect(ask(noon.Add(30*time.Minute), "猫呢")).To(Equal(want))
		Expect(s.of(trace.KindCacheHit)).To(Equal([]string{"cache_hit intent (same_request) "}))
		Expect(s.to("router")).To(HaveLen(1))
		ask(noon, "狗呢")
		Expect(s.to("router")).To(HaveLen(2))
		ask(noon.Add(2*time.Hour), "猫呢")
		Expect(s.to("router")).To(HaveLen(3))
	})

	It("C7: is not kept with its day: yesterday is another one tomorrow", func() {
		s := newStage(says(query, 0.9, `{"date":"yesterday","keywords":["猫"]}`))
		a := s.open()
		midnight := noon.Add(12 * time.Hour)
		Expect(s.playAt(midnight.Add(-10*time.Minute), a, agent.Turn{Text: "猫呢"}).Slots["date"]).To(Equal("2026-11-19"))
		Expect(s.playAt(midnight.Add(10*time.Minute), a, agent.Turn{Text: "猫呢"}).Slots["date"]).To(Equal("2026-11-20"))
		Expect(s.to("router")).To(HaveLen(1))
	})

	It("C7: is asked again after a fallback", func() {
		for _, c := range []struct{ answer, faults string }{{"?", ""}, {"", "router:server_error"}} {
			s := newStage(c.answer)
			s.faults = c.faults
			a := s.open()
			s.playAt(noon, a, agent.Turn{Text: "那家店"}, agent.Turn{Text: "那家店"})
			Expect(s.of(trace.KindCacheHit)).To(BeEmpty())
		}
	})

	It("is asked with the turns before, as many as are set", func() {
		history := []agent.Message{{Role: "user", Content: "一"}, {Role: "assistant", Content: "二"}, {Role: "user", Content: "三"}, {Role: "assistant", Content: "四"},
			{Role: "user", Content: "五"}, {Role: "assistant", Content: "六"}}
		for n, want := range map[string]int{"0": 0, "1": 2, "2": 4, "": 4} {
			s := newStage(says(chat, 0.9, "null"))
			if n != "" {
				s.settings["history"] = n
			}
			s.play(agent.Turn{Text: "那前天呢", History: history})
			Expect(s.to("router")[0].body.Messages).To(HaveLen(2+want), n)
		}
	})

	It("stops at the decision where nothing else is wanted", func() {
		s := newStage("")
		s.settings["scope"] = "decision"
		Expect(decision(s.say("昨天我们聊了什么"))).To(Equal("KNOWLEDGE_QUERY by rules 1, served ; 2026-11-19"))
		Expect(s.asked).To(BeEmpty())
		Expect(s.of(trace.KindSpan)).To(BeEmpty())
	})
})

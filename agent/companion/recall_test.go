package companion_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"evalctl/agent"
	"evalctl/agent/trace"
)

var _ = Describe("The companion's search in the diary", func() {
	days := func() string {
		return diaryFile("2026-11-10 去了动物园看熊猫。", "2026-11-12 在重庆吃火锅，辣哭了。", "2026-11-13 又吃火锅，这回清汤。",
			"2026-11-15 猫生病，去宠物医院。", "2026-11-17 下雨，看电影。", "2026-11-18 加班到十点。", "2026-11-19 搬家。", "2026-11-21 明天的事。")
	}
	found := func(params string, settings ...string) []string {
		s := newStage(routerReply(query, 0.9, params))
		s.settings["memory-file"], s.settings["fast-path"] = days(), "off"
		for i := 0; i < len(settings); i += 2 {
			s.settings[settings[i]] = settings[i+1]
		}
		return ids(s.runText("嗯嗯"))
	}

	DescribeTable("C6: filters days by date and ranks them by keywords", func(params string, want ...string) {
		Expect(found(params)).To(HaveExactElements(want))
	},
		Entry("for one date", `{"date":"2026-11-12","keywords":[]}`, "2026-11-12"),
		Entry("for a range of days", `{"date":"last_week","keywords":[]}`, "2026-11-15", "2026-11-13",
			"2026-11-12", "2026-11-10"),
		Entry("for a range and a word: days with the word come first", `{"date":"last_week","keywords":["熊猫"]}`,
			"2026-11-10",
			"2026-11-15", "2026-11-13", "2026-11-12"),
		Entry("for a word of two characters", `{"date":null,"keywords":["搬家"]}`, "2026-11-19"),
		Entry("for a word that no day contains: nothing", `{"date":null,"keywords":["游泳"]}`),
		Entry("for a day and words that every day contains", `{"date":"2026-11-12","keywords":["发生","什么"]}`,
			"2026-11-12"),
		Entry("for a date without a summary: nothing", `{"date":"2026-11-11","keywords":["火锅"]}`),
		Entry("for neither a date nor a keyword: the five newest days", `{"date":null,"keywords":[]}`, "2026-11-19",
			"2026-11-18", "2026-11-17",
			"2026-11-15", "2026-11-13"),
	)

	DescribeTable("31.5: returns the days with a word of the message, and the newest days only if it has no such word",
		func(answer, text string, want ...string) {
			s := newStage(answer)
			s.settings["memory-file"] = days()
			Expect(ids(s.runText(text))).To(HaveExactElements(want))
		},
		Entry(nil, routerReply(query, 0.9, "null"), "remind me what we said last time", "2026-11-19", "2026-11-18",
			"2026-11-17", "2026-11-15", "2026-11-13"),
		Entry(nil, routerReply(query, 0.9, `{"date":null}`), "where did we leave off", "2026-11-19", "2026-11-18",
			"2026-11-17", "2026-11-15", "2026-11-13"),
		Entry("without other days", routerReply(query, 0.9, "null"), "之前看的熊猫", "2026-11-10"),
		Entry("none for a word that no day contains", routerReply(query, 0.9, "null"), "之前那个计划"),
		Entry("also if keywords decided the intent", "?", "之前那个计划"),
		Entry("and for the words that the model returned", routerReply(query, 0.9, `{"keywords":["游泳"]}`), "之前的熊猫"),
		Entry("except if the message names only impossible days", routerReply(query, 0.9, "null"),
			"2024-02-30说的搬家", "2026-11-19"),
	)

	It("C5: emits an event for an impossible date even in normal conversation", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.runText("2024-02-30是我生日")
		Expect(s.eventLines(trace.KindIgnoredInput)).To(Equal([]string{"intent: message→ (invalid_date) 2024-02-30"}))
	})

	It("C6: returns at most the configured number of days", func() {
		Expect(found(`{"keywords":[]}`, "max-days", "2")).To(Equal([]string{"2026-11-19", "2026-11-18"}))
	})

	DescribeTable("C6: returns nothing if only impossible or future days are named",
		func(params, text string, want types.GomegaMatcher) {
			s := newStage(routerReply(query, 0.9, params))
			s.settings["memory-file"] = days()
			reply := s.runText(text)
			Expect(ids(reply)).To(want)
			Expect(reply.AnsweredBy).To(Equal(query))
		},
		Entry("an impossible day in the message", "null", "2024-02-30我们聊了什么", BeEmpty()),
		Entry("a future day in the message", "null", "明天我们聊了什么", BeEmpty()),
		Entry("an impossible day in the model's answer", `{"date":"2024-02-30","keywords":[]}`, "那天呢", BeEmpty()),
		Entry("a future day in the model's answer", `{"date":"2027-03-05","keywords":[]}`, "那天呢", BeEmpty()),
		Entry("except if the model's answer has keywords", `{"date":"2024-02-30","keywords":["搬家"]}`, "那天呢",
			Equal([]string{"2026-11-19"})),
		Entry("except if the message names another day", `{"date":"2024-02-30","keywords":[]}`, "前天呢",
			Equal([]string{"2026-11-18"})),
	)

	It("uses the days of the turn's agent, and the user's time zone", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"yesterday"}`))
		Expect(s.runTurns(agent.Turn{Text: "嗯嗯", State: state("agent", "nobody")}).Retrieved).To(BeEmpty())
		late := time.Date(2026, 11, 19, 23, 30, 0, 0, time.UTC) // already the 20th in Shanghai
		date := func(settings map[string]string, more ...any) string {
			s := newStage(routerReply(query, 0.9, `{"date":"yesterday"}`))
			s.settings = settings
			return s.runTurnsAt(late, s.open(), agent.Turn{Text: "嗯嗯", State: state(more...)}).Slots["date"]
		}
		Expect(date(map[string]string{})).To(Equal("2026-11-18"))
		Expect(date(map[string]string{"time-zone": "Asia/Shanghai"})).To(Equal("2026-11-19"))
		Expect(date(map[string]string{"time-zone": "Asia/Shanghai"}, "time_zone", "America/New_York")).
			To(Equal("2026-11-18"))
		Expect(date(map[string]string{}, "time_zone", "Asia/Shanghai")).To(Equal("2026-11-19"))
	})

	It("ignores an invalid state of the turn and emits events for it", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.runTurns(agent.Turn{Text: "嗯嗯", State: state("agent", 5, "time_zone", "Nowhere/Land", "messages", "none")})
		Expect(s.eventLines(trace.KindIgnoredInput)).To(HaveLen(3))
	})

	It("C6: first summarizes matching earlier days that have no summary", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"day_before_yesterday","keywords":["火锅"]}`))
		s.settings["memory-file"], s.settings["fast-path"] = diaryFile("2026-11-17 下雨。"), "off"
		messages := []map[string]string{
			{"at": "2026-11-17T20:00:00+08:00", "role": "user", "content": "下雨了"},
			{"at": "2026-11-18T22:10:00+08:00", "role": "user", "content": "今天吃了火锅"},
			{"at": "2026-11-18T22:11:00+08:00", "role": "assistant", "content": "辣吗"},
			{"at": "2026-11-19T22:10:00+08:00", "role": "user", "content": "加班"},
			{"at": "2026-11-20T09:00:00+08:00", "role": "user", "content": "早"},
		}
		reply := s.runTurns(agent.Turn{Text: "嗯嗯", State: state("agent", "lin", "messages", messages)})
		Expect(ids(reply)).To(Equal([]string{"2026-11-18"}))
		Expect(s.requestsTo("summary")).To(HaveLen(1), "of the days that are asked for")
		asked := s.requestsTo("summary")[0].body
		Expect(asked.Messages[1].Content).To(Equal("2026-11-18\nuser: 今天吃了火锅\nassistant: 辣吗"))
		Expect(asked.ResponseFormat.Type).To(Equal("json_object"))
		Expect(s.last()[0].Content).To(HaveSuffix("[当前对话上下文]\nuser: 早\n\n[相关历史记忆]\n日期: 2026-11-18\n内容: 聊了火锅。\n话题: 火锅"))
		Expect(s.eventLines(trace.KindFormCheck)).To(Equal([]string{"intent kept", "summary kept", "chat kept"}))
	})

	It("C6: summarizes at most the five newest days and emits an event for each of the others", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"last_week","keywords":[]}`))
		s.settings["memory-file"] = diaryFile("2026-11-15 下雨。")
		var messages []map[string]string
		for day := 9; day <= 15; day++ {
			messages = append(messages,
				map[string]string{"at": fmt.Sprintf("2026-11-%02dT20:00:00+08:00", day), "role": "user",
					"content": "火锅"})
		}
		reply := s.runTurns(agent.Turn{Text: "嗯嗯", State: state("agent", "lin", "messages", messages)})
		Expect(ids(reply)).To(Equal([]string{"2026-11-15", "2026-11-14", "2026-11-13", "2026-11-12", "2026-11-11"}))
		Expect(s.requestsTo("summary")).To(HaveLen(5))
		Expect(s.eventLines(trace.KindIgnoredInput)).To(Equal([]string{
			"knowledge: state.messages→ (summarised) 2026-11-15", "knowledge: messages→ (too_many) 2026-11-09"}))
	})

	It("C6: summarizes a stored day only once, when it is first searched", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"yesterday"}`))
		s.settings["memory-file"], s.settings["debounce"] = diaryFile(), "off"
		a := s.open()
		s.runTurnsAt(noon, a, agent.Turn{Text: "嗯嗯", Session: "a"})
		Expect(s.requestsTo("summary")).To(BeEmpty())
		s.runTurnsAt(noon.AddDate(0, 0, 1), a, agent.Turn{Text: "嗯嗯", Session: "b"})
		Expect(s.requestsTo("summary")).To(HaveLen(1))
		Expect(s.requestsTo("summary")[0].body.Messages[1].Content).To(Equal("2026-11-20\nuser: 嗯嗯\nassistant: 你好呀"))
		reply := s.runTurnsAt(noon.AddDate(0, 0, 1), a, agent.Turn{Text: "嗯嗯", Session: "b"})
		Expect(s.requestsTo("summary")).To(HaveLen(1))
		Expect(ids(reply)).To(Equal([]string{"2026-11-20"}))
	})

	It("C6: continues without a day whose summary fails", func() {
		for faults, reason := range map[string]string{"summary:server_error": "server_error",
			"summary:malformed_json": "malformed_json"} {
			s := newStage(routerReply(query, 0.9, `{"date":"yesterday","keywords":[]}`))
			s.settings["memory-file"], s.faults = diaryFile(), faults
			reply := s.runTurns(agent.Turn{Text: "嗯嗯",
				State: state("agent", "lin", "messages",
					[]map[string]string{{"at": "2026-11-19T22:10:00+08:00", "role": "user", "content": "加班"}})})
			Expect(reply.Retrieved).To(BeEmpty())
			Expect(decision(reply)).To(HaveSuffix("served KNOWLEDGE_QUERY; 2026-11-19"))
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"summary: summary→no_summary (" + reason + ")"}))
		}
	})

	It("is skipped if it fails, and the turn is answered without it", func() {
		for faults, reason := range map[string]string{"knowledge:server_error": "transport",
			"knowledge:timeout": "timeout"} {
			s := newStage(routerReply(query, 0.9, `{"date":"yesterday","keywords":[]}`))
			s.faults = faults
			reply := s.runText("嗯嗯")
			Expect(decision(reply)).To(Equal("KNOWLEDGE_QUERY by llm 0.9, served NORMAL_CHAT; 2026-11-19"))
			Expect(reply.Content).To(Equal("你好呀"))
			Expect(s.eventLines(trace.KindFallback)).
				To(Equal([]string{"knowledge: knowledge→NORMAL_CHAT (" + reason + ")"}))
		}
	})
})

package companion_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/companion"
	"evalctl/agent/companion/diary"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// replyTo runs a turn in which the chat model answers with these words.
func replyTo(words string) (*fixture, agent.Reply) {
	GinkgoHelper()
	s := newStage(routerReply(chat, 0.9, "null"))
	s.answers["chat"] = words
	return s, s.runText("嗯嗯")
}

// batchOf returns n messages.
func batchOf(n int) []string { return strings.Split(strings.Repeat("a", n), "") }

var _ = Describe("The companion's answer", func() {
	It("C8: consists of one or several messages with delays", func() {
		s, reply := replyTo(`{"replies":[{"content":"在呢","send_delay_seconds":0},{"content":"怎么啦","send_delay_seconds":2.5}]}`)
		Expect(reply.Replies).To(Equal([]agent.ReplyMessage{{Content: "在呢"}, {Content: "怎么啦", DelaySeconds: 2.5}}))
		Expect(reply.Content).To(Equal("在呢\n怎么啦"))
		Expect(s.eventLines(trace.KindMessage)).
			To(Equal([]string{`{"content":"在呢","send_delay_seconds":0}`, `{"content":"怎么啦","send_delay_seconds":2.5}`}))
		Expect(s.eventLines(trace.KindChunk)).To(Equal([]string{"chunk 在呢", "chunk \n怎么啦"}))
		Expect(s.eventLines(trace.KindFormCheck)).To(Equal([]string{"intent kept", "chat kept"}))
	})

	DescribeTable("C8: has delays of 0 to 10 s, whatever the model returns",
		func(delay string, want float64, reason string) {
			s, reply := replyTo(fmt.Sprintf(`{"replies":[{"content":"在呢"%s}]}`, delay))
			Expect(reply.Replies).To(Equal([]agent.ReplyMessage{{Content: "在呢", DelaySeconds: want}}))
			Expect(s.eventLines(trace.KindIgnoredInput)).
				To(ConsistOf(HavePrefix(fmt.Sprintf("chat: send_delay_seconds→%v (%s)", want, reason))))
			Expect(s.eventLines(trace.KindFormCheck)).To(ContainElement("chat wrong_schema"))
		},
		Entry("for a delay that is too long", `,"send_delay_seconds":99`, 10.0, "out_of_range"),
		Entry("for a negative delay", `,"send_delay_seconds":-1`, 0.0, "out_of_range"),
		Entry("for a word instead of a delay", `,"send_delay_seconds":"soon"`, 0.0, "not_a_number"),
		Entry("for a missing delay", ``, 0.0, "not_a_number"),
		Entry("for a delay of null", `,"send_delay_seconds":null`, 0.0, "not_a_number"),
		Entry("for a delay too large for a number", `,"send_delay_seconds":1e999`, 0.0, "not_a_number"),
	)

	DescribeTable("C8: is the text of the model if that is not in the requested format",
		func(words, want, reason string) {
			s, reply := replyTo(words)
			Expect(reply.Replies).To(Equal([]agent.ReplyMessage{{Content: want}}))
			Expect(reply.Content).To(Equal(want))
			Expect(reply.ErrorReply).To(BeNil())
			Expect(s.eventLines(trace.KindFormCheck)).To(Equal([]string{"intent kept", "chat " + reason}))
			Expect(s.eventLines(trace.KindFallback)).
				To(ContainElement(And(ContainSubstring("raw_text"), ContainSubstring(reason))))
			Expect(s.eventLines(trace.KindMessage)).To(HaveLen(1))
		},
		Entry("for plain text", "  我在呢。 ", "我在呢。", "malformed_json"),
		Entry("for text after reasoning", "<think>嗯</think>我在呢。", "我在呢。", "malformed_json"),
		Entry("for a JSON object without the required fields", `{"answer":"我在"}`, `{"answer":"我在"}`, "wrong_schema"),
		Entry("for a string instead of a list", `{"replies":"我在"}`, `{"replies":"我在"}`, "wrong_schema"),
		Entry("for a message without content", `{"replies":[{"text":"我在"}]}`, `{"replies":[{"text":"我在"}]}`,
			"wrong_schema"),
		Entry("for truncated JSON", `{"replies":[{"content":"我`, `{"replies":[{"content":"我`, "malformed_json"),
	)

	It("C8: may consist of plain strings", func() {
		_, reply := replyTo(`{"replies":["在呢","怎么啦"]}`)
		Expect(reply.Replies).To(Equal([]agent.ReplyMessage{{Content: "在呢"}, {Content: "怎么啦"}}))
	})

	It("C8: omits blank messages, and the trace reports a format error", func() {
		s, reply := replyTo(`{"replies":[{"content":" ","send_delay_seconds":0},{"content":"在呢","send_delay_seconds":0}]}`)
		Expect(reply.Replies).To(Equal([]agent.ReplyMessage{{Content: "在呢"}}))
		Expect(s.eventLines(trace.KindFormCheck)).To(Equal([]string{"intent kept", "chat wrong_schema"}))
	})

	DescribeTable("C8: is an error reply if no message contains text", func(words string) {
		s, reply := replyTo(words)
		Expect(reply.ErrorReply.Cause).To(Equal("empty_content"))
		Expect(s.eventLines(trace.KindFormCheck)).To(Equal([]string{"intent kept", "chat empty_content"}))
	}, Entry(nil, `{"replies":[]}`), Entry(nil, `{"replies":[{"content":" ","send_delay_seconds":0}]}`), Entry(nil, ""))

	It("C8: has at most twenty messages", func() {
		s, reply := replyTo(`{"replies":[` + strings.Repeat(`{"content":"嗯","send_delay_seconds":0},`, 29) +
			`{"content":"嗯","send_delay_seconds":0}]}`)
		Expect(reply.Replies).To(HaveLen(20))
		Expect(s.eventLines(trace.KindIgnoredInput)).To(Equal([]string{"chat: replies→ (too_many) 30 replies"}))
	})

	It("C8: counts blank messages toward the limit of twenty, and emits few events about invalid delays", func() {
		s, reply := replyTo(`{"replies":[{"content":"在"}` + strings.Repeat(`,{"content":""}`, 15_000) + `]}`)
		Expect(reply.Replies).To(Equal([]agent.ReplyMessage{{Content: "在"}}))
		Expect(s.eventLines(trace.KindIgnoredInput)).To(HaveLen(4))
	})

	DescribeTable("C8: has at most 16,384 characters", func(words string) {
		s, reply := replyTo(words)
		Expect(utf8.RuneCountInString(strings.ReplaceAll(reply.Content, "\n", ""))).To(Equal(16 << 10))
		Expect(s.eventLines(trace.KindFormCheck)).To(ContainElement(HavePrefix("chat ")))
		Expect(s.eventLines(trace.KindFormCheck)).NotTo(ContainElement("chat kept"))
	},
		Entry("in one message", `{"replies":[{"content":"`+strings.Repeat("长", 50_000)+`","send_delay_seconds":0}]}`),
		Entry("in several messages",
			`{"replies":[{"content":"嗯"}`+strings.Repeat(`,{"content":"`+strings.Repeat("长", 3_000)+`"}`, 15)+`]}`),
		Entry("as plain text", strings.Repeat("长", 50_000)),
	)

	DescribeTable("31.1, C8: is an error reply if the chat model fails, remembered by the session, not by the diary",
		func(words, faults, reason string) {
			s := newStage(routerReply(chat, 0.9, "null"))
			s.answers["chat"], s.faults = words, faults
			a := s.open()
			reply := s.runTurnsAt(noon, a, agent.Turn{Text: "嗯嗯", Session: "a"})
			Expect(*reply.ErrorReply).
				To(Equal(agent.ErrorReply{Code: "CHAT_FAILED", Message: reply.Content, Node: "chat", Cause: reason}))
			Expect(reply.Content).To(ContainSubstring("抱歉"))
			Expect(decision(reply)).To(Equal("NORMAL_CHAT by llm 0.9, served failed;"))
			Expect(reply.Replies).To(BeNil())
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"chat: chat→failed (" + reason + ")"}))
			Expect(s.eventLines(trace.KindError)).To(HaveLen(1))
			Expect(s.eventLines(trace.KindSpan)).NotTo(ContainElement(ContainSubstring("messages")))
			s.runTurnsAt(noon, a, agent.Turn{Text: "再试一次", Session: "a"})
			Expect(s.last()[0].Content).NotTo(ContainSubstring("嗯嗯"))
			Expect(s.last()[1:]).To(Equal([]message{{"user", "嗯嗯"},
				{"assistant", reply.Content + "\n\n（这条消息还没有得到回答，用户只看到了以上的出错提示。）"},
				{"user", "用户消息：\n再试一次"}}))
		},
		Entry("after a timeout", hello, "chat:timeout", "timeout"),
		Entry("after a server error", hello, "chat:server_error", "server_error"),
		Entry("after an empty answer", "", "", "empty_content"),
		Entry("after an answer without messages", `{"replies":[]}`, "", "empty_content"),
		Entry("after an answer with only blank messages", `{"replies":[{"content":" ","send_delay_seconds":0}]}`,
			"", "empty_content"),
	)

	It("31.1: shows a turn that failed at its place in today's conversation", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		a := s.open()
		s.runTurnsAt(noon, a, agent.Turn{Text: "早", Session: "a"})
		s.answers["chat"] = ""
		s.runTurnsAt(noon.Add(time.Minute), a, agent.Turn{Text: "我今天被领导骂了", Session: "a"})
		s.answers["chat"] = hello
		s.runTurnsAt(noon.Add(2*time.Minute), a, agent.Turn{Text: "再试一次", Session: "a"},
			agent.Turn{Text: "嗯嗯", Session: "a"})
		Expect(s.last()).To(HaveLen(2))
		Expect(s.last()[0].Content).To(MatchRegexp(
			`user: 早\nassistant: 你好呀\nuser: 我今天被领导骂了\nassistant: 抱歉[^\n]*\n+（这条[^\n]*\nuser: 再试一次\nassistant: 你好呀$`))
	})

	DescribeTable("31.1: shows each message of the history once and in order, even if it was sent again",
		func(today, history, wantToday, wantEarlier string) {
			// message returns a message of the user for an upper-case letter, otherwise of the assistant
			message := func(letter string) (role, content string) {
				if letter == strings.ToUpper(letter) {
					return "user", letter
				}
				return "assistant", letter
			}
			type line = map[string]string
			var stored []line
			for i, letter := range strings.Fields(today) {
				role, content := message(letter)
				at := noon.Add(time.Duration(i-100) * time.Minute).Format(time.RFC3339)
				stored = append(stored, line{"at": at, "role": role, "content": content})
			}
			t := agent.Turn{Text: "嗯嗯", Session: "a", State: state("messages", stored)}
			for letter := range strings.FieldsSeq(history) {
				role, content := message(letter)
				t.History = append(t.History, agent.Message{Role: role, Content: content})
			}
			s := newStage(routerReply(chat, 0.9, "null"))
			s.runTurns(t)
			var shown, earlier []string
			_, conversation, _ := strings.Cut(s.last()[0].Content, "[当前对话上下文]\n")
			for one := range strings.Lines(conversation) {
				_, content, _ := strings.Cut(strings.TrimSpace(one), ": ")
				shown = append(shown, content)
			}
			for _, m := range s.last()[1 : len(s.last())-1] {
				earlier = append(earlier, m.Content)
			}
			Expect(strings.Join(shown, " ")).To(Equal(wantToday))
			Expect(strings.Join(earlier, " ")).To(Equal(wantEarlier))
		},
		Entry("not at all", "A a B b", "A a C c B b", "A a C c B b", ""),
		Entry("after others, with an answer this time", "B b A a", "A x B b A a", "B b A a", "A x"),
		Entry("after an answer, without one this time", "A a B b", "A a A x B b", "A a A x B b", ""),
		Entry("twice, between others", "A a B b A c", "A a B b A x A c", "A a B b A x A c", ""),
		Entry("in a history that begins later than the day", "A a B b A c", "A x A c", "A a B b A c", "A x"),
		Entry("with the same answer", "A a B b A a", "B b A x A a", "A a B b A x A a", ""),
		Entry("in a history whose first message is missing", "A a B b", "a B x B b", "A a B x B b", ""),
		Entry("in a history without a message of the day", "A a", "B x", "A a", "B x"),
	)

	It("is an error reply in the user's language", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.faults = "chat:server_error"
		Expect(s.runText("are you there?").Content).To(HavePrefix("Sorry, I lost my thread"))
		Expect(s.runText("在吗 hello").Content).To(HavePrefix("抱歉"))
	})

	DescribeTable("is an error reply without a model call if the turn is invalid", func(t agent.Turn, code string) {
		s := newStage("")
		reply := s.runTurns(t)
		Expect(reply.ErrorReply.Code).To(Equal(code))
		Expect(reply.AnsweredBy).To(Equal("failed"))
		Expect(s.requests).To(BeEmpty())
	},
		Entry("for an empty message", agent.Turn{Text: " \n"}, "EMPTY_INPUT"),
		Entry("for a message that is too long", agent.Turn{Text: strings.Repeat("长", 20_000)}, "TEXT_TOO_LONG"),
		Entry("for too many messages", agent.Turn{Text: "a", Batch: batchOf(agent.MaxBatch + 1)}, "TEXT_TOO_LONG"),
	)

	It("C8: includes all messages of the longest permitted batch", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		batch := batchOf(agent.MaxBatch)
		reply := s.runTurns(agent.Turn{Text: agent.JoinBatch(batch), Batch: batch})
		Expect(reply.ErrorReply).To(BeNil())
		Expect(strings.Count(s.last()[len(s.last())-1].Content, "a")).To(Equal(agent.MaxBatch))
	})
})

var _ = Describe("The companion's diary", func() {
	It("C8: stores a batch of messages, which is decided once, together with its answer", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.answers["chat"] = `{"replies":[{"content":"在","send_delay_seconds":0},{"content":"你说","send_delay_seconds":3}]}`
		a := s.open()
		s.runTurnsAt(noon, a, agent.Turn{Text: "在吗 问你个事", Batch: []string{"在吗", "问你个事"}, Session: "a"})
		Expect(s.requestsTo("router")).To(HaveLen(1))
		Expect(s.requestsTo("router")[0].body.Messages[1].Content).To(Equal("在吗 问你个事"))
		s.runTurnsAt(noon.Add(time.Minute), a, agent.Turn{Text: "好", Batch: []string{"好"}, Session: "a"})
		Expect(s.last()[0].Content).To(HaveSuffix("[当前对话上下文]\nuser: 在吗\nuser: 问你个事\nassistant: 在\nassistant: 你说"))
		Expect(s.last()[1:]).To(Equal([]message{{"user", "用户消息：\n好"}}),
			"what stands in the prompt does not go along as well")
	})

	It("C8: stores nothing if the transaction fails, but the answer is returned and the turn stays in the history",
		func() {
			for faults, reason := range map[string]string{"store:server_error": "transport",
				"store:timeout": "timeout"} {
				s := newStage(routerReply(chat, 0.9, "null"))
				s.faults = faults
				a := s.open()
				reply := s.runTurnsAt(noon, a, agent.Turn{Text: "一", Batch: []string{"一"}, Session: "a"})
				Expect(reply.Content).To(Equal("你好呀"))
				Expect(reply.ErrorReply).To(BeNil())
				Expect(s.eventLines(trace.KindFallback)).
					To(Equal([]string{"store: store→no_context (" + reason + ")",
						"store: store→forgotten (" + reason + ")"}))
				s.runTurnsAt(noon, a, agent.Turn{Text: "二", Batch: []string{"二"}, Session: "a"})
				Expect(s.last()[0].Content).NotTo(ContainSubstring("当前对话上下文"))
				Expect(s.last()[1:]).To(Equal([]message{{"user", "一"}, {"assistant", "你好呀"}, {"user", "用户消息：\n二"}}))
			}
		})

	It("C8: persists in a file, and rejects a file of another kind", func() {
		file := writeFile("other.txt", "not a database")
		s := newStage(routerReply(chat, 0.9, "null"))
		s.settings["store"] = file
		_, err := s.tryOpen()
		Expect(err).To(MatchError(And(HavePrefix("store: "), ContainSubstring("other.txt"))))

		s.settings["store"] = file + ".db"
		s.settings["memory-file"] = diaryFile("2026-11-19 搬家。")
		s.runTurnsAt(noon, s.open(), agent.Turn{Text: "早", Batch: []string{"早"}, Session: "a"})
		s.answers["router"] = routerReply(query, 0.9, `{"keywords":["火锅"],"date":"yesterday"}`)
		again := s.open()
		s.runTurnsAt(noon.Add(time.Hour), again, agent.Turn{Text: "在", Batch: []string{"在"}, Session: "a"})
		Expect(s.last()[0].Content).
			To(ContainSubstring("[当前对话上下文]\nuser: 早\nassistant: 你好呀\n\n[相关历史记忆]\n日期: 2026-11-19\n内容: 搬家。"))
		reply := s.runTurnsAt(noon.AddDate(0, 0, 1), s.open(),
			agent.Turn{Text: "在", Batch: []string{"在"}, Session: "b"})
		Expect(ids(reply)).To(Equal([]string{"2026-11-20"}), "summarised")
		Expect(s.last()[0].Content).NotTo(ContainSubstring("当前对话上下文"), "another day")
		Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
	})

	It("C8: stores the delays of the messages", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.settings["store"] = filepath.Join(GinkgoT().TempDir(), "diary.db")
		a := s.open()
		s.runTurnsAt(noon, a, agent.Turn{Text: "早", Batch: []string{"早"}, Session: "a"})
		d, err := diary.Open(s.settings["store"])
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(d.Close)
		kept, err := d.Messages(context.Background(), "ada", "2026-11-20")
		Expect(err).NotTo(HaveOccurred())
		Expect(kept).To(HaveLen(2), "of the first prompt's agent, for there are no memories")
		Expect(kept[1].Delay).To(Equal(1.0))
	})

	It("C6: starts empty in a file, accepts missing days later, and rejects different ones", func() {
		s := newStage(routerReply(query, 0.9, `{"keywords":[]}`))
		s.settings["store"] = filepath.Join(GinkgoT().TempDir(), "diary.db")
		Expect(s.runText("嗯嗯").Retrieved).To(BeEmpty(), "the shipped days are of invented lives")
		s.settings["memory-file"] = diaryFile("2026-11-17 下雨。", "2026-11-18 加班。")
		Expect(ids(s.runText("嗯嗯"))).To(Equal([]string{"2026-11-18", "2026-11-17"}))
		s.settings["memory-file"] = diaryFile("2026-11-17 下雨。", "2026-11-19 搬家。")
		Expect(ids(s.runText("嗯嗯"))).To(Equal([]string{"2026-11-19", "2026-11-18", "2026-11-17"}))
		s.settings["memory-file"] = diaryFile("2026-11-16 看书。", "2026-11-17 晴天。")
		_, err := s.tryOpen()
		Expect(err).To(MatchError(And(HavePrefix("memories: "), ContainSubstring("another 2026-11-17 of lin"))))
		s.settings["memory-file"] = ""
		s.answers["router"] = routerReply(query, 0.9, `{"keywords":[]}`)
		Expect(ids(s.runTurns(agent.Turn{Text: "嗯嗯", State: state("agent", "lin")}))).
			To(Equal([]string{"2026-11-19", "2026-11-18", "2026-11-17"}), "all or none")
	})

	It("31.5: keeps its persona and days when a store is opened again without the imported file", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"2026-11-17"}`))
		s.settings["store"] = filepath.Join(GinkgoT().TempDir(), "diary.db")
		s.settings["memory-file"] = diaryFile("2026-11-17 下雨。")
		s.runTurns(agent.Turn{Text: "嗯嗯", Session: "a"})
		persona, _, _ := strings.Cut(s.last()[0].Content, "[回复格式要求]")
		s.settings["memory-file"] = ""
		Expect(ids(s.runTurns(agent.Turn{Text: "嗯嗯", Session: "b"}))).To(Equal([]string{"2026-11-17"}))
		Expect(s.last()[0].Content).To(HavePrefix(persona))
	})

	It("31.5: is of one user on a server, or of one session without a user, apart from imported days", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"last_7_days"}`))
		s.settings["store"] = filepath.Join(GinkgoT().TempDir(), "diary.db")
		s.settings["memory-file"], s.settings["debounce"] = diaryFile("2026-11-17 下雨。"), "off"
		a := s.open()
		turn := func(user, session string) agent.Turn {
			return agent.Turn{Text: "嗯嗯", User: user, Session: session, IsPublicAgent: true}
		}
		s.runTurnsAt(noon.AddDate(0, 0, -1), a, turn("anna", "s"), turn("", "s2"))
		recalled := func(user, session string) []string { return ids(s.runTurnsAt(noon, a, turn(user, session))) }
		Expect(recalled("anna", "t")).To(Equal([]string{"2026-11-19", "2026-11-17"}))
		Expect(recalled("", "s2")).To(Equal([]string{"2026-11-19", "2026-11-17"}))
		for _, stranger := range [][2]string{{"ben", "s"}, {"ben", "s2"}, {"", "s"}, {"s2", "s2"},
			{"", "anna"}, {"", "new"}} {
			Expect(recalled(stranger[0], stranger[1])).To(Equal([]string{"2026-11-17"}), "%q", stranger)
		}
		Expect(ids(s.runTurnsAt(noon, a, agent.Turn{Text: "嗯嗯", Session: "s"}))).
			To(Equal([]string{"2026-11-17"}), "the owner in chat")
	})

	It("31.5, C9: shows today's messages in all conversations of the same memory, and in no other", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.settings["debounce"] = "off"
		a := s.open()
		say := func(text, user, session string, isPublic bool) string {
			GinkgoHelper()
			s.runTurnsAt(noon, a, agent.Turn{Text: text, User: user, Session: session, IsPublicAgent: isPublic})
			_, today, _ := strings.Cut(s.last()[0].Content, "[当前对话上下文]\n")
			return today
		}
		for _, member := range []struct {
			user     string
			isPublic bool
		}{{"anna", true}, {"", false}} {
			say("我买了一只猫叫豆豆", member.user, "s1", member.isPublic)
			say("我的猫三岁了", member.user, "s2", member.isPublic)
			Expect(say("今天我说了什么", member.user, "s3", member.isPublic)).
				To(Equal("user: 我买了一只猫叫豆豆\nassistant: 你好呀\nuser: 我的猫三岁了\nassistant: 你好呀"))
		}
		Expect(say("我的猫叫什么", "ben", "s1", true)).To(BeEmpty())
		Expect(say("我的狗叫旺财", "", "s1", true)).To(BeEmpty())
		Expect(say("我的狗叫什么", "", "s2", true)).To(BeEmpty(), "a stranger without a name in another session")
		s.runTurnsAt(noon, a, agent.Turn{Text: "我的猫叫什么", User: "anna", Session: "s4", IsPublicAgent: true,
			State: state("agent", "ada")})
		Expect(s.last()[0].Content).NotTo(ContainSubstring("豆豆"), "another agent")
	})

	It("31.5: shows what the owner said in chat to no user of a server", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"yesterday"}`))
		s.settings["store"], s.settings["debounce"] = filepath.Join(GinkgoT().TempDir(), "diary.db"), "off"
		a := s.open()
		s.runTurnsAt(noon.AddDate(0, 0, -1), a, agent.Turn{Text: "嗯嗯", Session: "s"})
		Expect(ids(s.runTurnsAt(noon, a, agent.Turn{Text: "嗯嗯", Session: "t"}))).To(Equal([]string{"2026-11-19"}))
		Expect(ids(s.runTurnsAt(noon, a, agent.Turn{Text: "嗯嗯", Session: "s", IsPublicAgent: true}))).To(BeEmpty())
	})

	It("X8: belongs to one agent, so that another one starts without its messages", func() {
		s := newStage(routerReply(query, 0.9, `{"date":"yesterday"}`))
		s.settings["memory-file"] = diaryFile()
		s.runTurnsAt(noon.AddDate(0, 0, -1), s.open(), agent.Turn{Text: "早"})
		s.runTurnsAt(noon, s.open(), agent.Turn{Text: "早"})
		Expect(s.requestsTo("summary")).To(BeEmpty())
	})

	It("X8: is closed together with the agent, with and without the debouncer", func() {
		for _, gather := range []string{"on", "off"} {
			s := newStage(routerReply(chat, 0.9, "null"))
			s.settings["debounce"] = gather
			a := s.open()
			Expect(a.(io.Closer).Close()).To(Succeed())
			s.runTurnsAt(noon, a, agent.Turn{Text: "早"})
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"store: store→forgotten (transport)"}))
		}
	})
})

var _ = Describe("The companion's prompt", func() {
	custom := func() *fixture {
		s := newStage(routerReply(query, 0.9, `{"date":"yesterday"}`))
		s.settings["persona-prompt"], s.settings["reply-format-prompt"] = writeFile("me.md", "我是小林。\n"),
			writeFile("format.md", "用 json 回复。\n")
		s.settings["memory-file"] = diaryFile("2026-11-19 搬家。")
		return s
	}

	It("C9: contains in order the persona, the format, today's conversation, the days found and the messages", func() {
		s := custom()
		a := s.open()
		s.runTurnsAt(noon, a, agent.Turn{Text: "早", Batch: []string{"早"}, Session: "a"},
			agent.Turn{Text: "在吗 昨天呢", Batch: []string{"在吗", "昨天呢"}, Session: "a"})
		Expect(s.last()).To(Equal([]message{
			{"system", "我是小林。\n\n[回复格式要求]\n用 json 回复。\n\n[当前对话上下文]\nuser: 早\nassistant: 你好呀\n\n[相关历史记忆]\n日期: 2026-11-19\n内容: 搬家。\n话题: 话题"},
			{"user", "用户消息：\n在吗\n昨天呢"},
		}))
	})

	It("C9: has a neutral persona for an unknown agent, with an event", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.runTurns(agent.Turn{Text: "你是谁", State: state("agent", "zoe")})
		Expect(s.eventLines(trace.KindIgnoredInput)).To(Equal([]string{"intent: state.agent→ (unknown_agent) zoe"}))
		Expect(s.last()[0].Content).To(HavePrefix("你是用户的聊天伙伴。你没有名字"))
		s.runTurns(agent.Turn{Text: "你是谁", State: state("agent", "lin")})
		Expect(s.eventLines(trace.KindIgnoredInput)).To(BeEmpty())
		Expect(s.last()[0].Content).To(HavePrefix("你是林小禾"))

		s.settings["memory-file"] = writeFile("zoe.jsonl", `{"agent":"zoe","date":"2026-11-19","summary":"搬家。"}`)
		s.runText("你是谁")
		Expect(s.eventLines(trace.KindIgnoredInput)).To(BeEmpty(), "one's own days have their agent")
		Expect(s.last()[0].Content).To(HavePrefix("你是用户的聊天伙伴。你没有名字"))
	})

	It("has another version with other prompts or other days", func() {
		of := companion.System()
		version := func(name, text string) string {
			values := map[string]string{}
			if name != "" {
				values[name] = writeFile(name, text)
			}
			o, err := of.Open(system.Options{SettingValues: of.WithDefaults(values)})
			Expect(err).NotTo(HaveOccurred())
			return o.Version
		}
		versions := []string{version("", ""),
			version("memory-file", `{"agent":"lin","date":"2026-11-19","summary":"搬家。"}`)}
		for _, name := range []string{"prompt", "reply-format-prompt", "summary-prompt", "persona-prompt"} {
			versions = append(versions, version(name, "用 json 回复。"))
		}
		for i, v := range versions {
			Expect(versions[i+1:]).NotTo(ContainElement(v))
		}
		Expect(version("prompt", "用 json 回复。")).To(Equal(versions[2]))
	})

	It("C9: omits empty sections", func() {
		s := custom()
		s.answers["router"] = routerReply(chat, 0.9, "null")
		s.runText("早")
		Expect(s.last()).To(Equal([]message{{"system", "我是小林。\n\n[回复格式要求]\n用 json 回复。"}, {"user", "用户消息：\n早"}}))
	})

	It("C9: shows the history as today's conversation without a session, and as messages with a session", func() {
		history := []agent.Message{{Role: "user", Content: "早"}, {Role: "assistant", Content: "早呀"}}
		s := custom()
		s.answers["router"] = routerReply(chat, 0.9, "null")
		s.runTurns(agent.Turn{Text: "嗯", History: history})
		Expect(s.last()[0].Content).To(HaveSuffix("[当前对话上下文]\nuser: 早\nassistant: 早呀"))
		s.runTurns(agent.Turn{Text: "嗯", History: history, Session: "a"})
		Expect(s.last()[0].Content).NotTo(ContainSubstring("当前对话上下文"))
		Expect(s.last()[1:]).To(Equal([]message{{"user", "早"}, {"assistant", "早呀"}, {"user", "用户消息：\n嗯"}}))
		a := s.open()
		s.runTurnsAt(noon.Add(11*time.Hour+50*time.Minute), a,
			agent.Turn{Text: "早", Batch: []string{"早"}, Session: "a"},
			agent.Turn{Text: "过了零点", Batch: []string{"过了零点"}, Session: "a", Delay: agent.Delay(20 * time.Minute)})
		Expect(s.last()[0].Content).NotTo(ContainSubstring("当前对话上下文"))
		Expect(s.last()[1:]).To(Equal([]message{{"user", "早"}, {"assistant", "你好呀"}, {"user", "用户消息：\n过了零点"}}))
	})

	It("X7: consists of files that settings can replace", func() {
		for setting, part := range map[string]string{"prompt": "router", "reply-format-prompt": "chat",
			"persona-prompt": "chat", "summary-prompt": "summary"} {
			s := newStage(routerReply(query, 0.9, `{"date":"yesterday"}`))
			s.settings["memory-file"] = diaryFile()
			s.settings[setting] = writeFile("mine.md", "这是我的 json 提示词")
			s.runTurns(agent.Turn{Text: "嗯嗯",
				State: state("agent", "lin", "messages",
					[]map[string]string{{"at": "2026-11-19T22:10:00+08:00", "role": "user", "content": "加班"}})})
			Expect(s.requestsTo(part)[0].body.Messages[0].Content).To(ContainSubstring("这是我的 json 提示词"), setting)
			s.settings[setting] = writeFile("bad.md", "{{.Place}} json")
			_, err := s.tryOpen()
			Expect(err).To(MatchError(HavePrefix(setting + ": ")))
		}
	})

	It("has the persona of the turn's agent, or of the diary's first agent", func() {
		s := newStage(routerReply(chat, 0.9, "null"))
		s.runText("早")
		lin := s.last()[0].Content
		s.runTurns(agent.Turn{Text: "早", State: state("agent", "lin")})
		Expect(s.last()[0].Content).To(Equal(lin))
		s.runTurns(agent.Turn{Text: "早", State: state("agent", "ada")})
		Expect(s.last()[0].Content).NotTo(Equal(lin))
	})
})

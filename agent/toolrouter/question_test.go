package toolrouter_test

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
)

var _ = Describe("The history in the routing request", func() {
	user := func(text string) agent.Message { return agent.Message{Role: "user", Content: text} }
	answer := func(text string) agent.Message { return agent.Message{Role: "assistant", Content: text} }
	talk := []agent.Message{{Role: "system", Content: "你叫小明"}, user("一"), answer("甲"), user("二"), answer(""),
		user("三"), answer("丙")}

	shown := func(n int, history []agent.Message, text string) (list []string) {
		GinkgoHelper()
		s := newStage(says{component.Router: route(toolrouter.RouteChat, 0.9), component.Chat: "好"})
		s.config.HistoryTurns = n
		_, err := s.play(agent.Turn{Text: text, History: history})
		Expect(err).NotTo(HaveOccurred())
		for _, m := range s.messages(deepSeek, 0)[1:] {
			list = append(list, fmt.Sprint(m.Role, " ", m.Content))
		}
		return list
	}

	DescribeTable("T1, T2: contains the configured number of newest turns before the user's text",
		func(n int, want ...string) { Expect(shown(n, talk, "四")).To(Equal(want)) },
		Entry("by default, no earlier turn", 0, "user 四"),
		Entry("with history 1, the last turn", 1, "user 三", "assistant 丙", "user 四"),
		Entry("with history 2, also a turn whose answer was only an image", 2, "user 二", "user 三",
			"assistant 丙", "user 四"),
		Entry("with a history longer than the conversation, all turns", 50, "user 一", "assistant 甲", "user 二", "user 三",
			"assistant 丙", "user 四"),
	)

	It("T1: starts with a message of the user", func() {
		Expect(shown(4, []agent.Message{answer("欢迎"), user("一")}, "二")).To(Equal([]string{"user 一", "user 二"}))
	})

	It("T1: contains at most 300 characters of each earlier message, and the user's text in full", func() {
		long := strings.Repeat("长", 301)
		list := shown(1, []agent.Message{user(long), answer(strings.Repeat("短", 300))}, long)
		Expect(list).To(Equal([]string{"user " + strings.Repeat("长", 300) + "…",
			"assistant " + strings.Repeat("短", 300), "user " + long}))
	})

	DescribeTable("T2: is configured by a number from 0 to 50",
		func(value string, ok bool) {
			set, known := toolrouter.System().Setting("history")
			Expect(known).To(BeTrue())
			Expect(set.Check(value) == nil).To(Equal(ok))
		},
		Entry(nil, "0", true), Entry(nil, "50", true), Entry(nil, "51", false), Entry(nil, "-1", false),
		Entry(nil, "4.5", false), Entry(nil, "all", false),
	)

	It("T2: cannot be configured in mode rules; New returns an error for an invalid number of turns", func() {
		set, _ := toolrouter.System().Setting("history")
		Expect(set.IsUsed(map[string]string{"router": "rules"})).To(BeFalse())
		Expect(set.IsUsed(map[string]string{"router": "llm"})).To(BeTrue())
		s := newStage(says{})
		s.config.HistoryTurns = 51
		_, err := s.open()
		Expect(err).To(MatchError("toolrouter.Config.HistoryTurns: 51 is not in 0..50"))
	})

	It("T1: is configured by the setting history", func() {
		s := newStage(says{component.Router: route(toolrouter.RouteChat, 0.9), component.Chat: "好"})
		o, err := declared(map[string]string{"history": "1"})
		Expect(err).NotTo(HaveOccurred())
		_, err = s.playBy(s.connected(o), agent.Turn{Text: "四", History: talk},
			func(context.CancelFunc, trace.Event) {})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.messages(deepSeek, 0)).To(HaveLen(4))
	})
})

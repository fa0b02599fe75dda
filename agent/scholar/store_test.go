package scholar_test

import (
	"context"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/database"
	"evalctl/agent/scholar"
	"evalctl/agent/scholar/conversation"
	"evalctl/agent/session"
	"evalctl/agent/trace"
)

var _ = It("31.7: The scholar separates the conversations of users with the same session id, also in a file", func() {
	path := filepath.Join(GinkgoT().TempDir(), "s.db")
	// earlier opens the file and sends a message of a user. It returns the messages before it in the
	// request to the model. A turn that is canceled at once follows.
	earlier := func(user, text string) (list []string) {
		GinkgoHelper()
		records, err := database.OpenRecordStore(path, 1, 10)
		Expect(err).NotTo(HaveOccurred())
		s := newStage(simple).withReplies("chat", "好的，"+user)
		s.set = func(c *scholar.Config) {
			c.Sessions, err = conversation.New(conversation.Config{Records: records})
			Expect(err).NotTo(HaveOccurred())
		}
		memory, err := session.New(session.Config{})
		Expect(err).NotTo(HaveOccurred())
		a := &session.Agent{Next: s.open(), Store: memory}
		s.runTurnsWith(a, agent.Turn{User: user, Session: "a", Text: text})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = a.Respond(ctx, agent.Turn{User: user, Session: "a", Text: "取消"}, nil)
		Expect(err).To(MatchError(context.Canceled))
		if user == "" { // the name of records without a user does not change
			_, ok, err := records.Load(context.Background(), "a")
			Expect(err).NotTo(HaveOccurred())
			Expect(ok).To(BeTrue())
		}
		Expect(records.Close()).To(Succeed())
		messages := s.requests["chat"][0].Messages
		for _, m := range messages[1 : len(messages)-1] {
			list = append(list, m.Text)
		}
		return list
	}
	users := []string{"", "anna", "ben"}
	for _, user := range users {
		Expect(earlier(user, "我是"+user)).To(BeEmpty(), user)
	}
	for _, user := range users {
		Expect(earlier(user, "我是谁？")).To(Equal([]string{"我是" + user, "好的，" + user, "取消", "（这条消息还没有得到回答。）"}), user)
	}
})

var _ = It("31.7: The scholar continues a session that another process has stored in a file", func() {
	path := filepath.Join(GinkgoT().TempDir(), "s.db")
	session := func(text string) *stage {
		GinkgoHelper()
		records, err := database.OpenRecordStore(path, 1, 10)
		Expect(err).NotTo(HaveOccurred())
		s := newStage(simple).withReplies("chat", "记住了。")
		s.set = func(c *scholar.Config) {
			c.Sessions, err = conversation.New(conversation.Config{Records: records})
			Expect(err).NotTo(HaveOccurred())
		}
		s.runTurns(agent.Turn{Session: "a", Text: text})
		Expect(records.Close()).To(Succeed())
		return s
	}
	session("我研究城市热岛。")
	list := session("我研究什么？").requests["chat"][0].Messages
	Expect(list).To(HaveLen(4))
	Expect([]string{list[1].Text, list[2].Text}).To(Equal([]string{"我研究城市热岛。", "记住了。"}))
})

var _ = It("31.1: The scholar stores a turn once if it is canceled after its answer was stored", func() {
	s := newStage(simple).withReplies("chat", "记住了。")
	s.set = func(c *scholar.Config) {
		var err error
		c.Sessions, err = conversation.New(conversation.Config{})
		Expect(err).NotTo(HaveOccurred())
	}
	memory, err := session.New(session.Config{})
	Expect(err).NotTo(HaveOccurred())
	a := &session.Agent{Next: s.open(), Store: memory}
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		reply, err := a.Respond(ctx, agent.Turn{Session: "a", Text: "我研究城市热岛。"}, func(e trace.Event) {
			if e.Kind == trace.KindNodeComplete && e.Node == "session_save" {
				cancel()
			}
		})
		Expect(ctx.Err()).To(HaveOccurred())
		Expect(reply.Content).To(Equal("记住了。"))
		return err
	})).To(Succeed())
	s.runTurnsWith(a, agent.Turn{Session: "a", Text: "我研究什么？"})
	list := s.requests["chat"][1].Messages
	Expect(list).To(HaveLen(4))
	Expect([]string{list[1].Text, list[2].Text}).To(Equal([]string{"我研究城市热岛。", "记住了。"}))
})

var _ = It("31.1: The scholar stores the message of a turn without an answer only once", func() {
	s := newStage(simple).withReplies("chat", "记住了。")
	a := s.open()
	t := agent.Turn{Session: "a", Text: "我研究城市热岛。"}
	a.(session.IncompleteTurnSaver).SaveIncompleteTurn(context.Background(), t,
		[]agent.Message{{Role: "user", Content: t.Text}}, nil)
	s.runTurnsWith(a, agent.Turn{Session: "a", Text: "继续"})
	Expect(s.requests["chat"][0].Messages).To(HaveLen(3))
})

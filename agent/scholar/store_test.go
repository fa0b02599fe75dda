package scholar_test

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/database"
	"evalctl/agent/scholar"
	"evalctl/agent/scholar/conversation"
)

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

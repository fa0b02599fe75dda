package companion_test

import (
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/companion"
	"evalctl/agent/system"
)

// simulated returns the simulated reply of a component.
func simulated(part string, shown system.SimulatedRequest) string {
	GinkgoHelper()
	p, ok := companion.System().Component(part)
	Expect(ok).To(BeTrue())
	return p.Simulate(shown).Content
}

var _ = DescribeTable("C2: A simulated decider returns the query in the format of the prompt",
	func(date, words, want string) {
		form := companion.System().AnswerFormat(nil)
		Expect(form.SlotsInExtra).To(BeTrue(), "it stands in query_params alone")
		params, err := json.Marshal(form.ExtraFields("", map[string]string{"date": date, "keywords": words}))
		Expect(err).NotTo(HaveOccurred())
		Expect(params).To(MatchJSON(want))
		said := `{"intent":"KNOWLEDGE_QUERY","confidence":1,` + strings.TrimPrefix(string(params), "{")
		read, keywords, err := companion.ReadAnswer(said, "?", noon.AddDate(1, 0, 0))
		Expect(err).NotTo(HaveOccurred())
		Expect(read).To(Equal(date), "it is read as it was meant")
		Expect(keywords).To(ConsistOf(strings.Fields(words)))
	},
	Entry("for an empty query", "", "", `{"query_params":null}`),
	Entry("for a day", "2026-03-04", "", `{"query_params":{"date":"2026-03-04","keywords":[]}}`),
	Entry("for consecutive days", "2026-03-04..2026-03-06", "",
		`{"query_params":{"date":null,"keywords":[],"date_range":{"from":"2026-03-04","to":"2026-03-06"}}}`),
	Entry("for words", "", "火锅 重庆", `{"query_params":{"date":null,"keywords":["火锅","重庆"]}}`),
	Entry("for a day and words", "2026-03-04", "hotpot",
		`{"query_params":{"date":"2026-03-04","keywords":["hotpot"]}}`),
)

var _ = DescribeTable("A simulated decider selects the value of a slot from the accepted ones",
	func(slot, want string, accepted ...string) {
		Expect(companion.System().AnswerFormat(nil).SlotValue(slot, accepted)).To(Equal(want))
	},
	Entry("the first day if several are accepted", "date", "2026-03-04", "2026-03-04", "2026-03-05"),
	Entry("the word if only one is accepted", "keywords", "a", "a"),
	Entry("the first three words if more are accepted", "keywords", "a b c", "a", "b", "c", "d"),
)

var _ = DescribeTable("C8: A simulated chat model returns its text in the format of the prompt",
	func(words string, seed uint64, want ...agent.ReplyMessage) {
		Expect(companion.ReadReplies(simulated("chat", system.SimulatedRequest{SampleText: words, Seed: seed}))).
			To(Equal(want))
	},
	Entry("as one message for one sentence", "好呀", uint64(0), agent.ReplyMessage{Content: "好呀", DelaySeconds: 1}),
	Entry("as two messages for two sentences", "好的呀。再说吧", uint64(0),
		agent.ReplyMessage{Content: "好的呀。", DelaySeconds: 1}, agent.ReplyMessage{Content: "再说吧", DelaySeconds: 2}),
	Entry("as one message with only the first sentence for every other seed", "好的呀。再说吧", uint64(1),
		agent.ReplyMessage{Content: "好的呀。", DelaySeconds: 2}),
	Entry("as one message if the first sentence is short", "Hm. That is a long story, and it is late.", uint64(2),
		agent.ReplyMessage{Content: "Hm. That is a long story, and it is late.", DelaySeconds: 3}),
)

var _ = DescribeTable("A simulated summary consists of the user's messages",
	func(day, summary string, points ...string) {
		var got struct {
			Summary string   `json:"summary"`
			Topics  []string `json:"topics"`
			Points  []string `json:"key_points"`
		}
		Expect(json.Unmarshal([]byte(simulated("summary",
			system.SimulatedRequest{Text: noon.Format(time.DateOnly) + "\n" + day, SampleText: "believable"})),
			&got)).To(Succeed())
		Expect(got.Summary).To(Equal(summary))
		Expect(got.Points).To(ConsistOf(points))
		Expect(len(got.Topics)).To(BeNumerically("<=", 3))
	},
	Entry(nil, "user: 去吃火锅\nassistant: 好\nuser: 重庆的", "去吃火锅 重庆的", "去吃火锅"),
	Entry("truncated to the limit of a summary", "user: "+strings.Repeat("火锅", 200), strings.Repeat("火锅", 150),
		strings.Repeat("火锅", 200)),
	Entry("or of a sample text if there are none", "assistant: 在吗", "believable"),
)

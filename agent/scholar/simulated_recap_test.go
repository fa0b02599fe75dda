package scholar_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// simulatedReply returns the simulated reply of a component.
func simulatedReply(part string, s system.SimulatedRequest) string {
	p, _ := scholar.System().Component(part)
	return p.Simulate(s).Content
}

var _ = Describe("A simulated conversation with the scholar", func() {
	// long returns a long answer with many numbers, which are different for each from.
	long := func(from int) string {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, "Trial T-%d had %d people, %d.5%% of them in Verrin. ", from+i, 100+i, i)
		}
		return b.String()
	}

	It("L7: retains statements of the user about themselves through two compressions", func() {
		transcript := "【用户】I write the report for Mrs Okonjo, my deadline is 3 March. Leaks please.\n【助手】" + long(1) +
			"\n【用户】我叫车厘子，写第三章。\n【助手】" + long(40) + "\n【用户】trees\n【助手】" + long(80) + "\n"
		once := simulatedReply("compression", system.SimulatedRequest{Text: transcript})
		twice := simulatedReply("compression",
			system.SimulatedRequest{Text: "【此前的摘要】" + once + "\n【用户】and pipes\n【助手】" + long(120) + "\n"})
		for _, summary := range []string{once, twice} {
			Expect(summary).To(And(ContainSubstring("Mrs Okonjo"), ContainSubstring("3 March"), ContainSubstring("车厘子"),
				ContainSubstring("Trial T-")))
			Expect(tokens.Count(summary)).To(BeNumerically("<", 400))
		}
		Expect(strings.Count(twice, "用户说过")).To(Equal(1))
	})

	It("L7: has summaries that contain only text of the summarized messages", func() {
		Expect(simulatedReply("compression",
			system.SimulatedRequest{Text: "【助手】样本有 72 人。\n【用户】" + strings.Repeat("这是从别处抄来的一段很长的文字，", 20) + "\n"})).
			NotTo(ContainSubstring("用户说过"))
		Expect(simulatedReply("compression", system.SimulatedRequest{})).To(BeEmpty())
		Expect(simulatedReply("compression", system.SimulatedRequest{Text: "没有标记的文字，有 72 人。"})).
			To(Equal("没有标记的文字，有 72 人。"))
	})

	earlier := []agent.Message{
		{Role: "system", Content: "用户说过：我叫车厘子，截止 1 月 20 号。\n甲烷降低 34.6%，产量提高 4.8%。"},
		{Role: "user", Content: "I am Ruben, the report's code is RX-77."},
		{Role: "assistant", Content: "Noted. Guided crews needed 17.6 hours per leak. Streets were 6.8 °C cooler."},
	}
	DescribeTable("L7: answers a follow-up question by repeating an earlier message, and returns sample text otherwise",
		func(text, want string) {
			Expect(simulatedReply("chat", system.SimulatedRequest{Text: text, History: earlier, SampleText: "好的。"})).
				To(ContainSubstring(want))
		},
		Entry("a question about the summary", "截止日期是哪天来着，我说过的", "1 月 20 号"),
		Entry("a question about the user's name", "我叫什么，还记得吗", "车厘子"),
		Entry("a question about an earlier answer", "how many hours did the guided crews need, you said", "17.6 hours"),
		Entry("a question about an earlier message of the user", "remind me of the report's code", "RX-77"),
		Entry("a follow-up question that matches no earlier message", "你刚才提到的鲸鱼呢", "好的。"),
		Entry("a message that is not a follow-up question", "hours and hours of work today", "好的。"),
		Entry("a thank-you", "谢谢", "好的。"),
	)

	It("L7: can answer a follow-up question after a compression", func() {
		s := newStage(simple)
		t := agent.Turn{Text: "我的截止日期是哪天，再说一遍", Session: "s"}
		for i := range 6 {
			t.History = append(t.History,
				agent.Message{Role: "user", Content: []string{"我给周老师写报告，截止 3 月 9 号。", "树", "水", "路", "桥", "灯"}[i]},
				agent.Message{Role: "assistant", Content: long(40 * i)})
		}
		reply := s.runTurns(t)[0]
		Expect(s.eventLines(trace.KindCompression)).NotTo(BeEmpty())
		Expect(reply.Content).To(ContainSubstring("3 月 9 号"))
	})
})

package terminal_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/cmd/evalctl/terminal"
)

// screenOutput returns what a Screen prints for the events of an answer.
func screenOutput(events ...trace.Event) string {
	var out strings.Builder
	s := terminal.ReplyPrinter{Out: &terminal.Printer{W: &out}}
	for _, e := range events {
		s.ShowEvent(e)
	}
	s.Finish(agent.Reply{})
	return out.String()
}

func message(text string, delay float64) trace.Event {
	data, err := json.Marshal(agent.ReplyMessage{Content: text, DelaySeconds: delay})
	Expect(err).NotTo(HaveOccurred())
	return trace.Event{Kind: trace.KindMessage, Data: data}
}

func chunk(text string) trace.Event { return trace.Event{Kind: trace.KindChunk, Text: text} }

var _ = Describe("Screen", func() {
	const two = "在呢\n昨天聊了火锅  · 3 s later\n"

	It("shows each message of an answer on its own line, with its delay", func() {
		Expect(screenOutput(message("在呢", 0), message("昨天聊了火锅", 3))).To(Equal(two))
	})

	It("shows text once that arrives both as a message and as chunks", func() {
		Expect(screenOutput(message("在呢", 0), chunk("在呢\n"), message("昨天聊了火锅", 3), chunk("昨天聊了火锅"))).To(Equal(two))
		Expect(screenOutput(message("在呢", 0), message("昨天聊了火锅", 3), chunk("在呢\n昨天聊了火锅"))).To(Equal(two))
		Expect(screenOutput(chunk("在呢\n"), message("在呢", 0), chunk("昨天聊了火锅"), message("昨天聊了火锅", 3))).
			To(Equal(two))
		Expect(screenOutput(chunk("在呢"), message("在呢", 0), chunk("\n昨天聊了火锅"), message("昨天聊了火锅", 3))).To(Equal(two))
		Expect(screenOutput(chunk("在呢\n"), message("在呢", 3))).To(Equal("在呢\n· 3 s later\n"))
		Expect(screenOutput(message("在呢", 0), chunk("另外"))).To(Equal("在呢\n另外\n"))
	})

	It("N7: shows the questions of an agent once", func() {
		asked := trace.Event{Kind: trace.KindQuestion,
			Data: json.RawMessage(`{"thread_id":"t","questions":[{"key":"a","question":"写给谁看？"},{"key":"b","question":"什么语气？"}]}`)}
		Expect(screenOutput(asked)).To(Equal("? 写给谁看？\n? 什么语气？\n"))
		Expect(screenOutput(asked, chunk("写给谁看？\n什么语气？"))).To(Equal("? 写给谁看？\n? 什么语气？\n"))
		Expect(screenOutput(chunk("先问一下：写给谁看？"), asked)).To(Equal("先问一下：写给谁看？\n? 什么语气？\n"))
	})

	It("prints streamed text unchanged", func() {
		Expect(screenOutput(chunk("好"), chunk("好\n"), chunk("好"))).To(Equal("好好\n好\n"))
	})

	It("shows an answer that was not streamed when it is finished", func() {
		for text, events := range map[string][]trace.Event{
			"全文\n": nil, "全\n": {chunk("全")}, "说\n": {message("说", 0)},
			"看\n": {{Kind: trace.KindGenUIComponent, Data: json.RawMessage(`{"props":{"text":"看"}}`)}},
		} {
			var out strings.Builder
			s := terminal.ReplyPrinter{Out: &terminal.Printer{W: &out}}
			for _, e := range events {
				s.ShowEvent(e)
			}
			s.Finish(agent.Reply{Content: "全文"})
			Expect(out.String()).To(Equal(text))
		}
	})

	It("reports an event whose data are not valid JSON", func() {
		Expect(screenOutput(trace.Event{Kind: trace.KindMessage, Data: json.RawMessage(`{`)})).
			To(HavePrefix("! a message that is not JSON"))
		Expect(screenOutput(trace.Event{Kind: trace.KindQuestion, Data: json.RawMessage(`[`)})).
			To(HavePrefix("! a question that is not JSON"))
	})
})

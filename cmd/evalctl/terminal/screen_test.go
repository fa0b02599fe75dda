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

// screened is what a screen shows of an answer.
func screened(events ...trace.Event) string {
	var out strings.Builder
	s := terminal.Screen{Out: &terminal.Printer{W: &out}}
	for _, e := range events {
		s.Event(e)
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

var _ = Describe("a screen", func() {
	const two = "在呢\n昨天聊了火锅  · 3 s later\n"

	It("has a line for each message of an answer, with how long it waits", func() {
		Expect(screened(message("在呢", 0), message("昨天聊了火锅", 3))).To(Equal(two))
	})

	It("shows once what comes as chunks too", func() {
		Expect(screened(message("在呢", 0), chunk("在呢\n"), message("昨天聊了火锅", 3), chunk("昨天聊了火锅"))).To(Equal(two))
		Expect(screened(message("在呢", 0), message("昨天聊了火锅", 3), chunk("在呢\n昨天聊了火锅"))).To(Equal(two))
		Expect(screened(chunk("在呢\n"), message("在呢", 0), chunk("昨天聊了火锅"), message("昨天聊了火锅", 3))).
			To(Equal(two))
		Expect(screened(chunk("在呢"), message("在呢", 0), chunk("\n昨天聊了火锅"), message("昨天聊了火锅", 3))).To(Equal(two))
		Expect(screened(chunk("在呢\n"), message("在呢", 3))).To(Equal("在呢\n· 3 s later\n"))
		Expect(screened(message("在呢", 0), chunk("另外"))).To(Equal("在呢\n另外\n"))
	})

	It("N7: shows what the user is asked, once", func() {
		asked := trace.Event{Kind: trace.KindQuestion, Data: json.RawMessage(`{"thread_id":"t","questions":[{"key":"a","question":"写给谁看？"},{"key":"b","question":"什么语气？"}]}`)}
		Expect(screened(asked)).To(Equal("? 写给谁看？\n? 什么语气？\n"))
		Expect(screened(asked, chunk("写给谁看？\n什么语气？"))).To(Equal("? 写给谁看？\n? 什么语气？\n"))
		Expect(screened(chunk("先问一下：写给谁看？"), asked)).To(Equal("先问一下：写给谁看？\n? 什么语气？\n"))
	})

	It("leaves streamed text as it comes", func() {
		Expect(screened(chunk("好"), chunk("好\n"), chunk("好"))).To(Equal("好好\n好\n"))
	})

	It("shows an answer at its end that did not come in pieces, and no other again", func() {
		for text, events := range map[string][]trace.Event{
			"全文\n": nil, "全\n": {chunk("全")}, "说\n": {message("说", 0)},
			"看\n": {{Kind: trace.KindGenUIComponent, Data: json.RawMessage(`{"props":{"text":"看"}}`)}},
		} {
			var out strings.Builder
			s := terminal.Screen{Out: &terminal.Printer{W: &out}}
			for _, e := range events {
				s.Event(e)
			}
			s.Finish(agent.Reply{Content: "全文"})
			Expect(out.String()).To(Equal(text))
		}
	})

	It("says what is no JSON", func() {
		Expect(screened(trace.Event{Kind: trace.KindMessage, Data: json.RawMessage(`{`)})).To(HavePrefix("! a message that is no JSON"))
		Expect(screened(trace.Event{Kind: trace.KindQuestion, Data: json.RawMessage(`[`)})).To(HavePrefix("! a question that is no JSON"))
	})
})

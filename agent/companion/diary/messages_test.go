package diary_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/companion/diary"
)

var _ = Describe("The messages of a diary", func() {
	zone := time.FixedZone("", 8*60*60)
	evening := time.Date(2026, 11, 19, 23, 50, 0, 5, zone)
	var d *diary.Store
	BeforeEach(func() { d = opened("") })

	message := func(role, content string, at time.Time) diary.Message {
		return diary.Message{Role: role, Content: content, At: at}
	}
	batch := func(id string, messages ...diary.Message) diary.Batch {
		return diary.Batch{ID: id, Agent: "lin", Conversation: "c1", Messages: messages}
	}
	contents := func(day string) (all []string) {
		GinkgoHelper()
		messages, err := d.Messages(ctx, "lin", day)
		Expect(err).NotTo(HaveOccurred())
		for _, m := range messages {
			all = append(all, m.Content)
		}
		return all
	}

	It("C8: are stored in order, each on its day in the time zone of its time", func() {
		reply := message("assistant", "在的", evening.Add(time.Second))
		reply.Delay = 1.5
		Expect(d.SaveBatches(ctx,
			batch("b1", message("user", "在吗", evening), message("user", "昨天聊了啥\x00", evening), reply))).To(Succeed())
		Expect(d.SaveBatches(ctx, batch("b2", message("user", "早", evening.Add(time.Hour))))).To(Succeed())
		messages, err := d.Messages(ctx, "lin", "2026-11-19")
		Expect(err).NotTo(HaveOccurred())
		Expect(messages).To(HaveLen(3))
		Expect(messages[0].At.Equal(evening)).To(BeTrue())
		Expect(messages[1].Content).To(Equal("昨天聊了啥\x00"))
		Expect(messages[2].Role).To(Equal("assistant"))
		Expect(messages[2].Delay).To(Equal(1.5))
		Expect(contents("2026-11-20")).To(Equal([]string{"早"}))
	})

	It("C8: are all stored, or none if the batch exists already or the context is canceled", func() {
		Expect(d.SaveBatches(ctx, batch("b1", message("user", "一", evening)))).To(Succeed())
		Expect(d.SaveBatches(ctx, batch("b2", message("user", "二", evening)),
			batch("b1", message("user", "三", evening)))).
			To(MatchError(ContainSubstring("UNIQUE")), "a batch that is kept already")
		Expect(contents("2026-11-19")).To(Equal([]string{"一"}))
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		Expect(d.SaveBatches(cancelled, batch("b3", message("user", "四", evening)))).To(MatchError(context.Canceled))
		Expect(contents("2026-11-19")).To(Equal([]string{"一"}))
	})

	It("are read for all conversations of the agent", func() {
		other := batch("b1", message("user", "别处", evening))
		other.Conversation = "c2"
		strange := batch("b1", message("user", "别人", evening))
		strange.Agent = "mia"
		strange.Conversation = "c3"
		Expect(d.SaveBatches(ctx, batch("b1", message("user", "这里", evening)), other, strange)).To(Succeed())
		Expect(contents("2026-11-19")).To(Equal([]string{"这里", "别处"}))
	})

	It("C6: mark their day as one that needs a summary until it has one", func() {
		for n := range 3 {
			Expect(d.SaveBatches(ctx,
				batch(fmt.Sprint(n), message("user", "一", evening.AddDate(0, 0, n)),
					message("user", "二", evening.AddDate(0, 0, n))))).To(Succeed())
		}
		days := func(agent string) []string {
			GinkgoHelper()
			days, err := d.DaysWithoutSummary(ctx, agent, "2026-11-21")
			Expect(err).NotTo(HaveOccurred())
			return days
		}
		Expect(days("lin")).To(Equal([]string{"2026-11-19", "2026-11-20"}))
		Expect(days("mia")).To(BeEmpty())
		Expect(d.Upsert(ctx, day(19, "一"))).To(Succeed())
		Expect(days("lin")).To(Equal([]string{"2026-11-20"}))
	})

	It("are truncated if they are too long, and corrected if they contain invalid UTF-8", func() {
		Expect(d.SaveBatches(ctx,
			batch("b1", message("user", strings.Repeat("x", 1_000_000), evening), message("user", "a\xffb", evening)))).
			To(Succeed())
		all := contents("2026-11-19")
		Expect(all[0]).To(HaveLen(100_000))
		Expect(all[1]).To(Equal("a\ufffdb"))
	})

	It("are limited to the last thousand of a day", func() {
		for n := range 3 {
			many := make([]diary.Message, 500)
			for i := range many {
				many[i] = message("user", fmt.Sprint(n*500+i), evening)
			}
			Expect(d.SaveBatches(ctx, batch(fmt.Sprint(n), many...))).To(Succeed())
		}
		all := contents("2026-11-19")
		Expect(all).To(HaveLen(1000))
		Expect(all[0]).To(Equal("500"))
		Expect(all[999]).To(Equal("1499"))
	})

	DescribeTable("are rejected if they are invalid", func(b diary.Batch, why string) {
		Expect(d.SaveBatches(ctx, b)).To(MatchError(why))
	},
		Entry("without an agent", diary.Batch{ID: "b", Conversation: "c"}, `batch "b": agent: there is none`),
		Entry("in a batch that is too long", batch("b", make([]diary.Message, 1001)...),
			`batch "b": has 1001 messages, more than 1000`),
		Entry("without a role", batch("b", diary.Message{Content: "x"}), `batch "b": message 1: role: there is none`),
		Entry("with a delay that is not a number", batch("b", diary.Message{Role: "user", Delay: math.NaN()}),
			`batch "b": message 1: delay is not a number`),
	)
})

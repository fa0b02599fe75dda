package toolrouter_test

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/toolrouter"
	"evalctl/agent/toolrouter/nearday"
	"evalctl/mocks/component"
)

func tellAt(at time.Time, text string) string {
	GinkgoHelper()
	s := newStage(says{})
	s.config.Mode = toolrouter.ModeRules
	a, err := s.open()
	Expect(err).NotTo(HaveOccurred())
	var reply agent.Reply
	Expect(clock.RunSimulated(context.Background(), at, func(ctx context.Context) error {
		reply, err = a.Respond(ctx, agent.Turn{Text: text}, nil)
		return err
	})).To(Succeed())
	Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteTimeQuery))
	Expect(s.server.Log()).To(BeEmpty(), "no model is asked")
	return reply.Content
}

var _ = Describe("The answer to a time question", func() {
	instant := time.Date(2026, 2, 1, 7, 5, 9, 0, time.UTC)

	DescribeTable("T8: contains time, date, weekday, time zone and timestamp in the local time zone, without a model call",
		func(zone *time.Location, text, want string) {
			Expect(tellAt(instant.In(zone), text)).To(Equal(want))
		},
		Entry("the local time zone is Beijing's", time.FixedZone("CST", 8*3600), "现在几点",
			"现在是 2026年2月1日 15:05:09，星期日，时区 CST (UTC+08:00)，Unix 时间戳 1769929509。"),
		Entry("the local time zone has an offset but no name", time.FixedZone("", -5*3600-1800), "现在几点",
			"现在是 2026年2月1日 01:35:09，星期日，时区 UTC-05:30，Unix 时间戳 1769929509。"),
		Entry("the local date is one day before the date in UTC", time.FixedZone("HST", -10*3600), "今天几号",
			"现在是 2026年1月31日 21:05:09，星期六，时区 HST (UTC-10:00)，Unix 时间戳 1769929509。"),
		Entry("the question is in English and the local time zone is UTC", time.UTC, "what time is it?",
			"It is 07:05:09 on Sunday, 1 February 2026, time zone UTC (UTC+00:00), Unix timestamp 1769929509."),
	)

	DescribeTable("T8: contains the date and weekday of a named day near today, such as tomorrow",
		func(text, want string) {
			Expect(tellAt(instant, text)).To(HaveSuffix(want))
		},
		Entry(nil, "明天星期几", "Unix 时间戳 1769929509。明天是 2026年2月2日，星期一。"),
		Entry(nil, "後天幾號", "。後天是 2026年2月3日，星期二。"),
		Entry(nil, "大后天是星期几", "。大后天是 2026年2月4日，星期三。"),
		Entry(nil, "昨天几号", "。昨天是 2026年1月31日，星期六。"),
		Entry(nil, "今天星期几", "Unix 时间戳 1769929509。"),
		Entry(nil, "What day is tomorrow?", "1769929509. Tomorrow: Monday, 2 February 2026."),
		Entry(nil, "what date is the day after tomorrow", " Day after tomorrow: Tuesday, 3 February 2026."),
		Entry(nil, "what was yesterday's date", " Yesterday: Saturday, 31 January 2026."),
	)

	DescribeTable("31.6: contains every day that the companion's date parser reads as past or future",
		func(text, want string, offset int) {
			name, away := nearday.FindDay(text, instant)
			Expect(name).To(Equal(want))
			Expect(away).To(Equal(offset))
		},
		Entry(nil, "三天后是星期几", "三天后", 3),
		Entry(nil, "2026年1月20日是星期几", "2026年1月20日", -12),
		Entry(nil, "what date was it a fortnight ago", "a fortnight ago", -14),
		Entry(nil, "what date is next Friday", "next Friday", 5),
		Entry(nil, "今天几号，大后天呢", "大后天", 3),
		Entry("not a day that can be past or future", "周五是几号", "", 0),
		Entry("not a week", "上周是几号", "", 0),
	)

	It("T8: contains the date for every name of a day, such as tomorrow, that the rules recognize", func() {
		for name := range strings.FieldsSeq(nearday.ChineseDayNames()) {
			for _, asks := range []string{"几号", "是星期几"} {
				Expect(tellAt(instant, name+asks)).To(ContainSubstring("。"+name+"是 2026年"), name)
			}
		}
	})

	It("T8: is given after only one model call, for the routing decision", func() {
		s := newStage(says{component.Router: route("time_query", 1)})
		_, err := s.say("现在几点")
		Expect(err).NotTo(HaveOccurred())
		Expect(s.asked()).To(Equal([]component.Role{component.Router}))
		Expect(s.story()).To(Equal([]string{
			"1s span router#1 ok",
			"1s route time_query (llm)",
			"1s chunk 现在是 2026年11月20日 12:00:01，星期五，时区 UTC+08:00，Unix 时间戳 1795147201。",
			"1s done 现在是 2026年11月20日 12:00:01，星期五，时区 UTC+08:00，Unix 时间戳 1795147201。",
		}))
	})

	DescribeTable("T8: is not given if the question is about the time in another place or about a festival",
		func(text string) {
			s := newStage(says{component.Chat: "好", component.Search: "- 事实"})
			s.config.Mode = toolrouter.ModeRules
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).NotTo(Equal(toolrouter.RouteTimeQuery))
		},
		Entry(nil, "纽约现在几点"), Entry(nil, "春节是几号"),
	)
})

var _ = Describe("31.9: The time", func() {
	DescribeTable("is that of the zone that the text names, else of the request, else of the setting",
		func(text, setting, request, want string) {
			s := newStage(says{})
			s.config.Mode = toolrouter.ModeRules
			if setting != "" {
				zone, err := time.LoadLocation(setting)
				Expect(err).NotTo(HaveOccurred())
				s.config.Zone = zone
			}
			turn := agent.Turn{Text: text}
			if request != "" {
				turn.State = map[string]json.RawMessage{"time_zone": json.RawMessage(request)}
			}
			reply, err := s.play(turn)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteTimeQuery))
			Expect(reply.Content).To(ContainSubstring(want))
		},
		Entry("the clock's", "现在几点", "", "", noon.Format("15:04:05")),
		Entry("the setting's", "现在几点", "America/New_York", "", noon.In(newYork).Format("15:04:05")),
		Entry("the request's", "what time is it", "Asia/Shanghai", `"America/New_York"`,
			noon.In(newYork).Format("15:04:05")),
		Entry("北京时间 on a server in UTC", "北京时间现在几点", "UTC", "", "时区 UTC+08:00"),
		Entry("北京时间 of a user elsewhere", "现在北京时间是多少", "", `"America/New_York"`,
			noon.UTC().Add(8*time.Hour).Format("15:04:05")),
	)
	It("is an error that names the field if the zone of the request does not exist", func() {
		s := newStage(says{})
		_, err := s.play(agent.Turn{Text: "几点了",
			State: map[string]json.RawMessage{"time_zone": json.RawMessage(`"Mars/Olympus"`)}})
		Expect(err).To(MatchError(ContainSubstring(`state.time_zone: "Mars/Olympus" is not a zone`)))
	})
})

var newYork = time.FixedZone("", -5*60*60) // in November

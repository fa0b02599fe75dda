package dates_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/dates"
)

var _ = DescribeTable("C5: the date in a model's answer yields its days", func(value, want string) {
	r, err := dates.Parse(value, at(wednesday))
	Expect(err).NotTo(HaveOccurred())
	Expect(r.String()).To(Equal(want))
},
	Entry(nil, "yesterday", "2026-11-17"),
	Entry(nil, "today", "2026-11-18"),
	Entry(nil, "day_before_yesterday", "2026-11-16"),
	Entry(nil, "last_week", "2026-11-09..2026-11-15"),
	Entry(nil, "this_week", "2026-11-16..2026-11-22"),
	Entry(nil, "last_7_days", "2026-11-12..2026-11-18"),
	Entry(nil, "last_30_days", "2026-10-20..2026-11-18"),
	Entry(nil, "last_month", "2026-10-01..2026-10-31"),
	Entry(nil, "3_days_ago", "2026-11-15"),
	Entry(nil, "2024-01-15", "2024-01-15"),
	Entry(nil, "2024-1-15", "2024-01-15"),
	Entry(nil, " 2024-1-15 ", "2024-01-15"),
	Entry(nil, "2026-11-09..2026-11-15", "2026-11-09..2026-11-15"),
	Entry(nil, "2026-11-09..2026-11-10,2026-11-12", "2026-11-09..2026-11-10,2026-11-12"),
	Entry(nil, "2024-01-01 to 2024-01-15", "2024-01-01..2024-01-15"),
	Entry(nil, "yesterday, last_week", "2026-11-09..2026-11-15,2026-11-17"),
	Entry(nil, "昨天", "2026-11-17"),
	Entry(nil, "上周三、上周五", "2026-11-11,2026-11-13"),
	Entry(nil, "从11月1号到5号", "2026-11-01..2026-11-05"),
	Entry("none for a future day", "tomorrow", ""),
	Entry("none for an empty value", "", ""),
	Entry("none for null", "null", ""),
)

var _ = DescribeTable("C5: a date value with other text is an error", func(value string) {
	_, err := dates.Parse(value, at(wednesday))
	Expect(err).To(MatchError(dates.ErrNotADate))
},
	Entry(nil, "recently"), Entry(nil, "yesterday evening or so"), Entry(nil, "昨天的会"), Entry(nil, ","),
	Entry(nil, "2024-01-15x"),
	Entry("for a value that is too long", "yesterday"+strings.Repeat(" ,", 5000)+"yesterday"),
)

var _ = Describe("C5: an impossible day in a model's answer", func() {
	It("C5: yields no days but a reason, and is not an error", func() {
		r, err := dates.Parse("2024-02-30", at(wednesday))
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Ranges).To(BeEmpty())
		Expect(r.Invalid).To(ConsistOf(dates.InvalidDate{Text: "2024-02-30", Reason: dates.ReasonInvalidDate}))
	})
})

var _ = Describe("C5: a range given by two dates", func() {
	span := func(from, to string) (dates.Result, error) { return dates.ParseRange(from, to, at(wednesday)) }

	It("C5: includes both ends", func() {
		r, err := span("2024-01-01", "2024-1-15")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.String()).To(Equal("2024-01-01..2024-01-15"))
		Expect(r.Days()).To(HaveLen(15))
	})
	It("C5: may end after today, but yields no days if it also starts after today", func() {
		r, err := span("2026-11-16", "2026-11-22")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.String()).To(Equal("2026-11-16..2026-11-22"))
		r, err = span("2026-11-19", "2026-11-22")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Ranges).To(BeEmpty())
		Expect(r.Upcoming).To(HaveLen(1))
	})
	It("C5: ends today if the second date is empty", func() {
		r, err := span("last_week", "")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.String()).To(Equal("2026-11-09..2026-11-18"))
	})
	It("C5: yields a reason if it is reversed, has an impossible day, or is too long", func() {
		r, err := span("2024-01-15", "2024-01-01")
		Expect(err).NotTo(HaveOccurred())
		Expect(r).To(Equal(dates.Result{Invalid: []dates.InvalidDate{{Text: "2024-01-15..2024-01-01",
			Reason: dates.Reversed}}}))
		r, err = span("2024-02-30", "2024-03-01")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Invalid).To(ConsistOf(dates.InvalidDate{Text: "2024-02-30", Reason: dates.ReasonInvalidDate}))
		r, err = span("2020-01-01", "2024-01-01")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Invalid).To(ConsistOf(HaveField("Reason", dates.TooLong)))
	})
	It("C5: is an error if one of the dates cannot be parsed", func() {
		_, err := span("", "2024-01-01")
		Expect(err).To(MatchError(dates.ErrNotADate))
		_, err = span("2024-01-01", "soon")
		Expect(err).To(MatchError(dates.ErrNotADate))
	})
})

var _ = Describe("C5: the result for a text", func() {
	It("C5: contains the positions of the dates, and can remove them from the text", func() {
		text := "诶，３ 天前还是yesterday晚上说的，明天呢，2月30日呢"
		r := dates.Find(text, at(wednesday))
		var found []string
		for _, s := range r.Spans {
			found = append(found, text[s.From:s.To])
		}
		Expect(found).To(Equal([]string{"３ 天前", "yesterday晚上", "明天", "2月30日"}))
		Expect(r.TextWithoutDates(text)).To(Equal("诶， 还是 说的， 呢， 呢"))
	})
	It("C5: reports whether the text names a past day", func() {
		today := dates.DayOf(at(wednesday))
		Expect(dates.Find("昨天", at(wednesday)).HasDayBefore(today)).To(BeTrue())
		Expect(dates.Find("今天", at(wednesday)).HasDayBefore(today)).To(BeFalse())
		Expect(dates.Find("明天", at(wednesday)).HasDayBefore(today)).To(BeFalse())
	})
	It("C5: lists the days in order, without duplicates", func() {
		today, r := dates.DayOf(at(wednesday)), dates.Find("昨天、前天、昨天还有上周日", at(wednesday))
		Expect(r.Days()).To(HaveExactElements(today-3, today-2, today-1))
		Expect(r.Ranges).To(HaveLen(1))
	})
	It("C5: is limited in size for texts of any length with any number of dates", func() {
		r := dates.Find(strings.Repeat("2024-02-30 昨天", 100_000), at(wednesday))
		Expect(len(r.Spans)).To(BeNumerically("<=", 32))
		Expect(dates.Find(strings.Repeat("哈", 5000)+"昨天", at(wednesday)).Spans).To(BeEmpty())
	})
})

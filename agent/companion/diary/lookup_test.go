package diary_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/companion/diary"
)

var ctx = context.Background()

func opened(path string) *diary.Store {
	GinkgoHelper()
	d, err := diary.Open(path)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(d.Close)
	return d
}

// day returns a summary of agent lin for a day in November.
func day(n int, summary string, topics ...string) diary.DailySummary {
	return diary.DailySummary{Agent: "lin", Date: fmt.Sprintf("2026-11-%02d", n), Summary: summary, Topics: topics}
}

// found returns the days of November that a query finds.
func found(d *diary.Store, q diary.Query) []int {
	GinkgoHelper()
	if q.Agent == "" {
		q.Agent = "lin"
	}
	if q.Today == "" {
		q.Today = "2026-11-20"
	}
	all, err := d.Search(ctx, q)
	Expect(err).NotTo(HaveOccurred())
	days := []int{}
	for _, f := range all {
		var n int
		_, err := fmt.Sscanf(f.Date, "2026-11-%d", &n)
		Expect(err).NotTo(HaveOccurred())
		Expect(f.Agent).To(Equal(q.Agent))
		days = append(days, n)
	}
	return days
}

func on(from, to int) diary.DateRange {
	return diary.DateRange{From: fmt.Sprintf("2026-11-%02d", from), To: fmt.Sprintf("2026-11-%02d", to)}
}

var _ = Describe("A diary", func() {
	var d *diary.Store
	BeforeEach(func() {
		d = opened("")
		Expect(d.Upsert(ctx,
			day(3, "去了重庆，晚上吃火锅，辣得流泪。", "重庆", "火锅"),
			day(12, "说到猫生病了，带它去看医生。", "猫"),
			day(5, "I went running by the river; the boiler leaks again.", "Running"),
			day(7, "聊了小说和电影，周末想再吃一次火锅，最近很累，话说得很多，也谈了谈工作和房租的事情。", "小说"),
			day(18, "买了ＭＡＣＢＯＯＫ Pro，花了12000块。café很好。"),
			day(21, "明天的火锅"),
			diary.DailySummary{Agent: "mia", Date: "2026-11-04", Summary: "火锅，滑冰"},
		)).To(Succeed())
	})

	It("C6: returns a summary as it was stored", func() {
		whole := day(1, "第一行\n\"二\"\x00行", "a", "b,c")
		whole.KeyPoints = []string{"要点"}
		Expect(d.Upsert(ctx, whole)).To(Succeed())
		all, err := d.Search(ctx, diary.Query{Agent: "lin", Days: []diary.DateRange{on(1, 1)}, Today: "2026-11-20"})
		Expect(err).NotTo(HaveOccurred())
		Expect(all).To(Equal([]diary.Match{{DailySummary: whole}}))
	})

	DescribeTable("C6: filters days by date and ranks them by keywords",
		func(days []diary.DateRange, keywords string, want ...int) {
			Expect(found(d, diary.Query{Days: days, RequireKeyword: true, Keywords: strings.Fields(keywords)})).
				To(Equal(append([]int{}, want...)))
		},
		Entry("for neither dates nor words: the newest days", nil, "", 18, 12, 7, 5, 3),
		Entry("for a day", []diary.DateRange{on(5, 5)}, "", 5),
		Entry("for a day without a summary", []diary.DateRange{on(6, 6)}, ""),
		Entry("for ranges in any order, one inside another",
			[]diary.DateRange{on(3, 3), on(10, 14), on(11, 12), on(5, 5)},
			"", 12, 5, 3),
		Entry("for overlapping ranges", []diary.DateRange{on(4, 12), on(10, 14)}, "", 12, 7, 5),
		Entry("for a range that ends after today", []diary.DateRange{on(18, 30)}, "", 18),
		Entry("for only future days", []diary.DateRange{on(21, 30)}, "火锅"),
		Entry("for a word of two characters: the best match first", nil, "火锅", 3, 7),
		Entry("for a word of one character", nil, "猫", 12),
		Entry("for a word that matches in part", nil, "重庆火锅店", 3, 7),
		Entry("for several words: the rarer one has more weight", nil, "火锅 小说", 7, 3),
		Entry("for a word that only another agent's days contain", nil, "滑冰"),
		Entry("for a word that no day contains", nil, "滑雪"),
		Entry("for dates and a word that no day contains", []diary.DateRange{on(5, 7)}, "滑雪", 7, 5),
		Entry("for dates and a word: days with the word before newer ones", []diary.DateRange{on(1, 12)},
			"重庆", 3, 12, 7, 5),
		Entry("for only stop words", nil, "发生 什么 聊了什么 说过的 记得", 18, 12, 7, 5, 3),
		Entry("for dates and stop words", []diary.DateRange{on(3, 5)}, "发生 什么", 5, 3),
		Entry("for a stop word and another word", nil, "之前说的小说", 7),
		Entry("for a word that contains a stop word", nil, "小说", 7),
		Entry("for an English word in another form", nil, "What did we say about runs", 5),
		Entry("for an English word in another case and width", nil, "macbook", 18),
		Entry("for a word without its accent", nil, "CAFE", 18),
		Entry("for a number", nil, "12000", 18),
		Entry("for an English word that no day contains", nil, "skiing"),
	)

	DescribeTable("C6: only ranks by keywords if the query does not require them", func(keywords string, want ...int) {
		Expect(found(d, diary.Query{Keywords: strings.Fields(keywords)})).To(Equal(want))
	},
		Entry("with matching days first", "火锅 滑冰", 3, 7, 18, 12, 5),
		Entry("with the newest days if no day matches", "remind 继续", 18, 12, 7, 5, 3),
	)

	It("C6: gives a word more weight in a short summary", func() {
		Expect(d.Upsert(ctx, day(8, "滑雪。"+strings.Repeat("后来写了一整天的报告，", 10)), day(6, "滑雪。"))).To(Succeed())
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: []string{"滑雪"}})).To(Equal([]int{6, 8}))
	})

	DescribeTable("C6: finds a word in another form", func(text, keyword string) {
		Expect(d.Upsert(ctx, day(9, text))).To(Succeed())
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: []string{keyword}})).To(Equal([]int{9}))
	},
		Entry("without its accent", "a naïve plan", "naive"),
		Entry(nil, "a naive plan", "naïve"),
		Entry("for a word whose stem ends in a double consonant", "leaves were falling", "fall"),
		Entry("for a word that doubles its last consonant before the suffix", "it kept stopping", "stop"),
	)

	It("C6: returns at most five days, or as many as the query permits", func() {
		for n := 8; n <= 17; n++ {
			Expect(d.Upsert(ctx, day(n, "跑步"))).To(Succeed())
		}
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: []string{"跑步"}})).
			To(Equal([]int{17, 16, 15, 14, 13}))
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: []string{"跑步"}, Limit: 2})).To(Equal([]int{17, 16}))
		Expect(found(d, diary.Query{Limit: 1})).To(Equal([]int{18}))
		Expect(found(d, diary.Query{Limit: -1})).To(HaveLen(5))
	})

	It("C6: returns the keyword score of each day", func() {
		all, err := d.Search(ctx,
			diary.Query{Agent: "lin", Days: []diary.DateRange{on(1, 12)}, RequireKeyword: true,
				Keywords: []string{"火锅"}, Today: "2026-11-20"})
		Expect(err).NotTo(HaveOccurred())
		Expect(all).To(HaveLen(4))
		Expect(all[0].Score).To(And(BeNumerically(">", all[1].Score), BeNumerically("<", 1)))
		Expect(all[1].Score).To(BeNumerically(">", 0))
		Expect(all[2].Score).To(BeZero())
		half, err := d.Search(ctx,
			diary.Query{Agent: "lin", RequireKeyword: true, Keywords: []string{"重庆", "滑雪"}, Today: "2026-11-20"})
		Expect(err).NotTo(HaveOccurred())
		Expect(half).To(HaveLen(1))
		Expect(half[0].Score).To(And(BeNumerically(">", 0.1), BeNumerically("<", all[0].Score)))
	})

	It("C6: finds an updated day by its new words only", func() {
		for range 3 {
			Expect(d.Upsert(ctx, day(3, "去了北京"))).To(Succeed())
		}
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: []string{"重庆"}})).To(BeEmpty())
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: []string{"北京"}})).To(Equal([]int{3}))
		Expect(found(d, diary.Query{Days: []diary.DateRange{on(3, 3)}})).To(Equal([]int{3}))
	})

	It("C6: separates the days of different agents", func() {
		Expect(found(d, diary.Query{Agent: "mia"})).To(Equal([]int{4}))
		Expect(found(d, diary.Query{Agent: "mia", RequireKeyword: true, Keywords: []string{"火锅"}})).To(Equal([]int{4}))
		Expect(found(d, diary.Query{Agent: "nobody"})).To(BeEmpty())
	})

	It("C6: stores all days of one call or none", func() {
		Expect(d.Upsert(ctx, day(15, "新的"), day(16, " "))).
			To(MatchError(`day "2026-11-16" of "lin": summary: there is none`))
		Expect(found(d, diary.Query{Days: []diary.DateRange{on(15, 16)}})).To(BeEmpty())
	})

	DescribeTable("rejects an invalid summary", func(d0 diary.DailySummary, why string) {
		Expect(d.Upsert(ctx, d0)).To(MatchError(HaveSuffix(why)))
	},
		Entry(nil, diary.DailySummary{Date: "2026-11-01", Summary: "x"}, "agent: there is none"),
		Entry(nil, diary.DailySummary{Agent: strings.Repeat("x", 201), Date: "2026-11-01", Summary: "x"},
			"agent: has 201 bytes, more than 200"),
		Entry(nil, diary.DailySummary{Agent: "lin", Date: "2026-02-30", Summary: "x"},
			`date: "2026-02-30" is not a day such as 2026-11-12`),
		Entry(nil, diary.DailySummary{Agent: "lin", Date: "0000-01-01", Summary: "x"},
			`date: "0000-01-01" is not a day such as 2026-11-12`),
		Entry(nil, diary.DailySummary{Agent: "lin", Date: "2026-11-01", Summary: strings.Repeat("x", 70_000)},
			"has 70002 bytes, more than 65536"),
	)

	DescribeTable("rejects an invalid query", func(q diary.Query, why string) {
		_, err := d.Search(ctx, q)
		Expect(err).To(MatchError(why))
	},
		Entry(nil, diary.Query{}, `today: date: "" is not a day such as 2026-11-12`),
		Entry(nil, diary.Query{Today: "2026-11-20", Days: []diary.DateRange{{From: "yesterday", To: "2026-11-20"}}},
			`date: "yesterday" is not a day such as 2026-11-12`),
		Entry(nil, diary.Query{Today: "2026-11-20", Days: []diary.DateRange{on(5, 3)}},
			"date: 2026-11-05 is after 2026-11-03"),
		Entry(nil, diary.Query{Today: "2026-11-20", Days: make([]diary.DateRange, 401)},
			"asks for 401 spans of days, more than 400"),
	)

	DescribeTable("treats every keyword as plain text", func(keyword string, want ...int) {
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: []string{keyword}})).
			To(Equal(append([]int{}, want...)))
	},
		Entry("with quotes", `"boiler" 'leaks`, 5),
		Entry("with an asterisk", "boil*"),
		Entry("with the operator NEAR", "NEAR(boiler leaks, 2)", 5),
		Entry("with the operators AND and NOT", "boiler AND NOT leaks", 5),
		Entry("with the name of a column", "terms : boiler", 5),
		Entry("with a hyphen and a caret", "-boiler ^leaks", 5),
		Entry("with NUL bytes", "\x00boiler\x00", 5),
		Entry("with invalid UTF-8", "\xff\xfeboiler\xff", 5),
		Entry("with SQL", "boiler'; DROP TABLE days; --", 5),
		Entry("but ignores a keyword of punctuation", "\"*-()", 18, 12, 7, 5, 3),
		Entry("with 100,000 characters", strings.Repeat("滑雪", 50_000)),
	)

	It("uses only a limited number of keywords", func() {
		var many []string
		for i := range 10_000 {
			many = append(many, fmt.Sprint("word", i))
		}
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: many})).To(BeEmpty())
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: append([]string{"boiler"}, many...)})).
			To(Equal([]int{5}))
	})

	It("C6: stores its days in a file", func() {
		path := filepath.Join(GinkgoT().TempDir(), "diary.db")
		kept := opened(path)
		Expect(kept.Upsert(ctx, day(3, "火锅"))).To(Succeed())
		Expect(kept.Close()).To(Succeed())
		Expect(found(opened(path), diary.Query{RequireKeyword: true, Keywords: []string{"火锅"}})).To(Equal([]int{3}))
	})

	It("X8: creates an independent copy for each trial", func() {
		copied, err := d.CloneFunc()
		Expect(err).NotTo(HaveOccurred())
		one, other := copied(), copied()
		Expect(one.Upsert(ctx, day(19, "滑雪"))).To(Succeed())
		Expect(found(one, diary.Query{RequireKeyword: true, Keywords: []string{"滑雪"}})).To(Equal([]int{19}))
		Expect(found(other, diary.Query{RequireKeyword: true, Keywords: []string{"滑雪"}})).To(BeEmpty())
		Expect(found(other, diary.Query{RequireKeyword: true, Keywords: []string{"火锅"}})).To(Equal([]int{3, 7}))
		Expect(found(d, diary.Query{RequireKeyword: true, Keywords: []string{"滑雪"}})).To(BeEmpty())
	})
})

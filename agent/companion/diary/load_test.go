package diary_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/companion/diary"
)

var _ = Describe("A file of daily summaries", func() {
	const good = `{"agent":"lin","date":"2026-10-03","summary":"去了重庆","topics":["旅行"],"key_points":["火锅"]}`

	It("is read with one summary per line", func() {
		days, err := diary.ReadSummaries("days.jsonl",
			strings.NewReader("\n"+good+"\n \n"+strings.Replace(good, "lin", "mia", 1)))
		Expect(err).NotTo(HaveOccurred())
		lin := diary.DailySummary{Agent: "lin", Date: "2026-10-03", Summary: "去了重庆", Topics: []string{"旅行"},
			KeyPoints: []string{"火锅"}}
		mia := lin
		mia.Agent = "mia"
		Expect(days).To(Equal([]diary.DailySummary{lin, mia}))
	})

	It("is read to its end, and the error lists all problems with file and line", func() {
		_, err := diary.ReadSummaries("days.jsonl", strings.NewReader(strings.Join([]string{
			good, `{"agent":1}`, `{"agent":"lin","mood":"fine"}`, good, strings.Replace(good, "10-03", "10-33", 1),
			`{`, `{"date":"2026-10-04","summary":"到家了"}`}, "\n")))
		Expect(strings.Split(err.Error(), "\n")).To(HaveExactElements(
			HavePrefix("days.jsonl:2: "),
			And(HavePrefix("days.jsonl:3: "), ContainSubstring("mood")),
			Equal("days.jsonl:4: lin has 2026-10-03 before, in line 1"),
			Equal(`days.jsonl:5: date: "2026-10-33" is not a day such as 2026-11-12`),
			HavePrefix("days.jsonl:6: "),
			Equal("days.jsonl:7: agent: there is none"),
			HavePrefix("each line is a JSON object: "),
		))
	})

	It("may start with a byte order mark", func() {
		days, err := diary.ReadSummaries("days.jsonl", strings.NewReader("\ufeff"+good))
		Expect(err).NotTo(HaveOccurred())
		Expect(days).To(HaveLen(1))
	})

	It("31.5: is valid if its lines have the format that the error describes", func() {
		_, err := diary.ReadSummaries("days.jsonl", strings.NewReader(`{"date":"2026-10-04","summary":"到家了"}`))
		Expect(err).To(HaveOccurred())
		_, format, _ := strings.Cut(err.Error(), "each line is a JSON object: ")
		line, _, _ := strings.Cut(format, "}; ")
		days, err := diary.ReadSummaries("days.jsonl", strings.NewReader(line+"}"))
		Expect(err).NotTo(HaveOccurred())
		Expect(days).To(HaveLen(1))
	})

	It("is not read beyond a line that is too long, a read error, or twenty problems", func() {
		_, err := diary.ReadSummaries("days.jsonl", strings.NewReader(good+"\n"+strings.Repeat("x", 2<<20)))
		Expect(err).To(MatchError("days.jsonl:2: line of 1 MiB or more"))
		_, err = diary.ReadSummaries("days.jsonl", iotest.ErrReader(errors.New("oh")))
		Expect(err).To(MatchError("days.jsonl:1: oh"))
		_, err = diary.ReadSummaries("days.jsonl", strings.NewReader(strings.Repeat("x\n", 100)))
		Expect(strings.Count(err.Error(), "days.jsonl:")).To(Equal(20))
	})
})

func FuzzLoad(f *testing.F) {
	f.Add(`{"agent":"lin","date":"2026-10-03","summary":"去了","topics":[],"key_points":null}`, "重庆")
	f.Add(`{"agent":"\u0000","date":"9999-12-31","summary":"\"*","topics":["`+"\xff"+`"]}`, "\" OR *")
	f.Fuzz(func(t *testing.T, line, keyword string) {
		days, err := diary.ReadSummaries("f", strings.NewReader(line))
		if err != nil {
			return
		}
		d, err := diary.Open("")
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if err := d.Upsert(ctx, days...); err != nil {
			t.Fatal(err)
		}
		for _, day := range days {
			if _, err := d.Search(ctx,
				diary.Query{Agent: day.Agent, Keywords: []string{keyword, day.Summary},
					Today: "9999-12-31"}); err != nil {
				t.Fatal(err)
			}
			found, err := d.Search(ctx,
				diary.Query{Agent: day.Agent, Days: []diary.DateRange{{From: day.Date, To: day.Date}},
					Keywords: []string{keyword}, Today: "9999-12-31"})
			if err != nil || len(found) != 1 || found[0].Summary != day.Summary {
				t.Fatal(found, err)
			}
		}
	})
}

var _ = It("C6: a diary adds missing days without replacing others", func() {
	d := opened("")
	Expect(d.Upsert(ctx, day(3, "重庆", "火锅"))).To(Succeed())
	Expect(d.AddMissing(ctx, day(3, "重庆", "火锅"), day(4, "北京"))).To(Succeed())
	Expect(found(d, diary.Query{})).To(Equal([]int{4, 3}))
	Expect(d.AddMissing(ctx, day(5, "上海"), day(3, "重庆", "小面"))).
		To(MatchError("the diary has another 2026-11-03 of lin, which is not overwritten"))
	Expect(found(d, diary.Query{})).To(Equal([]int{4, 3}))
})

package diary_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/companion/diary"
)

// longDiary returns a diary with a number of days up to today, each of a number of characters. Nine
// in ten days contain 火锅.
func longDiary(tb testing.TB, n, characters int) *diary.Store {
	d, err := diary.Open("")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { d.Close() })
	draw := rand.New(rand.NewPCG(1, 2))
	days := make([]diary.DailySummary, n)
	for i := range days {
		var b strings.Builder
		if i%10 > 0 {
			b.WriteString("火锅")
		}
		for range characters {
			b.WriteRune(rune(0x4e00 + int(2500*draw.Float64()*draw.Float64())))
		}
		days[i] = diary.DailySummary{Agent: "lin", Date: today.AddDate(0, 0, i-n+1).Format(time.DateOnly),
			Summary: b.String()}
	}
	if err := d.Upsert(ctx, days...); err != nil {
		tb.Fatal(err)
	}
	return d
}

var today = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

var queries = map[string]diary.Query{
	"keyword": {RequireKeyword: true, Keywords: []string{"火锅"}},
	"both": {RequireKeyword: true, Keywords: []string{"火锅", "一丁七万"},
		Days: []diary.DateRange{{From: "1800-01-01", To: "2026-11-20"}}},
	"several": {RequireKeyword: true, Keywords: []string{"火锅", "一丁七万", "丈三上下"}},
	"rare":    {RequireKeyword: true, Keywords: []string{"滑雪"}},
	"dated": {Days: []diary.DateRange{{From: "2020-03-01", To: "2020-03-31"},
		{From: "2026-11-01", To: "2026-11-30"}}},
	"newest": {},
}

// ask runs a query by name and returns its duration.
func ask(tb testing.TB, d *diary.Store, name string) time.Duration {
	q := queries[name]
	q.Agent, q.Today = "lin", today.Format(time.DateOnly)
	start := time.Now()
	found, err := d.Search(ctx, q)
	duration := time.Since(start)
	if err != nil || (len(found) == 0) != (name == "rare") {
		tb.Fatal(name, len(found), err)
	}
	return duration
}

// BenchmarkLookup measures searches among 100,000 days. One with dates should take less than 5 ms,
// any other less than 20 ms.
func BenchmarkLookup(b *testing.B) {
	d := longDiary(b, 100_000, 80)
	for _, name := range slices.Sorted(maps.Keys(queries)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ask(b, d, name)
			}
		})
	}
}

// BenchmarkPut measures writing the days of one year.
func BenchmarkPut(b *testing.B) {
	for b.Loop() {
		longDiary(b, 365, 80).Close()
	}
}

var _ = Describe("A long diary", func() {
	It("C6: is searched as fast as a diary of a quarter of its length", Label("figures"), func() {
		short, whole := longDiary(GinkgoTB(), 2_500, 4), longDiary(GinkgoTB(), 10_000, 4)
		for _, name := range []string{"keyword", "both", "several", "dated", "newest"} {
			best := func(d *diary.Store) time.Duration {
				var all []time.Duration
				for range 15 {
					all = append(all, ask(GinkgoTB(), d, name))
				}
				return slices.Min(all)
			}
			a, b := best(short), best(whole)
			Expect(b).To(BeNumerically("<", 5*a/2+time.Millisecond), fmt.Sprint(name, ": ", a, " and ", b))
		}
	})
})

package dates_test

import (
	"strings"
	"testing"
	"time"

	"evalctl/agent/dates"
)

func FuzzRead(f *testing.F) {
	for _, text := range messages {
		f.Add(text, int64(1_795_000_000))
	}
	for _, r := range dates.Rows() {
		f.Add(r.Example+"到"+r.Counterexample, int64(1_709_164_800)) // 2024-02-29
	}
	f.Add("10月1号到今天", int64(1_795_000_000)) // 到今天 must not be read as 到今
	f.Add("2月1号到30号\xff２０２４-０２-３０", int64(0))
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		const century = 100 * 366 * 24 * 60 * 60
		now := time.Unix(seconds%century, 0).UTC()
		r := dates.Find(text, now)
		if len(r.Days()) > 400 || len(r.Spans) > 32 {
			t.Fatalf("%q: %d days, %d spans", text, len(r.Days()), len(r.Spans))
		}
		end := 0
		for _, s := range r.Spans {
			if s.From < end || s.To <= s.From || s.To > len(text) {
				t.Fatalf("%q: span %v", text, s)
			}
			end = s.To
		}
		again, err := dates.Parse(r.String(), now)
		if err != nil || again.String() != r.String() {
			t.Fatalf("%q: got %q, parsed back %q, %v", text, r, again, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("last_7_days", "2024-1-15")
	f.Add("2026-11-09..2026-11-15,2026-11-19", "null")
	f.Fuzz(func(t *testing.T, from, to string) {
		now := time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC)
		for _, read := range []func() (dates.Result, error){
			func() (dates.Result, error) { return dates.Parse(from, now) },
			func() (dates.Result, error) { return dates.ParseRange(from, to, now) },
		} {
			r, err := read()
			if days := len(r.Days()); days > 400 || err != nil && days > 0 {
				t.Fatalf("%q %q: %d days, %v", from, to, days, err)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q %q: an error of two lines: %v", from, to, err)
			}
		}
	})
}

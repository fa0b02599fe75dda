package reports_test

import (
	"fmt"
	"io"
	"testing"

	"evalctl/reports"
)

// BenchmarkTable renders a report with all tables for 10 suites of 12 conditions, more than the
// reports of the built-in suites contain.
func BenchmarkTable(b *testing.B) {
	r := full()
	for range 9 {
		r.Summary.Suites = append(r.Summary.Suites, r.Summary.Suites[0])
	}
	r.ShowAll = true
	for _, width := range []int{40, 80, 200} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			r.Width = width
			b.ReportAllocs()
			for b.Loop() {
				if err := reports.Write(io.Discard, reports.Table, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

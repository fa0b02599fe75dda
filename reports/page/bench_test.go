package page_test

import (
	"testing"

	"evalctl/reports/page"
)

func BenchmarkPack(b *testing.B) {
	shape := shape{suites: 1, cases: 200, epochs: 1, variants: []string{"first", "second"},
		faults: []string{"a", "b", "c", "d"}, long: 600}
	list := shape.results()
	source := sourceOf(list)
	b.ReportAllocs()
	for b.Loop() {
		p := page.NewPacker(shape.summary(), page.EncodeOptions{})
		for _, r := range list {
			if err := p.Add(r); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := p.Pack(0, source); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(list)*b.N)/b.Elapsed().Seconds(), "trials/s")
}

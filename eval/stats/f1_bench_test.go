package stats_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"evalctl/eval/stats"
)

// sizes has the size of the built-in data set, and the largest size that must be fast.
var sizes = []struct{ cases, epochs, classes int }{{466, 1, 4}, {5000, 5, 150}}

func BenchmarkF1Add(b *testing.B) {
	for _, s := range sizes {
		list := randomCases(rand.New(rand.NewPCG(1, 2)), s.cases, s.epochs, s.classes)
		b.Run(fmt.Sprintf("%d cases, %d epochs, %d classes", s.cases, s.epochs, s.classes), func(b *testing.B) {
			var f stats.F1
			b.ReportAllocs()
			for i := range b.N {
				f.Add(list[i%len(list)]...)
			}
		})
	}
}

func BenchmarkF1MacroInterval(b *testing.B) {
	for _, s := range sizes {
		f := f1OfRows(randomCases(rand.New(rand.NewPCG(1, 2)), s.cases, s.epochs, s.classes))
		b.Run(fmt.Sprintf("%d cases, %d epochs, %d classes", s.cases, s.epochs, s.classes), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				f.MacroF1Interval(0.95)
			}
		})
	}
}

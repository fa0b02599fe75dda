package metric_test

import (
	"testing"

	"evalctl/eval"
)

// BenchmarkAdd measures adding a result to all metrics of its condition.
func BenchmarkAdd(b *testing.B) {
	t := table(1)
	var list []eval.Result
	for i := range 1000 {
		list = append(list, someTrial(i))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := t.Add(list[i%len(list)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

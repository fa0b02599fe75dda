package floor_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"evalctl/agent/system"
	"evalctl/eval/floor"
)

// simulated generates texts whose word frequencies depend on the label. wrong is the share of texts
// with a wrong label.
func simulated(n, labels int, wrong float64, seed uint64) []system.LabeledExample {
	r := rand.New(rand.NewPCG(seed, 1))
	list := make([]system.LabeledExample, n)
	for i := range list {
		label := r.IntN(labels)
		var words []string
		for range 4 + r.IntN(8) {
			word := r.IntN(500)
			if r.IntN(3) == 0 {
				word = 1000 + 10*label + r.IntN(10)
			}
			words = append(words, fmt.Sprintf("%x", 7919*word))
		}
		if r.Float64() < wrong {
			label = r.IntN(labels)
		}
		list[i] = system.LabeledExample{Text: strings.Join(words, " "), Label: fmt.Sprintf("label-%02d", label)}
	}
	return list
}

func BenchmarkTrain(b *testing.B) {
	list := simulated(15_000, 150, 0.05, 1)
	for b.Loop() {
		if _, err := floor.Train(floor.Linear, list); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPredict(b *testing.B) {
	m, err := floor.Train(floor.Linear, simulated(2_000, 150, 0.05, 1))
	if err != nil {
		b.Fatal(err)
	}
	asked := simulated(100, 150, 0, 2)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Predict(asked[i%len(asked)].Text)
	}
}

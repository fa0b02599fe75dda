package knowledge_test

import (
	"fmt"
	"math/rand/v2"

	"evalctl/agent/knowledge"
)

// grid returns n styles with two names each, and an embedder with random vectors for them.
func grid(n, dimensions int) ([]knowledge.Style, fixedEmbedder) {
	r := rand.New(rand.NewPCG(1, 2))
	e := fixedEmbedder{name: "grid", vectors: map[string][]float32{}}
	styles := make([]knowledge.Style, n)
	for i := range styles {
		s := knowledge.Style{ID: fmt.Sprintf("style-%05d", i), ZH: fmt.Sprintf("甲%d", i), EN: fmt.Sprintf("a%d", i),
			Prompt: "p"}
		e.vectors[s.ZH], e.vectors[s.EN] = gaussian(r, dimensions), gaussian(r, dimensions)
		styles[i] = s
	}
	return styles, e
}

func gaussian(r *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

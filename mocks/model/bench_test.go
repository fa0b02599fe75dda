package model_test

import (
	"testing"

	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// BenchmarkJudge measures the verdict of a simulated critic.
func BenchmarkJudge(b *testing.B) {
	j := &model.SimulatedCritic{Quality: func(model.Request, int) float64 { return 0.8 }, Noise: 0.1, Threshold: 0.7}
	b.ReportAllocs()
	for b.Loop() {
		j.Answer(model.Request{Role: component.Critic, RequiresJSON: true, Text: "一只猫坐在窗台上"})
	}
}

package newsroom_test

import (
	"context"
	"testing"

	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/mocks/model"
)

// BenchmarkEpisode runs one complete request with a new newsroom in simulated time: seven
// decisions, seven agents and two images.
func BenchmarkEpisode(b *testing.B) {
	RegisterTestingT(b)
	b.ReportAllocs()
	for b.Loop() {
		s := newStage(followPath(whole...))
		a := s.open()
		s.requests = map[string][]model.Request{} // discards the requests, so that recording them is not measured
		err := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			_, err := a.Respond(ctx, agent.Turn{Text: sampleRequest}, nil)
			return err
		})
		Expect(err).NotTo(HaveOccurred())
	}
}

// BenchmarkDecision runs one decision of the supervisor with a new newsroom.
func BenchmarkDecision(b *testing.B) {
	RegisterTestingT(b)
	b.ReportAllocs()
	turn := singleDecision(sampleRequest, `{`+text+`,`+good+`}`)
	for b.Loop() {
		s := newStage(script("END"))
		a := s.open()
		err := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			_, err := a.Respond(ctx, turn, nil)
			return err
		})
		Expect(err).NotTo(HaveOccurred())
	}
}

package studio_test

import (
	"context"
	"testing"

	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
	"evalctl/agent/studio"
	"evalctl/mocks/model"
)

// BenchmarkTurn measures a turn of a new studio on a simulated clock: a plan, a style search and an
// image. With a model as the critic, two reviews follow.
func BenchmarkTurn(b *testing.B) {
	RegisterTestingT(b)
	for name, config := range map[string]studio.Config{
		"v2": {Profile: studio.ProfileV2}, "v1": {Profile: studio.ProfileV1},
		"v2-critic": {Profile: studio.ProfileV2, Critic: studio.CriticLLM},
	} {
		b.Run(name, func(b *testing.B) {
			answer := planV2("generate_image", 0.9)
			if config.Profile == studio.ProfileV1 {
				answer = planV1("generate_image")
			}
			s := newStage(config.Profile, answer)
			s.review = func(r model.Request) string { return verdict(0.4*float64(r.CallNumber), true) }
			var err error
			config.Prompts, err = studio.ShippedPrompts(config.Profile)
			Expect(err).NotTo(HaveOccurred())
			s.config = config
			b.ReportAllocs()
			for b.Loop() {
				s.bodies, s.queries = nil, nil // dropped, so that recording requests does not count
				a := s.open()
				err := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
					_, err := a.Respond(ctx, agent.Turn{Text: wish}, nil)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOwn measures the studio without external calls: a turn with cached model answers and the
// built-in styles.
func BenchmarkOwn(b *testing.B) {
	RegisterTestingT(b)
	s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
	s.search = func(context.Context, knowledge.Query) ([]knowledge.StyleMatch, error) {
		return []knowledge.StyleMatch{cyberpunk}, nil
	}
	a := s.open()
	b.ReportAllocs()
	err := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		for b.Loop() {
			if _, err := a.Respond(ctx, agent.Turn{Text: wish}, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

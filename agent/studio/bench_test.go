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

// BenchmarkTurn plays a turn of a fresh studio in simulated time: a plan, a
// search, a picture and, with a model for the critic, two reviews.
func BenchmarkTurn(b *testing.B) {
	RegisterTestingT(b)
	for name, config := range map[string]studio.Config{
		"v2": {Profile: studio.V2}, "v1": {Profile: studio.V1}, "v2-critic": {Profile: studio.V2, Critic: studio.LLM},
	} {
		b.Run(name, func(b *testing.B) {
			answer := planV2("generate_image", 0.9)
			if config.Profile == studio.V1 {
				answer = planV1("generate_image")
			}
			s := newStage(config.Profile, answer)
			s.review = func(r model.Request) string { return verdict(0.4*float64(r.Nth), true) }
			var err error
			config.Prompts, err = studio.ShippedPrompts(config.Profile)
			Expect(err).NotTo(HaveOccurred())
			s.config = config
			b.ReportAllocs()
			for b.Loop() {
				s.bodies, s.queries = nil, nil // the stage's notes are no part of the cost
				a := s.open()
				err := clock.Run(context.Background(), noon, func(ctx context.Context) error {
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

// BenchmarkOwn is what the studio itself costs of it: a turn whose model
// answers from memory, with the shipped library behind it.
func BenchmarkOwn(b *testing.B) {
	RegisterTestingT(b)
	s := newStage(studio.V2, planV2("generate_image", 0.9))
	s.search = func(context.Context, knowledge.Query) ([]knowledge.StyleMatch, error) {
		return []knowledge.StyleMatch{cyberpunk}, nil
	}
	a := s.open()
	b.ReportAllocs()
	err := clock.Run(context.Background(), noon, func(ctx context.Context) error {
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

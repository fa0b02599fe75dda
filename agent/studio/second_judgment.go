package studio

import (
	"context"
	"errors"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// newJudge returns a critic that scores the same attempts a second time, to measure how consistent
// the critic is. It receives the input of the first critic, but not the score.
func (cfg Config) newJudge(seed uint64, link func(string) system.Endpoint) (system.Judge, error) {
	cfg.Seed = seed
	if err := cfg.connectReviewer(link); err != nil {
		return nil, err
	}
	r, err := newReviewer(cfg, cfg.Profile.rules().standard)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, judged any) (score float64, err error) {
		a, ok := judged.(attempt)
		if !ok {
			return 0, errors.New("studio: no attempt of its own")
		}
		err = clock.CatchPanic(criticNode, func() error {
			v, err := r.score(ctx, &a.state)
			score = float64(v.Score)
			return err
		})
		return score, err
	}, nil
}

// connectReviewer creates the client of the critic's model, unless the critic is heuristic.
func (cfg *Config) connectReviewer(link func(string) system.Endpoint) (err error) {
	if cfg.Critic != CriticHeuristic {
		cfg.Reviewer, err = link("critic").
			NewClient(llm.Config{Node: criticNode, Seed: cfg.Seed, Timeout: CriticTimeout})
	}
	return err
}

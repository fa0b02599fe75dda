package studio

import (
	"context"
	"errors"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/system"
)

// judgeAgain makes a critic that judges attempts once more, each as it was the
// first time. It remembers nothing of that.
func (cfg Config) judgeAgain(seed uint64, link func(string) system.Endpoint) (system.Judge, error) {
	cfg.Seed = seed
	if err := cfg.connectReviewer(link); err != nil {
		return nil, err
	}
	r, err := newReviewer(cfg, cfg.Profile.edition().standard)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, judged any) (score float64, err error) {
		a, ok := judged.(attempt)
		if !ok {
			return 0, errors.New("studio: no attempt of its own")
		}
		err = clock.CatchPanic(criticNode, func() error {
			v, err := r.judge(ctx, &a.state)
			score = float64(v.Score)
			return err
		})
		return score, err
	}, nil
}

// connectReviewer makes the client of a critic that has a model.
func (cfg *Config) connectReviewer(link func(string) system.Endpoint) (err error) {
	if cfg.Critic != Heuristic {
		cfg.Reviewer, err = link("critic").Client(llm.Config{Node: criticNode, Seed: cfg.Seed, Timeout: CriticTimeout})
	}
	return err
}

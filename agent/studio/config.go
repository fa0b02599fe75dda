package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
)

// defaultMaxText is how many characters a message may have.
const defaultMaxText = 2000

// Retriever finds styles.
type Retriever interface {
	Search(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error)
}

// Config sets a studio up.
type Config struct {
	Profile        Profile           // "": V2
	Critic         Critic            // "": Heuristic
	Planner        *llm.Client       // required; node "planner", PlannerTimeout
	Reviewer       *llm.Client       // the model behind LLM and Vision; node "critic", CriticTimeout
	Styles         Retriever         // nil: nothing is ever found
	NamedStyles    []knowledge.Style // those that are known by name; nil: the shipped ones
	ImageGenerator ImageGenerator    // required
	Prompts        Prompts           // zero prompts: the shipped ones
	Seed           uint64            // of the heuristic critic's noise
	MaxText        int               // characters of a message; 0: defaultMaxText

	lexicon lexicon // of Known

	DecisionOnly bool // stop once the planner has decided, and ask for nothing else; Painter and Reviewer may be nil
}

// complete fills in what was left out and checks the rest; errors name the
// field.
func (c Config) complete() (Config, error) {
	c.Profile, c.Critic = cmp.Or(c.Profile, V2), cmp.Or(c.Critic, Heuristic)
	c.MaxText = cmp.Or(c.MaxText, defaultMaxText)
	switch {
	case !slices.Contains(Profiles(), c.Profile):
		return c, fmt.Errorf("studio.Config.Profile: unknown %q", c.Profile)
	case !slices.Contains(Critics(), c.Critic):
		return c, fmt.Errorf("studio.Config.Critic: unknown %q", c.Critic)
	case c.Planner == nil:
		return c, errors.New("studio.Config.Planner: required")
	case c.Reviewer == nil && c.Critic != Heuristic && !c.DecisionOnly:
		return c, fmt.Errorf("studio.Config.Reviewer: critic %s needs it", c.Critic)
	case c.ImageGenerator == nil && !c.DecisionOnly:
		return c, errors.New("studio.Config.ImageGenerator: required")
	case c.MaxText < 0:
		return c, fmt.Errorf("studio.Config.MaxText: %d is negative", c.MaxText)
	}
	var err error
	if c.lexicon, err = lexiconOf(c.NamedStyles); err != nil {
		return c, err
	}
	if c.Prompts, err = c.Prompts.orShipped(c.Profile); err != nil {
		return c, err
	}
	if err := c.Prompts.check(); err != nil {
		return c, fmt.Errorf("studio.Config.Prompts: %w", err)
	}
	return c, nil
}

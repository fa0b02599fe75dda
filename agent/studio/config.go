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

// defaultMaxText is the default limit of characters in a message.
const defaultMaxText = 2000

// Retriever searches styles.
type Retriever interface {
	Search(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error)
}

// Config is the configuration of a studio.
type Config struct {
	Profile        Profile           // "": V2
	Critic         Critic            // "": Heuristic
	Planner        *llm.Client       // required; node "planner", PlannerTimeout
	Reviewer       *llm.Client       // the model of the critics LLM and Vision; node "critic", CriticTimeout
	Styles         Retriever         // nil: no styles
	NamedStyles    []knowledge.Style // styles that are found by name; nil: the built-in ones
	ImageGenerator ImageGenerator    // required
	Prompts        Prompts           // zero fields: the built-in prompts
	Seed           uint64            // for the noise of the heuristic critic
	MaxText        int               // characters of a message; 0: defaultMaxText

	lexicon lexicon // names of NamedStyles

	DecisionOnly bool // stop after the planner's decision; ImageGenerator and Reviewer may be nil
}

// complete fills in defaults and checks the rest. Errors name the field.
func (c Config) complete() (Config, error) {
	c.Profile, c.Critic = cmp.Or(c.Profile, V2), cmp.Or(c.Critic, Heuristic)
	c.MaxText = cmp.Or(c.MaxText, defaultMaxText)
	switch {
	case !slices.Contains(Profiles(), c.Profile):
		return c, fmt.Errorf("studio.Config.Profile: unknown %q", c.Profile)
	case !slices.Contains(criticNames(), c.Critic):
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

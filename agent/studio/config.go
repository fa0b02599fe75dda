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

// defaultMaxText is the default of Config.MaxText.
const defaultMaxText = 2000

// StyleSearcher finds image styles in a style library.
type StyleSearcher interface {
	Search(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error)
}

// Config configures a studio: its profile, models, image generator and prompts.
type Config struct {
	Profile Profile // version of the design; "": V2
	Critic  Critic  // how images are reviewed; "": CriticHeuristic
	// model that plans a turn; its node must be "planner" and its timeout PlannerTimeout; required
	Planner *llm.Client
	// model of the critics CriticLLM and CriticVision; its node must be "critic" and its timeout
	// CriticTimeout
	Reviewer       *llm.Client
	Styles         StyleSearcher     // searches styles; nil: no styles are added to prompts
	KnownStyles    []knowledge.Style // styles that are recognized by name in a text; nil: the built-in ones
	ImageGenerator ImageGenerator    // generates the images; required
	Prompts        Prompts           // system prompts; an empty one is replaced by the built-in prompt
	Seed           uint64            // seed for the noise in the scores of the heuristic critic
	MaxText        int               // maximal length of a message in characters; 0: defaultMaxText

	lexicon lexicon // names of KnownStyles

	// add the suggestions of the critic's model to the prompt of the next attempt. A rejection
	// without a new suggestion then ends the turn, because the same request would be repeated.
	ApplySuggestions bool

	DecisionOnly bool // stop after the planner's decision; then ImageGenerator and Reviewer may be nil
}

// complete returns the configuration with defaults. Errors name the invalid field.
func (c Config) complete() (Config, error) {
	c.Profile, c.Critic = cmp.Or(c.Profile, ProfileV2), cmp.Or(c.Critic, CriticHeuristic)
	c.MaxText = cmp.Or(c.MaxText, defaultMaxText)
	switch {
	case !slices.Contains(Profiles(), c.Profile):
		return c, fmt.Errorf("studio.Config.Profile: unknown %q", c.Profile)
	case !slices.Contains(criticNames(), c.Critic):
		return c, fmt.Errorf("studio.Config.Critic: unknown %q", c.Critic)
	case c.Planner == nil:
		return c, errors.New("studio.Config.Planner: required")
	case c.Reviewer == nil && c.Critic != CriticHeuristic && !c.DecisionOnly:
		return c, fmt.Errorf("studio.Config.Reviewer: critic %s needs it", c.Critic)
	case c.ImageGenerator == nil && !c.DecisionOnly:
		return c, errors.New("studio.Config.ImageGenerator: required")
	case c.MaxText < 0:
		return c, fmt.Errorf("studio.Config.MaxText: %d is negative", c.MaxText)
	}
	var err error
	if c.lexicon, err = lexiconOf(c.KnownStyles); err != nil {
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

package newsroom

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// Default limits of an episode, which is the work on one request of the user.
const (
	defaultIterations = 15
	defaultQuality    = 0.7
	defaultRounds     = 3
)

// Config configures a newsroom Agent: its models, tools, prompts and limits.
type Config struct {
	Supervisor     *llm.Client            // model that chooses the next agent; required
	Agents         map[string]*llm.Client // models of the eight agents, by agent name; required
	Search         *search.Client         // web search of the research agent; required unless NoSearch is set
	ImageGenerator ImageGenerator         // generator of the images in a post; required
	// ImageGenerators are alternatives that the state field imageGenProvider can select by name. An
	// unknown name selects ImageGenerator.
	ImageGenerators map[string]ImageGenerator
	Threads         ThreadStore // storage of conversations between turns; nil: in memory
	Prompts         Prompts     // prompts of the models; zero fields: the built-in prompts

	MaxIterations        int     // maximum number of supervisor decisions per request; 0: 15
	QualityThreshold     float64 // lowest score that a review must give in every quality dimension, in 0..1; 0: 0.7
	MaxQuestionRounds    int     // maximum number of rounds of questions to the user; 0: 3
	DisableClarification bool    // forbids questions to the user
	NoSearch             bool    // the research agent has no web search, and its prompt mentions this

	BeforeThreadAccess func(context.Context) error // called before each access to Threads, to inject faults; nil: none

	DecisionOnly bool // stop after the supervisor's first decision; Agents, Search and ImageGenerator may be nil
}

// complete fills in defaults and validates the configuration. Errors name the invalid field.
func (c Config) complete() (Config, error) {
	c.MaxIterations, c.MaxQuestionRounds = cmp.Or(c.MaxIterations, defaultIterations),
		cmp.Or(c.MaxQuestionRounds, defaultRounds)
	c.QualityThreshold = cmp.Or(c.QualityThreshold, defaultQuality)
	if c.Threads == nil {
		c.Threads = &memory{}
	}
	switch {
	case c.Supervisor == nil:
		return c, errors.New("newsroom.Config.Supervisor: required")
	case c.Search == nil && !c.NoSearch && !c.DecisionOnly:
		return c, errors.New("newsroom.Config.Search: required")
	case c.ImageGenerator == nil && !c.DecisionOnly:
		return c, errors.New("newsroom.Config.ImageGenerator: required")
	case c.MaxIterations < 1 || c.MaxIterations > iterationLimit:
		return c, fmt.Errorf("newsroom.Config.MaxIterations: %d is not in 1..%d", c.MaxIterations, iterationLimit)
	case !(c.QualityThreshold > 0 && c.QualityThreshold <= 1):
		return c, fmt.Errorf("newsroom.Config.QualityThreshold: %v is not in 0..1", c.QualityThreshold)
	case c.MaxQuestionRounds < 0:
		return c, fmt.Errorf("newsroom.Config.MaxQuestionRounds: %d is negative", c.MaxQuestionRounds)
	}
	for _, r := range roles() {
		if c.Agents[r.name] == nil && !c.DecisionOnly {
			return c, fmt.Errorf("newsroom.Config.Agents[%s]: required", r.name)
		}
	}
	var err error
	c.Prompts, err = c.Prompts.orShipped("")
	if err != nil {
		return c, err
	}
	return c, c.Prompts.check()
}

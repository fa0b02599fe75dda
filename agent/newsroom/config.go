package newsroom

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// The default limits of an episode.
const (
	defaultIterations = 15
	defaultQuality    = 0.7
	defaultRounds     = 3
)

// Config is the configuration of a newsroom.
type Config struct {
	Supervisor     *llm.Client            // required; node "supervisor"
	Agents         map[string]*llm.Client // models of the agents, by agent name; required
	Search         *search.Client         // for the research agent; required unless NoSearch
	ImageGenerator ImageGenerator         // required
	// ImageGenerators are selected by a state's imageGenProvider; unknown names are ignored.
	ImageGenerators map[string]ImageGenerator
	Threads         Threads // nil: in memory
	Prompts         Prompts // zero fields: the built-in prompts

	Iterations           int     // maximum decisions of the supervisor in an episode; 0: defaultIterations
	QualityThreshold     float64 // minimum score of every dimension; 0: defaultQuality
	Rounds               int     // maximum rounds of questions to the user; 0: defaultRounds
	DisableClarification bool    // agents may not ask the user
	NoSearch             bool    // the research agent has no web search; its prompt mentions this

	Before func(context.Context) error // called before each access to the threads; nil: none

	DecisionOnly bool // stop after the supervisor's decision; Agents, Search and ImageGenerator may be nil
}

// complete fills in defaults and checks the rest. Errors name the field.
func (c Config) complete() (Config, error) {
	c.Iterations, c.Rounds = cmp.Or(c.Iterations, defaultIterations), cmp.Or(c.Rounds, defaultRounds)
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
	case c.Iterations < 1 || c.Iterations > iterationLimit:
		return c, fmt.Errorf("newsroom.Config.Iterations: %d is not in 1..%d", c.Iterations, iterationLimit)
	case !(c.QualityThreshold > 0 && c.QualityThreshold <= 1):
		return c, fmt.Errorf("newsroom.Config.QualityThreshold: %v is not in 0..1", c.QualityThreshold)
	case c.Rounds < 0:
		return c, fmt.Errorf("newsroom.Config.Rounds: %d is negative", c.Rounds)
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

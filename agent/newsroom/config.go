package newsroom

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// What bounds an episode whose configuration says nothing else.
const (
	defaultIterations = 15
	defaultQuality    = 0.7
	defaultRounds     = 3
)

// Config sets a newsroom up.
type Config struct {
	Supervisor      *llm.Client               // required; node "supervisor"
	Agents          map[string]*llm.Client    // the models behind the agents, by their names; required
	Search          *search.Client            // of the research; required unless NoSearch
	ImageGenerator  ImageGenerator            // required
	ImageGenerators map[string]ImageGenerator // by what a state's imageGenProvider calls them; one that is not here is not used
	Threads         Threads                   // nil: a Memory of its own
	Prompts         Prompts                   // zero prompts: the shipped ones

	Iterations           int     // decisions of the supervisor in an episode; 0: defaultIterations
	QualityThreshold     float64 // that every dimension must have; 0: defaultQuality
	Rounds               int     // of questions to the user; 0: defaultRounds
	DisableClarification bool    // agents may not ask the user
	NoSearch             bool    // the research has no web search, and is told so

	Before func(context.Context) error // what a harness puts before the threads; nil: nothing

	DecisionOnly bool // stop once the supervisor has decided; Agents, Search and Painter may be nil
}

// complete fills in what was left out and checks the rest; errors name the field.
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
	case c.Iterations < 1 || c.Iterations > mostIterations:
		return c, fmt.Errorf("newsroom.Config.Iterations: %d is not in 1..%d", c.Iterations, mostIterations)
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

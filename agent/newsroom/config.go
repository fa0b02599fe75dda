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
	DefaultIterations = 15
	DefaultQuality    = 0.7
	DefaultRounds     = 3
)

// Config sets a newsroom up.
type Config struct {
	Supervisor *llm.Client            // required; node "supervisor"
	Agents     map[string]*llm.Client // the models behind the agents, by their names; required
	Search     *search.Client         // of the research; required unless NoSearch
	Painter    Painter                // required
	Painters   map[string]Painter     // by what a state's imageGenProvider calls them; one that is not here is not used
	Threads    Threads                // nil: a Memory of its own
	Prompts    Prompts                // zero prompts: the shipped ones

	Iterations int     // decisions of the supervisor in an episode; 0: DefaultIterations
	Quality    float64 // that every dimension must have; 0: DefaultQuality
	Rounds     int     // of questions to the user; 0: DefaultRounds
	NoAsking   bool    // agents may not ask the user
	NoSearch   bool    // the research has no web search, and is told so

	Before func(context.Context) error // what a harness puts before the threads; nil: nothing

	DecisionOnly bool // stop once the supervisor has decided; Agents, Search and Painter may be nil
}

// complete fills in what was left out and checks the rest; errors name the field.
func (c Config) complete() (Config, error) {
	c.Iterations, c.Rounds = cmp.Or(c.Iterations, DefaultIterations), cmp.Or(c.Rounds, DefaultRounds)
	c.Quality = cmp.Or(c.Quality, DefaultQuality)
	if c.Threads == nil {
		c.Threads = &Memory{}
	}
	switch {
	case c.Supervisor == nil:
		return c, errors.New("newsroom.Config.Supervisor: required")
	case c.Search == nil && !c.NoSearch && !c.DecisionOnly:
		return c, errors.New("newsroom.Config.Search: required")
	case c.Painter == nil && !c.DecisionOnly:
		return c, errors.New("newsroom.Config.Painter: required")
	case c.Iterations < 1 || c.Iterations > mostIterations:
		return c, fmt.Errorf("newsroom.Config.Iterations: %d is not in 1..%d", c.Iterations, mostIterations)
	case !(c.Quality > 0 && c.Quality <= 1):
		return c, fmt.Errorf("newsroom.Config.Quality: %v is not in 0..1", c.Quality)
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

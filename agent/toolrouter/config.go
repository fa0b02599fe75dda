package toolrouter

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/toolrouter/intent"
)

// Mode selects who decides the route.
type Mode string

const (
	Rules    Mode = "rules"     // only the keyword rules
	LLM      Mode = "llm"       // only the model: no fallback, no threshold
	LLMFirst Mode = "llm-first" // the model; the rules if it fails or its confidence is too low
)

// defaultThreshold is the confidence below which the rules decide.
const defaultThreshold = 0.6

// maxHistory is the largest number of earlier turns in a routing request.
const maxHistory = 50

// Time limits of one attempt: DecisionTimeout for routing and for rewriting a prompt, SearchTimeout
// for a search. Each of these calls has a fallback.
const (
	DecisionTimeout = 10 * time.Second
	SearchTimeout   = 20 * time.Second
)

// Config configures a tool router. Clients may be nil if neither the mode nor an open gate needs
// them. With DecisionOnly, only Router is needed.
type Config struct {
	Mode      Mode     // "": LLMFirst
	Threshold *float64 // nil: defaultThreshold
	History   int      // earlier turns in a routing request; 0..maxHistory
	Router    *llm.Client
	Chat      *llm.Client
	Improve   *llm.Client // rewrites image prompts; nil: Chat
	Vision    *llm.Client
	Search    *search.Client
	Image     *imagegen.Client
	Prompts   Prompts          // an empty prompt: the shipped one
	Disabled  DisabledFeatures // for every turn; options of a turn can disable more
	Blind     bool             // there is no Vision: images are not described

	DecisionOnly bool // stop after the routing decision and make no other call
}

// complete sets the defaults and validates the rest. Errors name the field.
func (c Config) complete() (_ Config, err error) {
	if c.Mode == "" {
		c.Mode = LLMFirst
	}
	if c.Threshold == nil {
		defaultValue := defaultThreshold
		c.Threshold = &defaultValue
	}
	if c.Improve == nil {
		c.Improve = c.Chat
	}
	switch {
	case !slices.Contains([]Mode{Rules, LLM, LLMFirst}, c.Mode):
		return c, fmt.Errorf("toolrouter.Config.Mode: unknown %q", c.Mode)
	case !(*c.Threshold >= 0 && *c.Threshold <= 1):
		return c, fmt.Errorf("toolrouter.Config.Threshold: %v is not in 0..1", *c.Threshold)
	case c.History < 0 || c.History > maxHistory:
		return c, fmt.Errorf("toolrouter.Config.History: %d is not in 0..%d", c.History, maxHistory)
	case c.Mode != Rules && c.Router == nil:
		return c, fmt.Errorf("toolrouter.Config.Router: mode %s needs it", c.Mode)
	case !c.DecisionOnly:
		err = c.answers()
	}
	if err != nil {
		return c, err
	}
	c.Prompts, err = c.Prompts.orShipped()
	return c, err
}

// answers checks that every route that can be chosen has its client.
func (c Config) answers() error {
	switch {
	case c.Chat == nil:
		return errors.New("toolrouter.Config.Chat: required")
	case c.Vision == nil && !c.Blind:
		return errors.New("toolrouter.Config.Vision: required")
	case c.Search == nil && c.Disabled.open()&intent.BitWebSearch != 0:
		return errors.New("toolrouter.Config.Search: required while web search is open")
	case c.Image == nil && c.Disabled.open()&intent.BitImageGen != 0:
		return errors.New("toolrouter.Config.Image: required while image generation is open")
	}
	return nil
}

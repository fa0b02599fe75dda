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

// Mode says who decides.
type Mode string

const (
	Rules    Mode = "rules"     // the keyword rules alone
	LLM      Mode = "llm"       // the model alone: no fallback, no threshold
	LLMFirst Mode = "llm-first" // the model, and the rules where it fails or doubts
)

// defaultThreshold is the confidence below which the rules take over.
const defaultThreshold = 0.6

// maxHistory is how many earlier turns the router may be shown.
const maxHistory = 50

// How long an attempt may take of the router or the rewriting of a prompt, and
// of a search: each has something to fall back on.
const (
	DecisionTimeout = 10 * time.Second
	SearchTimeout   = 20 * time.Second
)

// Config sets a tool router up. Clients that neither the mode nor an open gate
// needs may be nil; what only decides needs none but the router's.
type Config struct {
	Mode      Mode     // "": LLMFirst
	Threshold *float64 // nil: defaultThreshold
	History   int      // earlier turns that the router is shown; at most maxHistory
	Router    *llm.Client
	Chat      *llm.Client
	Improve   *llm.Client // rewrites image prompts; nil: Chat does
	Vision    *llm.Client
	Search    *search.Client
	Image     *imagegen.Client
	Prompts   Prompts          // zero prompts: the shipped ones
	Disabled  DisabledFeatures // switched off for every turn; a turn's options close more
	Blind     bool             // there is no Vision: pictures are not described

	DecisionOnly bool // stop once the route is decided, and ask for nothing else
}

// complete fills in what was left out and checks the rest; errors name the
// field.
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

// answers checks that there is a client for whatever may be decided.
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

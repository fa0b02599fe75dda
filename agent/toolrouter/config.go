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

// RoutingMode defines who chooses the route of a message: a model, rules or both.
type RoutingMode string

const (
	ModeRules RoutingMode = "rules" // only the keyword rules decide
	ModeLLM   RoutingMode = "llm"   // only the model decides; its failure is an error
	// the model decides; if it fails or is not confident enough, the rules decide
	ModeLLMFirst RoutingMode = "llm-first"
)

// defaultThreshold is the default minimum confidence of the model. Below it, the rules decide.
const defaultThreshold = 0.6

// maxHistory is the maximal number of earlier turns that the deciding model may see.
const maxHistory = 50

// Time limits for one attempt of a call. DecisionTimeout applies to the routing decision and to
// rewriting an image prompt, SearchTimeout to a web search. They are short, because something else
// replaces a call that times out.
const (
	DecisionTimeout = 10 * time.Second
	SearchTimeout   = 20 * time.Second
)

// Config configures a tool router. A client may be nil if the mode and the enabled features do not
// use it. With DecisionOnly, only Router is used.
type Config struct {
	Mode           RoutingMode      // who decides; "": ModeLLMFirst
	Threshold      *float64         // minimum confidence for ModeLLMFirst; nil: defaultThreshold
	HistoryTurns   int              // number of earlier turns that the deciding model sees, from 0 to maxHistory
	Router         *llm.Client      // chooses the route
	Chat           *llm.Client      // answers the user
	PromptRewriter *llm.Client      // model that rewrites image prompts; nil: Chat
	Vision         *llm.Client      // describes images
	Search         *search.Client   // searches the web
	Image          *imagegen.Client // generates images
	Prompts        Prompts          // system prompts; an empty one is replaced by the built-in prompt
	Zone           *time.Location   // time zone of users whose turn has none; nil: that of the clock
	Disabled       DisabledFeatures // features that are off in every turn; the options of a turn can turn off more
	NoVision       bool             // there is no Vision model, so images are not described

	DecisionOnly bool // stop after the routing decision, without an answer
}

// complete returns the configuration with defaults. Errors name the invalid field.
func (c Config) complete() (_ Config, err error) {
	if c.Mode == "" {
		c.Mode = ModeLLMFirst
	}
	if c.Threshold == nil {
		defaultValue := defaultThreshold
		c.Threshold = &defaultValue
	}
	if c.PromptRewriter == nil {
		c.PromptRewriter = c.Chat
	}
	switch {
	case !slices.Contains([]RoutingMode{ModeRules, ModeLLM, ModeLLMFirst}, c.Mode):
		return c, fmt.Errorf("toolrouter.Config.Mode: unknown %q", c.Mode)
	case !(*c.Threshold >= 0 && *c.Threshold <= 1):
		return c, fmt.Errorf("toolrouter.Config.Threshold: %v is not in 0..1", *c.Threshold)
	case c.HistoryTurns < 0 || c.HistoryTurns > maxHistory:
		return c, fmt.Errorf("toolrouter.Config.HistoryTurns: %d is not in 0..%d", c.HistoryTurns, maxHistory)
	case c.Mode != ModeRules && c.Router == nil:
		return c, fmt.Errorf("toolrouter.Config.Router: mode %s needs it", c.Mode)
	case !c.DecisionOnly:
		err = c.checkClients()
	}
	if err != nil {
		return c, err
	}
	c.Prompts, err = c.Prompts.orShipped()
	return c, err
}

func (c Config) checkClients() error {
	switch {
	case c.Chat == nil:
		return errors.New("toolrouter.Config.Chat: required")
	case c.Vision == nil && !c.NoVision:
		return errors.New("toolrouter.Config.Vision: required")
	case c.Search == nil && c.Disabled.openRoutes()&intent.RouteWebSearch != 0:
		return errors.New("toolrouter.Config.Search: required while web search is open")
	case c.Image == nil && c.Disabled.openRoutes()&intent.RouteImageGen != 0:
		return errors.New("toolrouter.Config.Image: required while image generation is open")
	}
	return nil
}

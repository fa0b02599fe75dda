// Package toolrouter is an agent that sends each message down one of four
// routes: drawing a picture, searching the web, telling the time, or plain
// conversation. A model decides first, keyword rules stand behind it, and a
// route that fails gives way to the next.
package toolrouter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/toolrouter/intent"
	"evalctl/agent/trace"
)

// The routes, as a reply names them.
const (
	ImageGen  = "image_gen"
	WebSearch = "web_search"
	TimeQuery = "time_query"
	Chat      = "chat"
	Invalid   = "invalid" // the model's answer named none, and no rules stand behind it
)

// Routes lists the four.
func Routes() []string { return []string{ImageGen, WebSearch, TimeQuery, Chat} }

// Mode says who decides.
type Mode string

const (
	Rules    Mode = "rules"     // the keyword rules alone
	LLM      Mode = "llm"       // the model alone: no fallback, no threshold
	LLMFirst Mode = "llm-first" // the model, and the rules where it fails or doubts
)

// DefaultThreshold is the confidence below which the rules take over.
const DefaultThreshold = 0.6

// How long an attempt may take of the router or the rewriting of a prompt, and
// of a search: each has something to fall back on.
const (
	DecisionTimeout = 10 * time.Second
	SearchTimeout   = 20 * time.Second
)

// Config sets a tool router up. Clients that neither the mode nor an open gate
// needs may be nil.
type Config struct {
	Mode      Mode     // "": LLMFirst
	Threshold *float64 // nil: DefaultThreshold
	Router    *llm.Client
	Chat      *llm.Client
	Improve   *llm.Client // rewrites image prompts; nil: Chat does
	Vision    *llm.Client
	Search    *search.Client
	Image     *imagegen.Client
	Prompts   Prompts // zero prompts: the shipped ones
	Closed    Gates   // switched off for every turn; a turn's options close more

	DecisionOnly bool // stop once the route is decided, and ask for nothing else
}

// Agent is the tool router. It holds no state of a conversation: that comes
// with each turn.
type Agent struct {
	Config
	threshold float64
}

var _ agent.Agent = (*Agent)(nil)

// New checks cfg; errors name the field.
func New(cfg Config) (*Agent, error) {
	a := &Agent{Config: cfg, threshold: DefaultThreshold}
	if a.Mode == "" {
		a.Mode = LLMFirst
	}
	if cfg.Threshold != nil {
		a.threshold = *cfg.Threshold
	}
	if a.Improve == nil {
		a.Improve = cfg.Chat
	}
	switch {
	case !slices.Contains([]Mode{Rules, LLM, LLMFirst}, a.Mode):
		return nil, fmt.Errorf("toolrouter.Config.Mode: unknown %q", a.Mode)
	case !(a.threshold >= 0 && a.threshold <= 1):
		return nil, fmt.Errorf("toolrouter.Config.Threshold: %v is not in 0..1", a.threshold)
	case a.Mode != Rules && cfg.Router == nil:
		return nil, fmt.Errorf("toolrouter.Config.Router: mode %s needs it", a.Mode)
	case cfg.Chat == nil:
		return nil, errors.New("toolrouter.Config.Chat: required")
	case cfg.Vision == nil:
		return nil, errors.New("toolrouter.Config.Vision: required")
	case cfg.Search == nil && cfg.Closed.open()&intent.WebSearch != 0:
		return nil, errors.New("toolrouter.Config.Search: required while web search is open")
	case cfg.Image == nil && cfg.Closed.open()&intent.ImageGen != 0:
		return nil, errors.New("toolrouter.Config.Image: required while image generation is open")
	}
	prompts, err := cfg.Prompts.orShipped()
	a.Prompts = prompts
	return a, err
}

// Respond answers one turn. Chunks reach emit as they come; the last event is
// the one done, on every path.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.With(ctx, emit)
	r := &run{Agent: a, turn: t}
	err := clock.Protect("toolrouter", func() (err error) {
		if r.gates, err = a.Closed.with(t.Options); err != nil {
			return err
		}
		return r.answer(ctx)
	})
	r.reply.Content = r.content.String()
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: r.reply.Content})
	return r.reply, err
}

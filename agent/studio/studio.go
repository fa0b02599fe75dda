// Package studio is an image studio one talks to: a planner finds out what the
// user wants, a library of styles enriches the prompt, an executor paints, a
// critic judges and may have it painted again, and what is shown comes as
// components of a user interface. It has two profiles, after the two versions
// of its design.
package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/graph"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// The actions, as a reply names them in both profiles.
const (
	GenerateImage    = "generate_image"
	Inpainting       = "inpainting"
	AdjustParameters = "adjust_parameters"
	Unknown          = "unknown" // nothing that the studio can do
)

// Actions lists the four.
func Actions() []string { return []string{GenerateImage, Inpainting, AdjustParameters, Unknown} }

// How long an attempt may take of each node's call to the outside. A picture
// that is really painted has a limit of its own.
const (
	PlannerTimeout   = 10 * time.Second
	RetrievalTimeout = 3 * time.Second
	ExecutorTimeout  = 5 * time.Second
	CriticTimeout    = 8 * time.Second
)

// How long answers are remembered.
const (
	answerTTL    = time.Hour
	retrievalTTL = 5 * time.Minute
)

// DefaultMaxText is how many characters a message may have.
const DefaultMaxText = 2000

// maxHistory is how many messages of a conversation are looked at, the newest.
const maxHistory = 50

// Retriever finds styles.
type Retriever interface {
	Search(ctx context.Context, q knowledge.Query) ([]knowledge.Hit, error)
}

// Config sets a studio up.
type Config struct {
	Profile  Profile     // "": V2
	Critic   Critic      // "": Heuristic
	Planner  *llm.Client // required; node "planner", PlannerTimeout
	Reviewer *llm.Client // the model behind LLM and Vision; node "critic", CriticTimeout
	Styles   Retriever   // nil: nothing is ever found
	Painter  Painter     // required
	Prompts  Prompts     // zero prompts: the shipped ones
	Seed     uint64      // of the heuristic critic's noise
	MaxText  int         // characters of a message; 0: DefaultMaxText

	DecisionOnly bool // stop once the planner has decided, and ask for nothing else; Painter and Reviewer may be nil
}

// Agent is the studio. Conversations come with each turn; it remembers only
// answers that would be the same again. It is safe for concurrent use.
type Agent struct {
	Config
	edition edition
	flow    *graph.Graph[state]
	plans   *cache.Cache[plan]
	reviews *cache.Cache[verdict]
	styles  *cache.Cache[[]knowledge.Hit]
	painted *cache.Cache[Picture]
}

var _ agent.Agent = (*Agent)(nil)

// New checks cfg; errors name the field.
func New(cfg Config) (*Agent, error) {
	a := &Agent{Config: cfg}
	a.Profile, a.Critic = cmp.Or(a.Profile, V2), cmp.Or(a.Critic, Heuristic)
	a.MaxText = cmp.Or(a.MaxText, DefaultMaxText)
	switch {
	case !slices.Contains(Profiles(), a.Profile):
		return nil, fmt.Errorf("studio.Config.Profile: unknown %q", a.Profile)
	case !slices.Contains(Critics(), a.Critic):
		return nil, fmt.Errorf("studio.Config.Critic: unknown %q", a.Critic)
	case a.Planner == nil:
		return nil, errors.New("studio.Config.Planner: required")
	case a.Reviewer == nil && a.Critic != Heuristic && !a.DecisionOnly:
		return nil, fmt.Errorf("studio.Config.Reviewer: critic %s needs it", a.Critic)
	case a.Painter == nil && !a.DecisionOnly:
		return nil, errors.New("studio.Config.Painter: required")
	case a.MaxText < 0:
		return nil, fmt.Errorf("studio.Config.MaxText: %d is negative", a.MaxText)
	}
	a.edition = a.Profile.edition()
	var err error
	if a.Prompts, err = cfg.Prompts.orShipped(a.Profile); err != nil {
		return nil, err
	}
	if err := a.Prompts.check(); err != nil {
		return nil, fmt.Errorf("studio.Config.Prompts: %w", err)
	}
	if err := a.remember(); err != nil {
		return nil, err
	}
	nodes := a.edition.nodes(a)
	if a.DecisionOnly {
		nodes[slices.IndexFunc(nodes, func(n graph.Node[state]) bool { return n.Name == planner })].Next = nil
	}
	a.flow, err = graph.New(graph.Config[state]{Start: planner, Nodes: nodes})
	return a, err
}

// remember makes the memories.
func (a *Agent) remember() (err error) {
	if a.plans, err = cache.New[plan](cache.Config{TTL: answerTTL}); err != nil {
		return err
	}
	if a.reviews, err = cache.New[verdict](cache.Config{TTL: answerTTL}); err != nil {
		return err
	}
	if a.styles, err = cache.New[[]knowledge.Hit](cache.Config{TTL: retrievalTTL}); err != nil {
		return err
	}
	a.painted, err = cache.New[Picture](cache.Config{})
	return err
}

// Respond answers one turn. The last event is the one done, on every path. The
// error is of a context that has ended, or a bug in the apology itself: all
// else that goes wrong is a reply with a Failure.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.With(ctx, emit)
	s := newState(t)
	err := a.flow.Run(ctx, s)
	if err == nil && s.Error != nil && !s.Told {
		err = s.apologise(ctx, s.Error.Node, a.edition.end)
	}
	reply := s.reply()
	if err != nil || a.DecisionOnly && reply.Failure == nil {
		reply.Served = ""
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

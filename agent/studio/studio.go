// Package studio is a chat agent that generates and edits images. A planner determines the request,
// a style library improves the prompt, and an executor generates the image. A critic scores it and
// may reject it, which starts another attempt. Results are sent as UI components.
//
// It has two profiles, V1 and V2, which implement two versions of the same specification.
package studio

import (
	"context"
	"slices"

	"evalctl/agent"
	"evalctl/agent/graph"
	"evalctl/agent/trace"
)

// Agent is the image studio. It caches results but stores no conversation, since each turn contains
// its history. It is safe for concurrent use.
type Agent struct {
	flow         *graph.Graph[state]
	errorTarget  string // for an error that no node handles, the name in the trace of what replaces the failed node
	decisionOnly bool
}

var _ agent.Agent = (*Agent)(nil)

// New returns a studio. Its errors name the invalid field of cfg.
func New(cfg Config) (*Agent, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	e := cfg.Profile.rules()
	n, err := newNodes(cfg, e.standard)
	if err != nil {
		return nil, err
	}
	nodes := e.flow(n)
	if cfg.DecisionOnly {
		nodes[slices.IndexFunc(nodes, func(n graph.Node[state]) bool { return n.Name == plannerNode })].Next = nil
	}
	flow, err := graph.New(graph.Config[state]{Start: plannerNode, Nodes: nodes})
	return &Agent{flow: flow, errorTarget: e.errorTarget, decisionOnly: cfg.DecisionOnly}, err
}

// emitUnhandledError sends the error reply for an error that no node handled. If the image could
// not be generated, it also sends a retry button.
func (a *Agent) emitUnhandledError(ctx context.Context, s *state) error {
	err := s.emitError(ctx, s.Error.Node, a.errorTarget)
	if err != nil || s.Error.Code != executorFailed {
		return err
	}
	return emitComponent(ctx, s.Error.Node, s.retryPanel())
}

// Respond answers one turn. The last event is always KindDone. Failures are replies with an
// ErrorReply. It returns an error only if the context has ended or the error reply could not be
// sent.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	s := newState(t)
	err := a.flow.Run(ctx, s)
	if err == nil && s.Error != nil && !s.ErrorEmitted {
		err = a.emitUnhandledError(ctx, s)
	}
	reply := s.reply()
	if err != nil || a.decisionOnly && reply.ErrorReply == nil {
		reply.AnsweredBy = ""
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

// Package studio is a conversational image generation agent. A planner determines the request, a
// style library enriches the prompt, and an executor generates the image. A critic scores it and
// may send it back. Results are sent as UI components. Its two profiles are the two versions of the
// design.
package studio

import (
	"context"
	"slices"

	"evalctl/agent"
	"evalctl/agent/graph"
	"evalctl/agent/trace"
)

// Agent is the studio. Conversations come with each turn; the agent only caches repeatable results.
// It is safe for concurrent use.
type Agent struct {
	flow         *graph.Graph[state]
	errorTarget  string // fallback target in the trace for errors that no node handled
	decisionOnly bool
}

var _ agent.Agent = (*Agent)(nil)

// New checks cfg; errors name the field.
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

// emitUnhandledError emits the error reply for an error that no node handled. A failed image gets a
// retry button.
func (a *Agent) emitUnhandledError(ctx context.Context, s *state) error {
	err := s.emitError(ctx, s.Error.Node, a.errorTarget)
	if err != nil || s.Error.Code != executorFailed {
		return err
	}
	return show(ctx, s.Error.Node, retryPanel())
}

// Respond answers one turn. The last event is always the done event. It returns an error only if
// the context ended or the error reply itself failed; all other failures are replies with an
// ErrorReply.
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

// Package studio is an image studio one talks to: a planner finds out what the
// user wants, a library of styles enriches the prompt, an executor paints, a
// critic judges and may have it painted again, and what is shown comes as
// components of a user interface. It has two profiles, after the two versions
// of its design.
package studio

import (
	"context"
	"slices"

	"evalctl/agent"
	"evalctl/agent/graph"
	"evalctl/agent/trace"
)

// Agent is the studio. Conversations come with each turn; it remembers only
// answers that would be the same again. It is safe for concurrent use.
type Agent struct {
	flow         *graph.Graph[state]
	end          string // who answers for a failure that no node has answered for
	decisionOnly bool
}

var _ agent.Agent = (*Agent)(nil)

// New checks cfg; errors name the field.
func New(cfg Config) (*Agent, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	e := cfg.Profile.edition()
	n, err := newNodes(cfg, e.standard)
	if err != nil {
		return nil, err
	}
	nodes := e.flow(n)
	if cfg.DecisionOnly {
		nodes[slices.IndexFunc(nodes, func(n graph.Node[state]) bool { return n.Name == plannerNode })].Next = nil
	}
	flow, err := graph.New(graph.Config[state]{Start: plannerNode, Nodes: nodes})
	return &Agent{flow: flow, end: e.end, decisionOnly: cfg.DecisionOnly}, err
}

// excuse answers for a failure that no node has answered for. What could not be
// painted may be tried again.
func (a *Agent) excuse(ctx context.Context, s *state) error {
	err := s.apologise(ctx, s.Error.Node, a.end)
	if err != nil || s.Error.Code != executorFailed {
		return err
	}
	return show(ctx, s.Error.Node, again())
}

// Respond answers one turn. The last event is the one done, on every path. The
// error is of a context that has ended, or a bug in the apology itself: all
// else that goes wrong is a reply with a Failure.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	s := newState(t)
	err := a.flow.Run(ctx, s)
	if err == nil && s.Error != nil && !s.Apologised {
		err = a.excuse(ctx, s)
	}
	reply := s.reply()
	if err != nil || a.decisionOnly && reply.ErrorReply == nil {
		reply.AnsweredBy = ""
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

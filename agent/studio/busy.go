package studio

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// BusyReply is v1's answer to a request that comes while an earlier one of its
// session is being answered.
func BusyReply() agent.Agent { return agent.Func(turnAway) }

// busyIn is who answers a profile's turn while another of its session is being
// answered: the second version has it wait.
func busyIn(p Profile) agent.Agent {
	if p == V1 {
		return BusyReply()
	}
	return nil
}

func turnAway(ctx context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	trace.Emit(ctx, trace.Event{Kind: trace.KindGuard, Node: sessionNode, Reason: "busy"})
	f := failureOf(sessionNode, refusal(busy))
	err := show(ctx, sessionNode, message("processing", f.Message))
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: f.Message})
	return agent.Reply{Content: f.Message, AnsweredBy: "busy", DecidedBy: "guard", ErrorReply: f}, err
}

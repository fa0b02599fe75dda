package studio

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// BusyReply is v1's answer to a request while another request of its session is running.
func BusyReply() agent.Agent { return agent.Func(rejectBusy) }

// busyAgent is the agent for a turn while another turn of its session is running; nil: the turn
// waits, as in v2.
func busyAgent(p Profile) agent.Agent {
	if p == V1 {
		return BusyReply()
	}
	return nil
}

func rejectBusy(ctx context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	trace.Emit(ctx, trace.Event{Kind: trace.KindGuard, Node: sessionNode, Reason: "busy"})
	f := failureOf(sessionNode, errorCode(busy))
	err := show(ctx, sessionNode, message("processing", f.Message))
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: f.Message})
	return agent.Reply{
		Content:    f.Message,
		AnsweredBy: "busy",
		DecidedBy:  "guard",
		ErrorReply: f,
	}, err
}

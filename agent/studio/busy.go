package studio

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// NewBusyAgent returns the agent that answers a request while its session is busy with another one.
// Its answer is an error reply. Only profile V1 has it.
func NewBusyAgent() agent.Agent { return agent.Func(rejectBusy) }

// busyAgent returns the agent for requests in a busy session; nil: requests wait, as in V2.
func busyAgent(p Profile) agent.Agent {
	if p == ProfileV1 {
		return NewBusyAgent()
	}
	return nil
}

func rejectBusy(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	trace.Emit(ctx, trace.Event{Kind: trace.KindGuard, Node: sessionNode, Reason: "busy"})
	f := failureOf(sessionNode, newestUserText(t), errorCode(busy))
	err := emitComponent(ctx, sessionNode, message("processing", f.Message))
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: f.Message})
	return agent.Reply{
		Content:    f.Message,
		AnsweredBy: "busy",
		DecidedBy:  "guard",
		ErrorReply: f,
	}, err
}

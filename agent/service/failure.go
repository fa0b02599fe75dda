package service

import (
	"context"
	"errors"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/graph"
)

// Codes of error events for failures of an answer.
const (
	codeTimeout  = "TIMEOUT"       // the answer took longer than Config.Timeout
	codeInternal = "INTERNAL"      // the agent panicked
	codeStopping = "SHUTTING_DOWN" // Stop was called; also the code for rejected requests
	codeFailed   = "AGENT_FAILED"  // the agent returned an error
)

// errStopping is the cancellation cause of agents that Stop canceled.
var errStopping = errors.New("the service stops")

func isStopped(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errStopping) }

// failureOf returns the error reply for an error of an agent. The reply does not contain the text
// of the error, which may include keys and addresses. limited is the context with the time limit of
// the answer.
func failureOf(limited context.Context, err error) *agent.ErrorReply {
	var panicked *clock.PanicError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &panicked):
		return &agent.ErrorReply{Code: codeInternal, Node: nodeOf(err), Message: "出了点意外，请稍后再试。"}
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		return &agent.ErrorReply{Code: codeTimeout, Node: nodeOf(err), Message: "这次回答用时太长，已经停止，请稍后再试。"}
	case isStopped(limited):
		return &agent.ErrorReply{Code: codeStopping, Node: nodeOf(err), Message: "服务正在停止，这次回答没能完成，请稍后再试。"}
	}
	return &agent.ErrorReply{Code: codeFailed, Node: nodeOf(err), Message: "回答没能完成，请稍后再试。"}
}

// nodeOf returns the node of the agent in which an error occurred, or "unknown".
func nodeOf(err error) string {
	var at *graph.Error
	var panicked *clock.PanicError
	switch {
	case errors.As(err, &at) && len(at.Path) > 0:
		return at.Path[len(at.Path)-1]
	case errors.As(err, &panicked):
		return panicked.Name
	}
	return "unknown"
}

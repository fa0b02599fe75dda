package companion

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// failed is the route of a turn that ends with an error reply.
const failed = "failed"

// Codes of error replies.
const (
	emptyInput   = "EMPTY_INPUT"
	textTooLong  = "TEXT_TOO_LONG"
	chatFailed   = "CHAT_FAILED"
	unknownError = "UNKNOWN_ERROR"
)

// errorReplies contains the message for the user for each code, in Chinese and in English.
var errorReplies = map[string][2]string{
	emptyInput: {"我好像没有收到内容，再说一遍好吗？", "I don't think anything came through. Could you say it again?"},
	textTooLong: {"这段话太长了，我一口气读不完，拆短一点发给我吧。",
		"That is too long for me to read in one go. Could you send it in shorter pieces?"},
	chatFailed: {"抱歉，我刚才走神了，没能回上话，过一会儿再跟我说一次好吗？",
		"Sorry, I lost my thread and could not answer. Could you tell me again in a moment?"},
	unknownError: {"抱歉，出了点意外，过一会儿再跟我说一次好吗？", "Sorry, something went wrong. Could you tell me again in a moment?"},
}

// errorReply returns the message for a code in the language of the user's text.
func (r *run) errorReply(code string) string {
	return agent.Localize(r.text, errorReplies[code][0], errorReplies[code][1])
}

// invalidTurnCode returns the error code of a turn that cannot be answered; "": it is valid.
func (r *run) invalidTurnCode() string {
	size := 0
	for _, m := range r.batch {
		size += len(m)
	}
	switch {
	case strings.TrimSpace(r.text) == "":
		return emptyInput
	case max(len(r.text), size) > maxText || len(r.batch) > agent.MaxBatch:
		return textTooLong
	default:
		return ""
	}
}

// failChat ends a turn after a failed call of the chat model. Its messages are not stored.
func (r *run) failChat(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return r.failWith(ctx, chatFailed, llm.TraceReason(err), chatNode)
}

// failWith makes the reply an error reply, with trace events. reason is the error kind of the
// failed call; "": no call failed.
func (r *run) failWith(ctx context.Context, code, reason, node string) error {
	f := &agent.ErrorReply{
		Code:    code,
		Message: r.errorReply(code),
		Node:    node,
		Cause:   reason,
	}
	if reason != "" {
		fallback(ctx, node, node, failed, reason)
	}
	raw, err := json.Marshal(f.WithoutCause())
	if err != nil {
		return fmt.Errorf("error event: %w", err)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindError, Node: node, Data: raw})
	r.reply.ErrorReply = f
	r.reply.Content = f.Message
	r.reply.AnsweredBy = failed
	r.reply.Replies = nil
	return nil
}

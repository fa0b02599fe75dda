package service

import (
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// JSON data of the events that the service sends.
type (
	thoughtData struct {
		Node    string `json:"node"`
		Message string `json:"message"`
	}
	nodeData struct {
		Node   string          `json:"node"`
		Reason string          `json:"reason,omitempty"`
		Text   string          `json:"text,omitempty"`
		Detail json.RawMessage `json:"detail,omitempty"`
	}
	textData struct {
		Text string `json:"text"`
	}
	doneData struct {
		Content           string               `json:"content"`
		AnsweredBy        string               `json:"answeredBy"`
		Predicted         string               `json:"predicted"`
		GeneratedImageURL string               `json:"generatedImageUrl,omitempty"`
		ToolCalls         []agent.ToolCall     `json:"toolCalls,omitempty"`
		Replies           []agent.ReplyMessage `json:"replies,omitempty"`
		Batched           bool                 `json:"batched,omitempty"`
		Attributes        map[string]string    `json:"attributes,omitempty"`
		SessionID         string               `json:"sessionId"`
		Simulated         []string             `json:"simulated,omitempty"`
		ErrorReply        *agent.ErrorReply    `json:"errorReply,omitempty"`
	}
)

// isSentToClients reports whether clients receive events of this kind. Other kinds are only for the
// trace of an evaluation.
func isSentToClients(k trace.Kind) bool {
	switch k {
	case trace.KindThoughtLog, trace.KindGenUIComponent, trace.KindError, trace.KindChunk, trace.KindBanner,
		trace.KindMessage, trace.KindQuestion, trace.KindNotice:
		return true
	}
	return isNodeEvent(k)
}

// isNodeEvent reports whether events of this kind show the progress of one node of an agent. They
// are sent with the node's name.
func isNodeEvent(k trace.Kind) bool {
	switch k {
	case trace.KindThinkingStart, trace.KindThoughtChunk, trace.KindThinkingEnd, trace.KindNodeComplete,
		trace.KindNodeError,
		trace.KindSummaryInit, trace.KindSummaryStart, trace.KindSummaryChunk, trace.KindSummaryComplete, trace.KindSummaryError:
		return true
	}
	return false
}

func (o *stream) sendEvent(e trace.Event) error {
	switch e.Kind {
	case trace.KindThoughtLog:
		return o.send(e.Kind, thoughtData{e.Node, e.Text})
	case trace.KindChunk, trace.KindBanner, trace.KindNotice:
		return o.send(e.Kind, textData{e.Text})
	}
	if isNodeEvent(e.Kind) {
		return o.send(e.Kind, nodeData{
			Node:   e.Node,
			Reason: e.Reason,
			Text:   e.Text,
			Detail: e.Data,
		})
	}
	err := o.send(e.Kind, e.Data)
	o.errorSent = o.errorSent || e.Kind == trace.KindError && err == nil
	return err
}

// finish sends the done event. If the answer failed, it sends an error event first. failed is nil
// if the agent returned no error. Write errors are ignored: they mean that the client has
// disconnected.
func (o *stream) finish(r agent.Reply, failed *agent.ErrorReply) {
	if r.ErrorReply == nil {
		r.ErrorReply = failed
	}
	if failed != nil && !o.errorSent {
		_ = o.send(trace.KindError, r.ErrorReply.WithoutCause())
	}
	_ = o.send(trace.KindDone, doneData{
		Content:           r.Content,
		AnsweredBy:        r.AnsweredBy,
		Predicted:         r.Predicted,
		GeneratedImageURL: r.GeneratedImageURL,
		ToolCalls:         r.ToolCalls,
		Replies:           r.Replies,
		Batched:           r.IsDeferred,
		Attributes:        r.Attributes,
		SessionID:         o.session,
		Simulated:         o.simulated,
		ErrorReply:        r.ErrorReply,
	})
}

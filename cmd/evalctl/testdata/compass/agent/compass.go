// Package compass is a system made to be added by a test: it tells whether a
// traveller goes north or south.
package compass

import (
	"context"
	"strings"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Agent asks a model where the traveller goes, and goes by a word where that
// fails.
type Agent struct {
	pick *llm.Client
	mood string
}

type heading struct {
	Heading    string  `json:"heading"`
	Confidence float64 `json:"confidence"`
}

var headings = llm.AnswerSpec{Key: "heading", Labels: label.NewSet("north", "south"), Confidence: llm.RequiredConfidence}

// Respond answers one turn.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	h, _, err := llm.ChatJSON[heading](ctx, a.pick, llm.Request{Messages: []llm.Message{
		llm.SystemMessage(`Answer as json with "heading", north or south.`), llm.UserMessage(t.Text)}}, headings)
	source, said := "llm", &agent.ModelDecision{Label: h.Heading, Confidence: &h.Confidence}
	if err != nil {
		h, source, said = heading{Heading: "north"}, "word", nil
		if strings.Contains(t.Text, "south") {
			h.Heading = "south"
		}
		trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: "pick", From: "pick", To: "word", Reason: string(llm.KindOf(err))})
	}
	content := h.Heading
	if a.mood == "eager" {
		content += "!"
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: content})
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: content})
	return agent.Reply{Content: content, Predicted: h.Heading, AnsweredBy: h.Heading, DecidedBy: source, Confidence: h.Confidence, ModelDecision: said}, nil
}

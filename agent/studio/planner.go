package studio

import (
	"context"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// temperature keeps plans consistent.
const temperature = 0.3

// planner finds out what the user wants.
type planner struct {
	model   model[plan]
	prompts Prompts
	maxText int     // characters of a message
	styles  lexicon // v1: those to find in a prompt
}

func newPlanner(cfg Config) (planner, error) {
	m, err := newModel[plan](plannerNode, cfg.Planner)
	return planner{model: m, prompts: cfg.Prompts, maxText: cfg.MaxText, styles: cfg.lexicon}, err
}

// decided leaves the plan in the state and in the trace.
func (s *state) decided(ctx context.Context, in *intent, why string) {
	s.Intent = in
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: plannerNode, To: in.Action, Reason: why, Text: in.Reasoning,
		Data: trace.AnswerData(in.RawResponse)})
}

// unread leaves an answer of which no plan came in the trace.
func unread(ctx context.Context, raw string, err error) {
	trace.EmitNoDecision(ctx, plannerNode, llm.Reason(err), raw, err)
}

// maskMissing tells a plan that needs a mask and has none, however sure of
// itself it is.
func (s *state) maskMissing() bool { return s.Intent.Action == Inpainting && s.Input.Mask == "" }

// ask has the model plan, by one or more prompts.
func (p planner) ask(ctx context.Context, s *state, history []agent.Message, f llm.Form, check func(*plan) error, prompts ...llm.Prompt) (answer[plan], error) {
	var system []string
	for _, prompt := range prompts {
		text, err := prompt.Fill(planning{Mask: s.Input.Mask != "", Canvas: s.Input.Canvas != ""})
		if err != nil {
			return answer[plan]{}, err
		}
		system = append(system, text)
	}
	messages := []llm.Message{llm.System(strings.Join(system, "\n"))}
	for _, m := range history {
		messages = append(messages, llm.Message{Role: m.Role, Text: m.Content})
	}
	t := temperature
	r := llm.Request{Temperature: &t, Messages: append(messages, llm.User(s.Input.Text))}
	return p.model.ask(ctx, r, 0, f, check)
}

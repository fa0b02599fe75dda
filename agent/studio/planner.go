package studio

import (
	"context"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// temperature of the planner's model, low for consistent plans
const temperature = 0.3

// planner is the node that determines what the user requests.
type planner struct {
	model   model[plan]
	prompts Prompts
	maxText int     // maximal length of a message in characters
	styles  lexicon // style names to find in an image prompt; used in V1
}

func newPlanner(cfg Config) (planner, error) {
	m, err := newModel[plan](plannerNode, cfg.Planner)
	return planner{
		model:   m,
		prompts: cfg.Prompts,
		maxText: cfg.MaxText,
		styles:  cfg.lexicon,
	}, err
}

func (s *state) setIntent(ctx context.Context, in *intent, why string) {
	s.Intent = in
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   plannerNode,
		To:     in.Action,
		Reason: why,
		Text:   in.Reasoning,
		Data:   trace.RawAnswerData(in.RawResponse),
	})
}

func traceNoDecision(ctx context.Context, raw string, err error) {
	trace.EmitNoDecision(ctx, plannerNode, llm.TraceReason(err), raw, err)
}

// callModel requests a plan from the model. The system message consists of one or more prompts.
func (p planner) callModel(ctx context.Context, s *state, history []agent.Message, f llm.AnswerSpec,
	check func(*plan) error,
	prompts ...llm.Prompt) (answer[plan], error) {
	var system []string
	for _, prompt := range prompts {
		text, err := prompt.Fill(planning{Mask: s.Input.Mask != "", Canvas: s.Input.Canvas != ""})
		if err != nil {
			return answer[plan]{}, err
		}
		system = append(system, text)
	}
	messages := []llm.Message{llm.SystemMessage(strings.Join(system, "\n"))}
	for _, m := range history {
		messages = append(messages, llm.Message{Role: m.Role, Text: m.Content})
	}
	t := temperature
	r := llm.Request{Temperature: &t, Messages: append(messages, llm.UserMessage(s.Input.Text))}
	return p.model.call(ctx, r, 0, f, check)
}

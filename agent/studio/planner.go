package studio

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// temperature keeps plans consistent.
const temperature = 0.3

// byMask is the confidence in a plan that the inputs force on the model.
const byMask = 0.9

// plan is what the planner's model is asked for; each profile checks what it
// demands. A field of type any may hold anything where nobody demands it.
type plan struct {
	Action     string   `json:"action"`
	Subject    *string  `json:"subject"`
	Style      *string  `json:"style"`
	Confidence *float64 `json:"confidence"`
	Prompt     any      `json:"prompt,omitempty"`     // v1: a text
	Parameters any      `json:"parameters,omitempty"` // v1: an object, or none
	Reasoning  any      `json:"reasoning,omitempty"`
}

// intent is a checked plan as the model's decision; both slots are there, also
// where it named none.
func (p plan) intent() *intent {
	in := &intent{Action: p.Action, Confidence: orZero(p.Confidence), Source: "llm",
		Slots: map[string]string{"subject": orZero(p.Subject), "style": orZero(p.Style)}}
	if reasoning, ok := p.Reasoning.(string); ok {
		in.Reasoning = fmt.Sprintf("%.200s", reasoning) // characters: a remark, no essay
	}
	return in
}

func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// decided leaves the plan in the state and in the trace.
func (s *state) decided(ctx context.Context, in *intent, why string) {
	s.Intent = in
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: planner, To: in.Action, Reason: why, Text: in.Reasoning})
}

// force has the inputs decide where the model says otherwise.
func (in *intent) force(action, why string) string {
	if in.Action == action {
		return why
	}
	in.Action, in.Confidence, in.Source = action, byMask, "gate"
	return "inputs"
}

// maskMissing tells a plan that needs a mask and has none.
func (s *state) maskMissing() bool { return s.Intent.Action == Inpainting && s.Input.Mask == "" }

// ask has the model plan, by one or more prompts. The raw answer comes beside
// an invalid one.
func (a *Agent) ask(ctx context.Context, s *state, history []agent.Message, check func(*plan) error, prompts ...llm.Prompt) (plan, string, error) {
	var system []string
	for _, p := range prompts {
		text, err := p.Fill(planning{Mask: s.Input.Mask != "", Canvas: s.Input.Canvas != ""})
		if err != nil {
			return plan{}, "", err
		}
		system = append(system, text)
	}
	messages := append([]llm.Message{llm.System(strings.Join(system, "\n"))}, spoken(history)...)
	t := temperature
	r := llm.Request{Temperature: &t, Messages: append(messages, llm.User(s.Input.Text))}
	return remembered(ctx, a.plans, planner, a.Planner, r, 0, "action", check)
}

// spoken are earlier messages as the model gets them.
func spoken(history []agent.Message) (list []llm.Message) {
	for _, m := range history {
		if m.Role == "assistant" && m.Content == "" {
			continue // of a turn that ended with its decision
		}
		list = append(list, llm.Message{Role: m.Role, Text: m.Content})
	}
	return list
}

// lastRounds are the newest messages from the n-th last of the user's on.
func lastRounds(history []agent.Message, n int) []agent.Message {
	for i, m := range slices.Backward(history) {
		if m.Role != "user" {
			continue
		}
		if n--; n == 0 {
			return history[i:]
		}
	}
	return history
}

// remembered asks a model in JSON mode. A valid answer is kept for whoever
// asks the same in the same loop of a turn.
func remembered[T any](ctx context.Context, memory *cache.Cache[T], node string, c *llm.Client, r llm.Request, loop int, key string, check func(*T) error) (T, string, error) {
	id := cache.Key(c.Provider().Name, c.Model(), r.Messages, loop)
	if v, ok := memory.Get(ctx, id); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: node, Reason: "same_question"})
		return v, "", nil
	}
	v, a, err := llm.JSON(ctx, c, r, key, check)
	if err == nil {
		memory.Put(ctx, id, v)
	}
	return v, a.Content, err
}

// invalid tells a model's answer that cannot be used from a call that failed.
func invalid(err error) bool {
	kind := llm.KindOf(err)
	return kind == llm.KindInvalid || kind == llm.KindEmpty
}

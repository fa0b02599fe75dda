package toolrouter

import (
	"context"
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/toolrouter/intent"
	"evalctl/agent/trace"
)

// decision is a route, and who took it.
type decision struct {
	route      string
	source     string // llm, rules or gate
	rule       intent.Rule
	confidence float64
}

// verdict is what the router's model is asked for.
type verdict struct {
	Route      string  `json:"route"`
	Confidence float64 `json:"confidence"`
	Reason     string  `json:"reason"`
}

func (v *verdict) check() error {
	if err := llm.OneOf("route", v.Route, Routes()...); err != nil {
		return err
	}
	return llm.Unit("confidence", v.Confidence)
}

// decide finds the route of a text. The error is of the model, in the mode
// that has no rules behind it, or of a context that has ended.
func (r *run) decide(ctx context.Context, text string) (decision, error) {
	open := r.gates.open()
	if open == 0 {
		return r.decided(ctx, decision{route: Chat, source: "gate", confidence: 1}, "agent_off"), nil
	}
	if r.Mode == Rules {
		return r.decided(ctx, byRules(text, open, "rules"), "rules"), nil
	}
	v, err := r.ask(ctx, text)
	if ctx.Err() != nil {
		return decision{}, err
	}
	d := decision{route: v.Route, source: "llm", confidence: v.Confidence}
	switch reason := r.doubt(v, err); {
	case r.Mode == LLM && reason == string(llm.KindInvalid):
		r.fallback(ctx, "router", Chat, reason)
		return r.decided(ctx, decision{route: Invalid, source: "llm"}, reason), nil
	case r.Mode == LLM && err != nil:
		return decision{}, fmt.Errorf("router: %w", err)
	case r.Mode == LLMFirst && reason != "":
		r.fallback(ctx, "router", "rules", reason)
		return r.decided(ctx, byRules(text, open, "rules"), reason), nil
	}
	if bit := bits(d.route); bit&open != bit {
		trace.Emit(ctx, trace.Event{Kind: trace.KindGate, Node: "router", From: d.route, Reason: "closed"})
		return r.decided(ctx, byRules(text, open, "gate"), "closed"), nil
	}
	return r.decided(ctx, d, v.Reason), nil
}

// ask has the model decide. The answer is checked strictly: nothing that is
// wrong in it is made good silently.
func (r *run) ask(ctx context.Context, text string) (verdict, error) {
	v, _, err := llm.JSON(ctx, r.Router, llm.Request{Messages: []llm.Message{
		llm.System(r.Prompts.Router.Text), llm.User(text),
	}}, "route", (*verdict).check)
	return v, err
}

// doubt is why a model's decision is not to be taken, "" when it is.
func (r *run) doubt(v verdict, err error) string {
	switch kind := llm.KindOf(err); {
	case kind == llm.KindEmpty || kind == llm.KindInvalid:
		return string(llm.KindInvalid)
	case err != nil:
		return string(kind)
	case v.Confidence < r.threshold:
		return "low_confidence"
	default:
		return ""
	}
}

func byRules(text string, open intent.Routes, source string) decision {
	route, rule := intent.Decide(text, open)
	return decision{route: name(route), source: source, rule: rule, confidence: 1}
}

func (r *run) decided(ctx context.Context, d decision, reason string) decision {
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: "router", To: d.route, Reason: reason})
	r.reply.Predicted, r.reply.Source = d.route, d.source
	r.reply.Rule, r.reply.Confidence = string(d.rule), d.confidence
	return d
}

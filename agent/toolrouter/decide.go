package toolrouter

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/label"
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
	answer     string // the model's, as it stood there; "": none was asked
}

// verdict is what the router's model is asked for.
type verdict struct {
	Route      string   `json:"route"`
	Confidence *float64 `json:"confidence,omitempty"` // nil: not stated
	Reason     any      `json:"reason,omitempty"`     // a remark, which does not make a decision invalid
}

// sure is the confidence; 0 where none is stated.
func (v *verdict) sure() float64 {
	if v.Confidence == nil {
		return 0
	}
	return *v.Confidence
}

var routes = label.NewSet(Routes()...)

// form is the form of the router model's answer. Only llm-first has a threshold.
func (r *run) form() llm.Form {
	f := llm.Form{Key: "route", Labels: routes, Confidence: llm.OptionalConfidence}
	if r.Mode == LLMFirst {
		f.Confidence = llm.ConfidenceFor(*r.Threshold)
	}
	return f
}

// decide finds the turn's route among those that are open. The error is of
// the call, in the mode that has no rules behind it, or of a context that has
// ended: there only a whole answer that is no decision is the model's own.
func (r *run) decide(ctx context.Context, open intent.RouteSet) (decision, error) {
	if open == 0 {
		return r.decided(ctx, decision{route: Chat, source: "guard", confidence: 1}, r.shut(), ""), nil
	}
	if r.Mode == Rules {
		return r.byRules(ctx, open, "rules", "rules", ""), nil
	}
	v, answer, err := r.ask(ctx)
	if err != nil && ctx.Err() != nil {
		return decision{}, err
	}
	if err == nil {
		r.reply.ModelDecision = r.opinion(v, open)
	}
	switch doubt := r.doubt(v, err); {
	case r.Mode == LLM && llm.KindOf(err).IsInvalidAnswer():
		r.fallback(ctx, "router", Chat, doubt)
		return r.decided(ctx, decision{route: Invalid, source: "llm", answer: answer}, doubt, ""), nil
	case r.Mode == LLM && err != nil:
		trace.EmitNoDecision(ctx, "router", doubt, answer, err)
		return decision{}, err
	case r.Mode == LLMFirst && doubt != "":
		r.fallback(ctx, "router", "rules", doubt)
		return r.byRules(ctx, open, "rules", doubt, answer), nil
	}
	if bit := bits(v.Route); bit&open != bit {
		trace.Emit(ctx, trace.Event{Kind: trace.KindGuard, Node: "router", From: v.Route, Reason: r.shut()})
		return r.byRules(ctx, open, "guard", r.shut(), answer), nil
	}
	remark, _ := v.Reason.(string)
	return r.decided(ctx, decision{route: v.Route, source: "llm", confidence: v.sure(), answer: answer}, "llm", remark), nil
}

// onlyDecide stops where the route is known: nothing is looked at, searched or
// answered.
func (r *run) onlyDecide(ctx context.Context, images reference) error {
	open := r.gates.open()
	if r.pictured {
		open &= intent.BitWebSearch
	}
	if r.pictured && len(images.urls) == 0 {
		r.noImage(ctx, images)
		return nil
	}
	_, err := r.decide(ctx, open)
	return err
}

// shut is why a route is not open.
func (r *run) shut() string {
	switch {
	case r.gates.Agent:
		return "agent_off"
	case r.pictured:
		return "image_input"
	default:
		return "disabled"
	}
}

// ask has the model decide. The raw answer is returned beside an error, too.
func (r *run) ask(ctx context.Context) (_ verdict, answer string, _ error) {
	v, err := node("router", func() (verdict, error) {
		v, a, err := llm.JSON[verdict](ctx, r.Router, llm.Request{Messages: r.question()}, r.form())
		answer = a.Text()
		return v, err
	})
	return v, answer, err
}

// opinion is the model's decision with what it comes to, trusted or not.
func (r *run) opinion(v verdict, open intent.RouteSet) *agent.ModelDecision {
	o := &agent.ModelDecision{Label: v.Route, Confidence: v.Confidence}
	rules, _ := intent.Decide(r.turn.Text, open)
	if bits(v.Route)&^open != 0 {
		o.IfAccepted = name(rules)
	}
	if r.Mode == LLMFirst {
		o.IfRejected = name(rules)
	}
	return o
}

// doubt is why a model's decision is not to be taken, "" when it is.
func (r *run) doubt(v verdict, err error) string {
	switch {
	case err != nil:
		return reason(err)
	case r.Mode == LLMFirst && v.sure() < *r.Threshold:
		return trace.LowConfidence
	default:
		return ""
	}
}

// byRules decides in the place of the answer, where a model was asked.
func (r *run) byRules(ctx context.Context, open intent.RouteSet, source, why, answer string) decision {
	route, rule := intent.Decide(r.turn.Text, open)
	return r.decided(ctx, decision{route: name(route), source: source, rule: rule, confidence: 1, answer: answer}, why, string(rule))
}

// decided leaves the decision in the trace and in the reply.
func (r *run) decided(ctx context.Context, d decision, why, remark string) decision {
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: "router", To: d.route, Reason: why, Text: remark, Data: trace.AnswerData(d.answer)})
	r.reply.Predicted, r.reply.DecidedBy = d.route, d.source
	r.reply.Rule, r.reply.Confidence = string(d.rule), d.confidence
	return d
}

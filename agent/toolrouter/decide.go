package toolrouter

import (
	"cmp"
	"context"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/toolrouter/intent"
	"evalctl/agent/trace"
)

type decision struct {
	route      string
	source     string // who decided: llm, rules or guard
	rule       intent.Rule
	confidence float64
	answer     string // raw answer of the model; "": no model was called
}

// verdict is the answer of the deciding model in JSON.
type verdict struct {
	Route      string   `json:"route"`
	Confidence *float64 `json:"confidence,omitempty"` // nil: the model returned none
	// not required: a reason of another type does not make the decision invalid
	Reason any `json:"reason,omitempty"`
}

func (v *verdict) confidence() float64 {
	if v.Confidence == nil {
		return 0
	}
	return *v.Confidence
}

var routes = label.NewSet(Routes()...)

// form returns the required form of the model's answer. Only ModeLLMFirst requires a confidence,
// because it has a threshold.
func (r *run) form() llm.AnswerSpec {
	f := llm.AnswerSpec{Key: "route", Labels: routes, Confidence: llm.OptionalConfidence}
	if r.Mode == ModeLLMFirst {
		f.Confidence = llm.ConfidenceRuleFor(*r.Threshold)
	}
	return f
}

// decide chooses the route of the turn among the available routes, which open contains.
//
// In mode ModeLLM there is no fallback. A failed call is an error. A complete answer without a
// valid route results in the decision RouteInvalid. A canceled context is an error in every mode.
func (r *run) decide(ctx context.Context, open intent.RouteSet) (decision, error) {
	if open == 0 {
		return r.record(ctx, decision{route: RouteChat, source: "guard", confidence: 1}, r.closedReason(), ""), nil
	}
	if r.Mode == ModeRules {
		return r.byRules(ctx, open, "rules", "rules", ""), nil
	}
	v, answer, err := r.askModel(ctx)
	if err != nil && ctx.Err() != nil {
		return decision{}, err
	}
	if err == nil {
		r.reply.ModelDecision = r.modelDecision(v, open)
	}
	switch doubt := r.rejectReason(v, err); {
	case r.Mode == ModeLLM && llm.KindOf(err).IsInvalidAnswer():
		r.fallback(ctx, "router", RouteChat, doubt)
		return r.record(ctx, decision{route: RouteInvalid, source: "llm", answer: answer}, doubt, ""), nil
	case r.Mode == ModeLLM && err != nil:
		trace.EmitNoDecision(ctx, "router", doubt, answer, err)
		return decision{}, err
	case r.Mode == ModeLLMFirst && doubt != "":
		r.fallback(ctx, "router", "rules", doubt)
		return r.byRules(ctx, open, "rules", doubt, answer), nil
	}
	if bit := routeSet(v.Route); bit&open != bit {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindGuard,
			Node:   "router",
			From:   v.Route,
			Reason: r.closedReason(),
		})
		return r.byRules(ctx, open, "guard", r.closedReason(), answer), nil
	}
	remark, _ := v.Reason.(string)
	return r.record(ctx, decision{
		route:      v.Route,
		source:     "llm",
		confidence: v.confidence(),
		answer:     answer,
	}, "llm", remark), nil
}

// onlyDecide chooses the route but does not answer. It neither describes images nor searches the
// web.
func (r *run) onlyDecide(ctx context.Context, images imageReference) error {
	open := r.disabled.openRoutes()
	if r.aboutImages {
		open &= intent.RouteWebSearch
	}
	if r.aboutImages && len(images.urls) == 0 {
		r.noImage(ctx, images)
		return nil
	}
	_, err := r.decide(ctx, open)
	return err
}

// closedReason returns the reason for the trace why some routes are not available in this turn.
func (r *run) closedReason() string {
	switch {
	case r.disabled.Routing:
		return "agent_off"
	case r.aboutImages:
		return "image_input"
	default:
		return "disabled"
	}
}

// askModel calls the deciding model. It returns the raw answer even with an error.
func (r *run) askModel(ctx context.Context) (_ verdict, answer string, _ error) {
	v, err := callNode("router", func() (verdict, error) {
		v, a, err := llm.ChatJSON[verdict](ctx, r.Router, llm.Request{Messages: r.routingRequest()}, r.form())
		answer = a.TextOrReasoning()
		return v, err
	})
	return v, answer, err
}

// modelDecision returns the decision of the model for the reply, whether it is accepted or not. It
// also records the route that would follow if the decision were accepted and the one if it were
// rejected. With them, evalctl can evaluate other thresholds.
func (r *run) modelDecision(v verdict, open intent.RouteSet) *agent.ModelDecision {
	o := &agent.ModelDecision{Label: v.Route, Confidence: v.Confidence}
	rules, _ := r.rules(open)
	if routeSet(v.Route)&^open != 0 {
		o.DecisionIfAccepted = routeName(rules)
	}
	if r.Mode == ModeLLMFirst {
		o.DecisionIfRejected = routeName(rules)
	}
	return o
}

// rejectReason returns why the model's decision is rejected, or "" if it is accepted.
func (r *run) rejectReason(v verdict, err error) string {
	switch {
	case err != nil:
		return reason(err)
	case r.Mode == ModeLLMFirst && v.confidence() < *r.Threshold:
		return trace.ReasonLowConfidence
	default:
		return ""
	}
}

// rules returns the route that the keyword rules choose. Directly after an image of the agent, a
// request for a change requests an image. Directly after a search, a follow-up requests a search.
func (r *run) rules(open intent.RouteSet) (intent.RouteSet, intent.Rule) {
	route, rule := intent.Decide(r.turn.Text, open)
	if route == 0 && open&intent.RouteWebSearch != 0 && !r.aboutImages {
		if followed, ok := followedSearch(r.turn.Text, r.turn.History); ok {
			return intent.RouteWebSearch, followed
		}
	}
	if route != 0 || open&intent.RouteImageGen == 0 || !canEditImage(r.turn.Text, r.turn.History) {
		return route, rule
	}
	if edit, ok := intent.DetectImageEdit(r.turn.Text); ok || retriesImage(r.turn.Text) {
		return intent.RouteImageGen, cmp.Or(edit, intent.RuleImageEdit)
	}
	return route, rule
}

// byRules chooses the route by the keyword rules. answer is the raw answer of the model that the
// rules replace; "": no model was called.
func (r *run) byRules(ctx context.Context, open intent.RouteSet, source, why, answer string) decision {
	route, rule := r.rules(open)
	return r.record(ctx, decision{
		route:      routeName(route),
		source:     source,
		rule:       rule,
		confidence: 1,
		answer:     answer,
	}, why, string(rule))
}

func (r *run) record(ctx context.Context, d decision, why, remark string) decision {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   "router",
		To:     d.route,
		Reason: why,
		Text:   remark,
		Data:   trace.RawAnswerData(d.answer),
	})
	r.reply.Predicted, r.reply.DecidedBy = d.route, d.source
	r.reply.Rule, r.reply.Confidence = string(d.rule), d.confidence
	r.reply.Attributes = map[string]string{visionAttribute: "no"}
	if r.looksAtImage {
		r.reply.Attributes[visionAttribute] = "yes"
	}
	return d
}

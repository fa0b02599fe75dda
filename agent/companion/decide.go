package companion

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/companion/dates"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Sources of a decision.
const (
	byModel    = "llm"
	byRules    = "rules"    // a rule matches the message
	byKeywords = "keywords" // the model's answer was invalid
	byGate     = "guard"    // the default
)

// Confidences of keyword decisions.
const (
	matched   = 0.6
	unmatched = 0.5
)

// decision is an intent with its source and its query.
type decision struct {
	intent     string
	source     string
	rule       string
	confidence float64
	query      query
	answer     string // the model's answer, unparsed; "": no model was called
}

// decide determines the turn's intent. It returns an error only if the context ended.
func (r *run) decide(ctx context.Context) (decision, error) {
	if rule := plainly(r.text, r.named, dates.DayOf(r.now)); rule != "" && !r.AlwaysAsk {
		d := decision{intent: knowledgeQuery, source: byRules, rule: rule, confidence: 1, query: r.message()}
		return r.decided(ctx, d, byRules, rule), nil
	}
	j, err := r.ask(ctx)
	switch {
	case err == nil:
		return r.trust(ctx, j), nil
	case ctx.Err() != nil:
		return decision{}, err
	case isUnread(err):
		formed(ctx, intentNode, llm.Reason(err), err.Error())
		fallback(ctx, intentNode, intentNode, byKeywords, llm.Reason(err))
		return r.match(ctx, j.raw), nil
	}
	fallback(ctx, intentNode, intentNode, normalChat, llm.Reason(err))
	return r.decided(ctx, decision{intent: normalChat, source: byGate}, llm.Reason(err), err.Error()), nil
}

// isUnread reports whether an answer arrived that cannot be parsed. A failed call is different.
func isUnread(err error) bool {
	kind := llm.KindOf(err)
	return kind.IsInvalidAnswer() || kind == llm.KindEmptyContent || kind == llm.KindTruncated
}

// Parameters of the deciding model's calls.
const (
	temperature = 0.1
	maxTokens   = 300
)

// ask calls the deciding model, or returns the cached decision for the same request. The raw answer
// is also returned with an error.
func (r *run) ask(ctx context.Context) (j judged, err error) {
	question := r.question()
	key := cache.Key(r.Router.Provider().Name, r.Router.Model(), question)
	if j, ok := r.intents.Get(ctx, key); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: intentNode, Reason: "same_request"})
		return j, nil
	}
	err = clock.CatchPanic(intentNode, func() (err error) {
		var a llm.Response
		j.verdict, a, err = llm.JSON[verdict](ctx, r.Router, llm.Request{Messages: question, Temperature: new(temperature), MaxTokens: maxTokens},
			intentForm(*r.Threshold))
		j.raw, j.notExact = a.Text(), a.NotExact()
		return err
	})
	if err == nil && len(j.raw) <= trace.MaxAnswer {
		r.intents.Put(ctx, key, j)
	}
	return j, err
}

// trust applies the model's decision, or the default below the threshold.
func (r *run) trust(ctx context.Context, j judged) decision {
	v := j.verdict
	sure := 0.0
	if v.Confidence != nil {
		sure = *v.Confidence
	}
	r.reply.ModelDecision = &agent.ModelDecision{Label: v.Intent, Confidence: v.Confidence, IfRejected: r.below()}
	remark, _ := v.Reason.(string)
	d := decision{intent: v.Intent, source: byModel, confidence: sure, answer: j.raw}
	why := byModel
	if sure < *r.Threshold && v.Intent != r.below() {
		d.intent, d.source, why = r.below(), byGate, trace.LowConfidence
		fallback(ctx, intentNode, v.Intent, d.intent, why)
	}
	if d.intent == knowledgeQuery {
		d.query = r.params(ctx, j)
	} else {
		formed(ctx, intentNode, j.notExact, "")
	}
	return r.decided(ctx, d, why, piece(remark))
}

// below is the intent for a decision below its threshold.
func (r *run) below() string {
	if r.Below == belowQuery {
		return knowledgeQuery
	}
	return normalChat
}

// match decides by keywords in the user's message after an invalid answer.
func (r *run) match(ctx context.Context, answer string) decision {
	d := decision{intent: normalChat, source: byKeywords, confidence: unmatched, answer: answer}
	word := keyword(r.text)
	if word == "" && r.datedPast() {
		word = r.named.String()
	}
	if word == "" {
		return r.decided(ctx, d, byKeywords, "")
	}
	d.intent, d.confidence = knowledgeQuery, matched
	if d.confidence < *r.Keyword && r.below() != d.intent {
		fallback(ctx, intentNode, d.intent, r.below(), trace.LowConfidence)
		d.intent = r.below()
	}
	if d.intent == knowledgeQuery {
		d.query = r.message()
	}
	return r.decided(ctx, d, byKeywords, word)
}

// decided stores the decision in the reply and traces it.
func (r *run) decided(ctx context.Context, d decision, why, remark string) decision {
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: intentNode, To: d.intent, Reason: why, Text: remark, Data: trace.AnswerData(d.answer)})
	r.reply.Predicted, r.reply.DecidedBy, r.reply.Rule, r.reply.Confidence = d.intent, d.source, d.rule, d.confidence
	if d.intent == knowledgeQuery {
		r.reply.Slots = d.query.slots()
	}
	return d
}

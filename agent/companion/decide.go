package companion

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/dates"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Values of DecidedBy: what decided the intent.
const (
	byModel    = "llm"
	byRules    = "rules"    // a rule matched the message, without a model call
	byKeywords = "keywords" // keywords in the message, because the model's answer was invalid
	byGuard    = "guard"    // the fallback intent, because of a failed call or a low confidence
)

// Confidences of decisions by keywords.
const (
	keywordConfidence   = 0.6
	noKeywordConfidence = 0.5
)

// decision is an intent, with what decided it and the query for the diary.
type decision struct {
	intent     string
	source     string
	rule       string
	confidence float64
	query      query
	answer     string // raw answer of the model; "": the model was not called
}

// decide decides the intent of the turn: by rules, by the model, or by keywords if the model's
// answer is invalid. It returns an error only if the context ended.
func (r *run) decide(ctx context.Context) (decision, error) {
	if rule := plainRule(r.text, r.namedDates, dates.DayOf(r.now)); rule != "" && !r.AlwaysCallModel {
		d := decision{
			intent:     knowledgeQuery,
			source:     byRules,
			rule:       rule,
			confidence: 1,
			query:      r.messageQuery(),
		}
		return r.setDecision(ctx, d, byRules, rule), nil
	}
	j, err := r.callRouter(ctx)
	switch {
	case err == nil:
		return r.acceptDecision(ctx, j), nil
	case ctx.Err() != nil:
		return decision{}, err
	case isInvalidAnswer(err):
		traceFormat(ctx, intentNode, llm.TraceReason(err), err.Error())
		fallback(ctx, intentNode, intentNode, byKeywords, llm.TraceReason(err))
		return r.decideByKeywords(ctx, j.raw), nil
	}
	fallback(ctx, intentNode, intentNode, normalChat, llm.TraceReason(err))
	return r.setDecision(ctx, decision{intent: normalChat, source: byGuard}, llm.TraceReason(err), err.Error()), nil
}

// isInvalidAnswer reports whether the model answered, but with an answer that cannot be used.
func isInvalidAnswer(err error) bool {
	kind := llm.KindOf(err)
	return kind.IsInvalidAnswer() || kind == llm.KindEmptyContent || kind == llm.KindTruncated
}

// Parameters of the deciding model's calls.
const (
	temperature = 0.1
	maxTokens   = 300
)

// callRouter calls the deciding model, or returns the cached decision for an identical request.
// After an error, the result still contains the raw answer.
func (r *run) callRouter(ctx context.Context) (j routerAnswer, err error) {
	question := r.question()
	key := cache.Key(r.Router.Provider().Name, r.Router.Model(), question)
	if j, ok := r.intents.Get(ctx, key); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: intentNode, Reason: "same_request"})
		return j, nil
	}
	err = clock.CatchPanic(intentNode, func() (err error) {
		var a llm.Response
		j.verdict, a, err = llm.ChatJSON[verdict](ctx, r.Router,
			llm.Request{Messages: question, Temperature: new(temperature), MaxTokens: maxTokens},
			intentForm(*r.Threshold))
		j.raw, j.notExact = a.TextOrReasoning(), a.FirstCorrection()
		return err
	})
	if err == nil && len(j.raw) <= trace.MaxRawAnswer {
		r.intents.Put(ctx, key, j)
	}
	return j, err
}

// acceptDecision returns the model's decision, or another intent if its confidence is too low.
func (r *run) acceptDecision(ctx context.Context, j routerAnswer) decision {
	v := j.verdict
	sure := 0.0
	if v.Confidence != nil {
		sure = *v.Confidence
	}
	r.reply.ModelDecision = &agent.ModelDecision{Label: v.Intent, Confidence: v.Confidence,
		DecisionIfRejected: r.lowConfidenceIntent()}
	remark, _ := v.Reason.(string)
	d := decision{
		intent:     v.Intent,
		source:     byModel,
		confidence: sure,
		answer:     j.raw,
	}
	why := byModel
	if sure < *r.Threshold && v.Intent != r.lowConfidenceIntent() {
		d.intent, d.source, why = r.lowConfidenceIntent(), byGuard, trace.ReasonLowConfidence
		fallback(ctx, intentNode, v.Intent, d.intent, why)
	}
	if d.intent == knowledgeQuery {
		d.query = r.modelQuery(ctx, j)
	} else {
		traceFormat(ctx, intentNode, j.notExact, "")
	}
	return r.setDecision(ctx, d, why, excerpt(remark))
}

// lowConfidenceIntent returns the intent that replaces a decision with a low confidence.
func (r *run) lowConfidenceIntent() string {
	if r.LowConfidence == belowQuery {
		return knowledgeQuery
	}
	return normalChat
}

// decideByKeywords decides the intent by keywords and dates if the model's answer is invalid.
func (r *run) decideByKeywords(ctx context.Context, answer string) decision {
	d := decision{
		intent:     normalChat,
		source:     byKeywords,
		confidence: noKeywordConfidence,
		answer:     answer,
	}
	word := keyword(r.text)
	if word == "" && r.datedPast() {
		word = r.namedDates.String()
	}
	if word == "" {
		return r.setDecision(ctx, d, byKeywords, "")
	}
	d.intent, d.confidence = knowledgeQuery, keywordConfidence
	if d.confidence < *r.KeywordThreshold && r.lowConfidenceIntent() != d.intent {
		fallback(ctx, intentNode, d.intent, r.lowConfidenceIntent(), trace.ReasonLowConfidence)
		d.intent = r.lowConfidenceIntent()
	}
	if d.intent == knowledgeQuery {
		d.query = r.messageQuery()
	}
	return r.setDecision(ctx, d, byKeywords, word)
}

// setDecision stores the decision in the reply and emits a trace event for it. why and remark
// explain the decision in that event.
func (r *run) setDecision(ctx context.Context, d decision, why, remark string) decision {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   intentNode,
		To:     d.intent,
		Reason: why,
		Text:   remark,
		Data:   trace.RawAnswerData(d.answer),
	})
	r.reply.Predicted = d.intent
	r.reply.DecidedBy = d.source
	r.reply.Rule = d.rule
	r.reply.Confidence = d.confidence
	if d.intent == knowledgeQuery {
		r.reply.Slots = d.query.slots()
	}
	return d
}

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

// Who may have decided.
const (
	byModel    = "llm"
	byRules    = "rules"    // the message asks plainly
	byKeywords = "keywords" // the model's answer was none
	byGate     = "guard"    // nobody: what is usual holds
)

// How sure a match of keywords is.
const (
	matched   = 0.6
	unmatched = 0.5
)

// decision is an intent, who took it, and what is to be looked up.
type decision struct {
	intent     string
	source     string
	rule       string
	confidence float64
	query      query
	answer     string // the model's, as it stood there; "": none was asked
}

// decide finds the turn's intent. The error is of a context that has ended.
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

// isUnread tells an answer that came and cannot be read from a call that failed.
func isUnread(err error) bool {
	kind := llm.KindOf(err)
	return kind.IsInvalidAnswer() || kind == llm.KindEmptyContent || kind == llm.KindTruncated
}

// The deciding model answers cool and short.
const (
	temperature = 0.1
	maxTokens   = 300
)

// ask has the model decide, once for the same question; the raw answer comes beside
// an error, too.
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

// trust takes the model's decision, or what stands below the threshold.
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

// below is the intent of a decision below its threshold.
func (r *run) below() string {
	if r.Below == belowQuery {
		return knowledgeQuery
	}
	return normalChat
}

// match decides by the words of the user's message, in the place of an answer that
// cannot be read.
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

// decided leaves the decision in the trace and in the reply.
func (r *run) decided(ctx context.Context, d decision, why, remark string) decision {
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: intentNode, To: d.intent, Reason: why, Text: remark, Data: trace.AnswerData(d.answer)})
	r.reply.Predicted, r.reply.DecidedBy, r.reply.Rule, r.reply.Confidence = d.intent, d.source, d.rule, d.confidence
	if d.intent == knowledgeQuery {
		r.reply.Slots = d.query.slots()
	}
	return d
}

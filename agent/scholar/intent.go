package scholar

import (
	"context"
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// verdict is the answer of the deciding model.
type verdict struct {
	Intent     string   `json:"intent"`
	Confidence *float64 `json:"confidence,omitempty"`
	// optional; ignored if invalid
	Reason json.RawMessage `json:"reason,omitempty"`
}

// intentForm is the format of the deciding model's answer. Its confidence is not compared with a
// threshold.
var intentForm = llm.Form{Key: "intent", Labels: label.NewSet(intents()...), Confidence: llm.OptionalConfidence}

// recognizeIntent is a node: the intent is the request's mode, otherwise the model's decision.
func (r *run) recognizeIntent(ctx context.Context) error {
	if r.mode != "" {
		r.setDecision(ctx, r.mode, byRequest, "mode_type", nil)
		return nil
	}
	client, err := r.client("router")
	if err != nil {
		return err
	}
	lastError := ""
	for tried := 0; ; tried++ {
		v, answer, err := r.callIntentModel(ctx, client, lastError)
		if err == nil {
			r.acceptIntent(ctx, v, answer)
			return nil
		}
		if !isInvalidAnswer(err) || ctx.Err() != nil {
			return err
		}
		reason := llm.Reason(err)
		traceFormat(ctx, intentNode, reason, err.Error())
		if tried == r.Retries {
			trace.EmitNoDecision(ctx, intentNode, reason, answer.Text(), err)
			return err
		}
		trace.Emit(ctx, trace.Event{Kind: trace.KindRetry, Node: intentNode, Reason: reason})
		lastError = excerpt(err.Error())
	}
}

// isInvalidAnswer reports whether an answer arrived that is not a decision. A failed call is
// different.
func isInvalidAnswer(err error) bool {
	kind := llm.KindOf(err)
	return kind.IsInvalidAnswer() || kind == llm.KindEmptyContent || kind == llm.KindTruncated
}

// callIntentModel calls the model once; lastError is the error of the answer before.
func (r *run) callIntentModel(ctx context.Context, client *llm.Client, lastError string) (v verdict,
	a llm.Response, err error) {
	system, err := r.Prompts.Intent.Fill(places{Documents: r.listedBriefly(), Count: len(r.docs), Wrong: lastError})
	if err != nil {
		return v, a, err
	}
	err = r.call(ctx, func() (err error) {
		v, a, err = llm.JSON[verdict](ctx, client,
			llm.Request{Messages: r.messages(system, planningTurns), Temperature: new(0.1)}, intentForm)
		return err
	})
	return v, a, err
}

// listedBriefly lists the first documents of the turn for the deciding model.
func (r *run) listedBriefly() string {
	const most = 10
	list := listed(r.docs[:min(len(r.docs), most)])
	if len(r.docs) > most {
		list += "\n…"
	}
	return list
}

func (r *run) acceptIntent(ctx context.Context, v verdict, a llm.Response) {
	traceFormat(ctx, intentNode, a.NotExact(), "")
	r.reply.ModelDecision = &agent.ModelDecision{Label: v.Intent, Confidence: v.Confidence}
	if v.Confidence != nil {
		r.reply.Confidence = *v.Confidence
	}
	r.setDecision(ctx, v.Intent, byModel, byModel, trace.AnswerData(a.Text()))
}

// setDecision stores the decision in the reply and traces it.
func (r *run) setDecision(ctx context.Context, intent, source, reason string, answer json.RawMessage) {
	r.intent = intent
	r.reply.Predicted, r.reply.DecidedBy = intent, source
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   intentNode,
		To:     intent,
		Reason: reason,
		Data:   answer,
	})
	if intent == simpleInteraction {
		r.strategy = simpleStrategy
		r.setAttribute("strategy", simpleStrategy)
	}
	if reason != "no_documents" {
		r.emitThought(ctx, intentNode, r.localized("识别到的意图："+intent, "Intent: "+intent))
	}
}

// intentFallback continues with conversation if the intent could not be determined.
func (r *run) intentFallback(ctx context.Context, err error) {
	fallback(ctx, intentNode, intentNode, simpleInteraction, llm.Reason(err))
	r.setDecision(ctx, simpleInteraction, byGuard, llm.Reason(err), nil)
}

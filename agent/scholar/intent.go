package scholar

import (
	"context"
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// verdict is the intent model's answer.
type verdict struct {
	Intent     string   `json:"intent"`
	Confidence *float64 `json:"confidence,omitempty"`
	// optional; an invalid reason is ignored
	Reason json.RawMessage `json:"reason,omitempty"`
}

// intentForm is the format of the intent model's answer. The confidence is optional, because no
// threshold uses it.
var intentForm = llm.AnswerSpec{Key: "intent", Labels: label.NewSet(intents()...), Confidence: llm.OptionalConfidence}

// recognizeIntent is the node that determines the intent: the mode that the request sets, or else
// the model's decision. After an invalid answer it calls the model again.
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
		reason := llm.TraceReason(err)
		traceFormat(ctx, intentNode, reason, err.Error())
		if tried == r.Retries {
			trace.EmitNoDecision(ctx, intentNode, reason, answer.TextOrReasoning(), err)
			return err
		}
		trace.Emit(ctx, trace.Event{Kind: trace.KindRetry, Node: intentNode, Reason: reason})
		lastError = excerpt(err.Error())
	}
}

// isInvalidAnswer reports whether err means that the model answered without a valid decision. It
// returns false if the call failed.
func isInvalidAnswer(err error) bool {
	kind := llm.KindOf(err)
	return kind.IsInvalidAnswer() || kind == llm.KindEmptyContent || kind == llm.KindTruncated
}

// callIntentModel calls the intent model once. lastError is the error of its previous answer, for
// the prompt; "" if there is none.
func (r *run) callIntentModel(ctx context.Context, client *llm.Client, lastError string) (v verdict,
	a llm.Response, err error) {
	system, err := r.Prompts.Intent.Fill(promptData{Documents: r.listedBriefly(), Count: len(r.docs), Wrong: lastError})
	if err != nil {
		return v, a, err
	}
	err = r.call(ctx, func() (err error) {
		v, a, err = llm.ChatJSON[verdict](ctx, client,
			llm.Request{Messages: r.messages(system, planningTurns), Temperature: new(0.1)}, intentForm)
		return err
	})
	return v, a, err
}

// listedBriefly lists the first 10 documents of the turn for the intent model.
func (r *run) listedBriefly() string {
	const most = 10
	list := listed(r.docs[:min(len(r.docs), most)])
	if len(r.docs) > most {
		list += "\n…"
	}
	return list
}

func (r *run) acceptIntent(ctx context.Context, v verdict, a llm.Response) {
	traceFormat(ctx, intentNode, a.FirstCorrection(), "")
	r.reply.ModelDecision = &agent.ModelDecision{Label: v.Intent, Confidence: v.Confidence}
	if v.Confidence != nil {
		r.reply.Confidence = *v.Confidence
	}
	r.setDecision(ctx, v.Intent, byModel, byModel, trace.RawAnswerData(a.TextOrReasoning()))
}

// setDecision sets the intent in the reply and traces it. source is one of the values of
// Reply.DecidedBy.
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

// intentFallback answers the turn as conversation if the intent could not be determined.
func (r *run) intentFallback(ctx context.Context, err error) {
	fallback(ctx, intentNode, intentNode, simpleInteraction, llm.TraceReason(err))
	r.setDecision(ctx, simpleInteraction, byGuard, llm.TraceReason(err), nil)
}

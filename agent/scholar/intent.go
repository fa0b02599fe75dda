package scholar

import (
	"context"
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// verdict is what the deciding model is asked for.
type verdict struct {
	Intent     string          `json:"intent"`
	Confidence *float64        `json:"confidence,omitempty"`
	Reason     json.RawMessage `json:"reason,omitempty"` // a remark: one that is no text spoils no decision
}

// intentForm is the form of the deciding model's answer. No threshold uses its confidence.
var intentForm = llm.Form{Key: "intent", Labels: label.NewSet(intents()...), Confidence: llm.OptionalConfidence}

// recognizeIntent is a node: the intent is that of the request, else what the model
// makes of the message.
func (r *run) recognizeIntent(ctx context.Context) error {
	if r.mode != "" {
		r.decided(ctx, r.mode, byMode, "mode_type", nil)
		return nil
	}
	client, err := r.client("router")
	if err != nil {
		return err
	}
	wrong := ""
	for tried := 0; ; tried++ {
		v, answer, err := r.askIntent(ctx, client, wrong)
		if err == nil {
			r.trust(ctx, v, answer)
			return nil
		}
		if !isUnread(err) || ctx.Err() != nil {
			return err
		}
		reason := llm.Reason(err)
		formed(ctx, intentNode, reason, err.Error())
		if tried == r.Retries {
			trace.EmitNoDecision(ctx, intentNode, reason, answer.Text(), err)
			return err
		}
		trace.Emit(ctx, trace.Event{Kind: trace.KindRetry, Node: intentNode, Reason: reason})
		wrong = piece(err.Error())
	}
}

// isUnread tells an answer that came and is no decision from a call that failed.
func isUnread(err error) bool {
	kind := llm.KindOf(err)
	return kind.IsInvalidAnswer() || kind == llm.KindEmptyContent || kind == llm.KindTruncated
}

// askIntent asks once; wrong is what was wrong with the answer before.
func (r *run) askIntent(ctx context.Context, client *llm.Client, wrong string) (v verdict, a llm.Response, err error) {
	system, err := r.Prompts.Intent.Fill(places{Documents: r.listedBriefly(), Count: len(r.docs), Wrong: wrong})
	if err != nil {
		return v, a, err
	}
	err = r.call(ctx, func() (err error) {
		v, a, err = llm.JSON[verdict](ctx, client, llm.Request{Messages: r.messages(system, planningTurns), Temperature: new(0.1)}, intentForm)
		return err
	})
	return v, a, err
}

// listedBriefly are the first of the turn's documents, as the deciding model sees them.
func (r *run) listedBriefly() string {
	const most = 10
	list := listed(r.docs[:min(len(r.docs), most)])
	if len(r.docs) > most {
		list += "\n…"
	}
	return list
}

func (r *run) trust(ctx context.Context, v verdict, a llm.Response) {
	formed(ctx, intentNode, a.NotExact(), "")
	r.reply.ModelDecision = &agent.ModelDecision{Label: v.Intent, Confidence: v.Confidence}
	if v.Confidence != nil {
		r.reply.Confidence = *v.Confidence
	}
	r.decided(ctx, v.Intent, byModel, byModel, trace.AnswerData(a.Text()))
}

// decided leaves the decision in the trace and in the reply.
func (r *run) decided(ctx context.Context, intent, source, reason string, answer json.RawMessage) {
	r.intent = intent
	r.reply.Predicted, r.reply.DecidedBy = intent, source
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: intentNode, To: intent, Reason: reason, Data: answer})
	if intent == simpleInteraction {
		r.strategy = simpleStrategy
		r.aspect("strategy", simpleStrategy)
	}
	if reason != "no_documents" {
		r.think(ctx, intentNode, r.say("识别到的意图："+intent, "Intent: "+intent))
	}
}

// intentFallback has conversation answer where no intent was found.
func (r *run) intentFallback(ctx context.Context, err error) {
	fallback(ctx, intentNode, intentNode, simpleInteraction, llm.Reason(err))
	r.decided(ctx, simpleInteraction, byGate, llm.Reason(err), nil)
}

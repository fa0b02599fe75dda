package companion

import (
	"context"

	"evalctl/agent/companion/diary"
	"evalctl/agent/dates"
)

// answer runs all steps of a turn: it decides the intent, searches the diary, calls the chat model
// and stores the messages. It returns an error only if the context ended or after a bug.
func (r *run) answer(ctx context.Context) error {
	if code := r.invalidTurnCode(); code != "" {
		return r.failWith(ctx, code, "", intentNode)
	}
	r.namedDates = dates.Find(r.text, r.now)
	for _, no := range r.namedDates.Invalid {
		traceIgnored(ctx, intentNode, "message", no.Text, "", no.Reason)
	}
	d, err := r.decide(ctx)
	if err != nil || r.DecisionOnly {
		return err
	}
	answeredBy := normalChat
	var found []diary.Match
	if d.intent == knowledgeQuery {
		var searched bool
		if found, searched, err = r.recall(ctx, d.query); err != nil {
			return err
		}
		if searched {
			answeredBy = knowledgeQuery
		}
	}
	replyMessages, err := r.callChat(ctx, found)
	if err != nil {
		return r.failChat(ctx, err)
	}
	r.emitReplies(ctx, replyMessages)
	r.reply.AnsweredBy = answeredBy
	r.storeBatch(ctx, replyMessages)
	return nil
}

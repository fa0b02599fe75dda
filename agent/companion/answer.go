package companion

import (
	"context"

	"evalctl/agent/companion/dates"
	"evalctl/agent/companion/diary"
)

// answer takes the turn to its reply. The error is of a context that has ended, or a
// bug.
func (r *run) answer(ctx context.Context) error {
	if code := r.refused(); code != "" {
		return r.apologise(ctx, code, "", intentNode)
	}
	r.named = dates.Find(r.text, r.now)
	for _, no := range r.named.Invalid {
		unused(ctx, intentNode, "message", no.Text, "", no.Reason)
	}
	d, err := r.decide(ctx)
	if err != nil || r.DecisionOnly {
		return err
	}
	served := normalChat
	var found []diary.Match
	if d.intent == knowledgeQuery {
		var looked bool
		if found, looked, err = r.recall(ctx, d.query); err != nil {
			return err
		}
		if looked {
			served = knowledgeQuery
		}
	}
	said, err := r.talk(ctx, found)
	if err != nil {
		return r.unanswered(ctx, err)
	}
	r.say(ctx, said)
	r.reply.AnsweredBy = served
	return r.remember(ctx, said)
}

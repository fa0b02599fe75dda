package companion

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion/diary"
	"evalctl/agent/llm"
)

// conversation is what was said in the conversation today, before this batch. Where that
// cannot be read the turn is answered without; the error is of a context that has
// ended.
func (r *run) conversation(ctx context.Context) (list []line, err error) {
	if r.turn.Session != "" {
		var said []diary.Message
		err = withStore(ctx, r.storing("context"), r.BeforeStore, func(ctx context.Context) (err error) {
			said, err = r.Diary.Messages(ctx, r.state.Agent, r.turn.Session, r.today())
			return err
		})
		list = linesIn(said)
	}
	if err != nil && ctx.Err() == nil {
		fallback(ctx, storeNode, storeNode, "no_context", llm.Reason(err))
		err = nil
	}
	return append(r.state.byDay(r.now.Location())[r.today()], list...), err
}

// alone is the conversation of turns that belong to none.
const alone = "-"

// remember puts the batch and its answer down in one transaction. Where it cannot, the
// answer has been given and is forgotten; the error is of a context that has ended.
func (r *run) remember(ctx context.Context, said []agent.ReplyMessage) error {
	b := diary.Batch{ID: fmt.Sprintf("%s %d", r.now.UTC().Format(time.RFC3339Nano), r.count.Add(1)), Agent: r.state.Agent, Conversation: r.turn.Session}
	if b.Conversation == "" {
		b.Conversation = alone
	}
	for _, m := range r.batch {
		b.Messages = append(b.Messages, diary.Message{Role: "user", Content: m, At: r.now})
	}
	answered := clock.Now(ctx).In(r.now.Location())
	for _, s := range said {
		b.Messages = append(b.Messages, diary.Message{Role: "assistant", Content: s.Content, At: answered, Delay: s.DelaySeconds})
	}
	err := withStore(ctx, r.storing("messages"), r.BeforeStore, func(ctx context.Context) error { return r.Diary.SaveBatches(ctx, b) })
	if err != nil && ctx.Err() == nil {
		fallback(ctx, storeNode, storeNode, "forgotten", llm.Reason(err))
		return nil
	}
	return err
}

func (r *run) storing(what string) llm.Policy {
	return llm.Policy{Node: storeNode, Provider: provider, Model: what, Timeout: storeTimeout, Retries: llm.NoRetries}
}

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

// conversation returns today's messages before this turn: those in the turn's state, and those in the
// diary of all conversations that share the memory. If the diary cannot be read, it returns only the
// former. It returns an error only if the context ended.
func (r *run) conversation(ctx context.Context) (list []promptLine, err error) {
	if r.turn.Session != "" {
		var messages []diary.Message
		memory, _ := r.memory()
		err = withStore(ctx, r.storePolicy("context"), r.BeforeStore, func(ctx context.Context) (err error) {
			messages, err = r.Diary.Messages(ctx, memory, r.today())
			return err
		})
		list = diaryLines(messages)
	}
	if err != nil && ctx.Err() == nil {
		fallback(ctx, storeNode, storeNode, "no_context", llm.TraceReason(err))
		err = nil
	}
	return append(r.state.byDay(r.now.Location())[r.today()], list...), err
}

// noSession is the conversation id for turns without a session.
const noSession = "-"

// storeBatch stores the user's messages and the answer in one transaction, even if the context
// ends, because the answer has already been sent. A failure only emits an event.
func (r *run) storeBatch(ctx context.Context, replyMessages []agent.ReplyMessage) {
	ctx = clock.WithoutCancel(ctx)
	memory, _ := r.memory()
	b := diary.Batch{ID: fmt.Sprintf("%s %d", r.now.UTC().Format(time.RFC3339Nano), r.count.Add(1)),
		Agent: memory, Conversation: r.turn.Session}
	if b.Conversation == "" {
		b.Conversation = noSession
	}
	for _, m := range r.batch {
		b.Messages = append(b.Messages, diary.Message{Role: "user", Content: m, At: r.now})
	}
	answered := clock.Now(ctx).In(r.now.Location())
	for _, s := range replyMessages {
		b.Messages = append(b.Messages, diary.Message{
			Role:    "assistant",
			Content: s.Content,
			At:      answered,
			Delay:   s.DelaySeconds,
		})
	}
	err := withStore(ctx, r.storePolicy("messages"), r.BeforeStore,
		func(ctx context.Context) error { return r.Diary.SaveBatches(ctx, b) })
	if err != nil {
		fallback(ctx, storeNode, storeNode, "forgotten", llm.TraceReason(err))
	}
}

func (r *run) storePolicy(what string) llm.CallPolicy {
	return llm.CallPolicy{
		Node:     storeNode,
		Provider: provider,
		Model:    what,
		Timeout:  storeTimeout,
		Retries:  llm.NoRetries,
	}
}

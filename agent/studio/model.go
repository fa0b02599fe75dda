package studio

import (
	"context"
	"time"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// answerTTL is how long an answer is remembered.
const answerTTL = time.Hour

// model is a language model that answers a node's questions in JSON.
type model[T any] struct {
	node    string
	client  *llm.Client
	key     string // a field that tells an answer from other JSON in the text
	answers *cache.Cache[T]
}

func newModel[T any](node string, c *llm.Client, key string) (model[T], error) {
	answers, err := cache.New[T](cache.Config{TTL: answerTTL})
	return model[T]{node: node, client: c, key: key, answers: answers}, err
}

// ask has the question answered. A valid answer is kept for whoever asks the
// same in the same loop of a turn; the raw one comes beside an invalid one.
func (m model[T]) ask(ctx context.Context, r llm.Request, loop int, check func(*T) error) (v T, raw string, err error) {
	id := cache.Key(m.client.Provider().Name, m.client.Model(), r.Messages, loop)
	if v, ok := m.answers.Get(ctx, id); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: m.node, Reason: "same_question"})
		return v, "", nil
	}
	v, a, err := llm.JSON(ctx, m.client, r, m.key, check)
	if err == nil {
		m.answers.Put(ctx, id, v)
	}
	return v, a.Content, err
}

// invalid tells a model's answer that cannot be used from a call that failed.
func invalid(err error) bool {
	kind := llm.KindOf(err)
	return kind == llm.KindInvalid || kind == llm.KindEmpty
}

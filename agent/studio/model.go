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
	answers *cache.Cache[answer[T]]
}

// answer is what a model said, as it was read and as it stood there.
type answer[T any] struct {
	Value T
	Raw   string
}

func newModel[T any](node string, c *llm.Client) (model[T], error) {
	answers, err := cache.New[answer[T]](cache.Config{TTL: answerTTL})
	return model[T]{node: node, client: c, answers: answers}, err
}

// longestKept bounds an answer that is remembered, in bytes: no honest one is
// longer.
const longestKept = 64 << 10

// ask has the question answered. A valid answer is kept for whoever asks the
// same in the same loop of a turn; the raw one comes beside an invalid one too.
func (m model[T]) ask(ctx context.Context, r llm.Request, loop int, f llm.Form, check func(*T) error) (got answer[T], err error) {
	id := cache.Key(m.client.Provider().Name, m.client.Model(), r.Messages, loop)
	if got, ok := m.answers.Get(ctx, id); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: m.node, Reason: "same_request"})
		return got, nil
	}
	var checks []func(*T) error
	if check != nil {
		checks = append(checks, check)
	}
	v, a, err := llm.JSON(ctx, m.client, r, f, checks...)
	got = answer[T]{Value: v, Raw: a.Text()}
	if err == nil && len(got.Raw) <= longestKept {
		m.answers.Put(ctx, id, got)
	}
	return got, err
}

// invalid tells a model's whole answer that cannot be used from a call that
// failed.
func invalid(err error) bool { return llm.KindOf(err).IsInvalidAnswer() }

// unfinished tells an answer that is empty or broke off: its call failed.
func unfinished(err error) bool {
	kind := llm.KindOf(err)
	return kind == llm.KindEmptyContent || kind == llm.KindTruncated
}

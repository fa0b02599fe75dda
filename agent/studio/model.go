package studio

import (
	"context"
	"time"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// answerTTL is how long an answer of a model is cached.
const answerTTL = time.Hour

// model calls a language model that answers the requests of a node in JSON. Valid answers are
// cached.
type model[T any] struct {
	node    string
	client  *llm.Client
	answers *cache.Cache[answer[T]]
}

// answer is a model's answer, decoded (Value) and as text (Raw).
type answer[T any] struct {
	Value T
	Raw   string
}

func newModel[T any](node string, c *llm.Client) (model[T], error) {
	answers, err := cache.New[answer[T]](cache.Config{TTL: answerTTL})
	return model[T]{node: node, client: c, answers: answers}, err
}

// maxCachedAnswer is the maximal length of a cached answer in bytes. Normal answers are much
// shorter.
const maxCachedAnswer = 64 << 10

// call returns the model's answer to a request, from the cache if possible. A valid answer is
// cached for identical requests with the same number of the attempt in a turn (loop). For an
// invalid answer, Raw is set, too.
func (m model[T]) call(ctx context.Context, r llm.Request, loop int, f llm.AnswerSpec,
	check func(*T) error) (got answer[T],
	err error) {
	id := cache.Key(m.client.Provider().Name, m.client.Model(), r.Messages, loop)
	if got, ok := m.answers.Get(ctx, id); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: m.node, Reason: "same_request"})
		return got, nil
	}
	var checks []func(*T) error
	if check != nil {
		checks = append(checks, check)
	}
	v, a, err := llm.ChatJSON(ctx, m.client, r, f, checks...)
	got = answer[T]{Value: v, Raw: a.TextOrReasoning()}
	if err == nil && len(got.Raw) <= maxCachedAnswer {
		m.answers.Put(ctx, id, got)
	}
	return got, err
}

// isInvalidAnswer reports whether the model's answer is complete but not usable. A failed call is
// not an invalid answer.
func isInvalidAnswer(err error) bool { return llm.KindOf(err).IsInvalidAnswer() }

// isIncomplete reports whether the model's answer is empty or cut off. Such an answer counts as a
// failed call.
func isIncomplete(err error) bool {
	kind := llm.KindOf(err)
	return kind == llm.KindEmptyContent || kind == llm.KindTruncated
}

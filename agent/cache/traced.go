package cache

import (
	"context"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// ProviderName is the provider name in the trace spans of cache calls.
const ProviderName = "cache"

// CallTimeout limits a cache call, because a missing value can be computed instead.
const CallTimeout = 500 * time.Millisecond

// NewTracedStore wraps a store so that every call is recorded as a trace span under node. before runs
// before each call, for example to simulate latency and failures; nil: nothing. Calls are never
// retried, because a missing value can be computed.
func NewTracedStore(node string, before func(context.Context) error, next Store) Store {
	policy := llm.CallPolicy{
		Node:     node,
		Provider: ProviderName,
		Timeout:  CallTimeout,
		Retries:  llm.NoRetries,
	}
	return traced{policy: policy, before: before, next: next}
}

type traced struct {
	policy llm.CallPolicy
	before func(context.Context) error
	next   Store
}

var _ Store = traced{}

// GetAll implements Store.
func (t traced) GetAll(ctx context.Context, keys []string) (found map[string]string, err error) {
	err = t.call(ctx, func(ctx context.Context) error {
		found, err = t.next.GetAll(ctx, keys)
		return err
	})
	return found, err
}

// Put implements Store.
func (t traced) Put(ctx context.Context, key, value string) error {
	return t.call(ctx, func(ctx context.Context) error { return t.next.Put(ctx, key, value) })
}

func (t traced) call(ctx context.Context, f func(context.Context) error) error {
	_, err := t.policy.Do(ctx, func(ctx context.Context, _ *trace.Span) error {
		return clock.CatchPanic(t.policy.Node, func() error {
			if t.before != nil {
				if err := t.before(ctx); err != nil {
					return err
				}
			}
			return f(ctx)
		})
	})
	return err
}

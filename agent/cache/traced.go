package cache

import (
	"context"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Provider is what spans call a store, which costs nothing.
const Provider = "cache"

// Timeout is the longest that a call of a store takes: what it has is not worth
// waiting for.
const Timeout = 500 * time.Millisecond

// Traced has every call of a store leave a span under node. before stands before
// each, such as what a simulated store takes and where it fails; nil: nothing does.
// No call is tried again: what is not there can be made.
func Traced(node string, before func(context.Context) error, next Store) Store {
	policy := llm.Policy{Node: node, Provider: Provider, Timeout: Timeout, Retries: llm.NoRetries}
	return traced{policy: policy, before: before, next: next}
}

type traced struct {
	policy llm.Policy
	before func(context.Context) error
	next   Store
}

var _ Store = traced{}

// GetAll is part of Store.
func (t traced) GetAll(ctx context.Context, keys []string) (found map[string]string, err error) {
	err = t.call(ctx, func(ctx context.Context) error {
		found, err = t.next.GetAll(ctx, keys)
		return err
	})
	return found, err
}

// Put is part of Store.
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

package toolrouter

import (
	"context"
	"errors"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// chatText calls a model and returns its text without its reasoning. A blank text or a refusal is
// an error.
func chatText(ctx context.Context, name string, c *llm.Client, messages ...llm.Message) (string, error) {
	return node(name, func() (string, error) {
		a, err := c.Chat(ctx, llm.Request{Messages: messages})
		if err == nil {
			err = c.NoAnswer(a)
		}
		return strings.TrimSpace(llm.StripReasoning(a.Content)), err
	})
}

// node runs one external call. A panic becomes an error, and every error carries the name of the
// node.
func node[T any](name string, f func() (T, error)) (v T, err error) {
	err = clock.CatchPanic(name, func() (err error) {
		v, err = f()
		return err
	})
	return v, wrapNode(name, err)
}

// wrapNode wraps an error with the name of the node where it happened.
func wrapNode(node string, err error) error {
	if err == nil {
		return nil
	}
	return &graph.Error{Path: []string{node}, Err: err}
}

// reason returns the error kind that a trace records.
func reason(err error) string {
	if errors.Is(err, search.ErrEmpty) {
		return string(llm.KindEmptyContent)
	}
	return llm.Reason(err)
}

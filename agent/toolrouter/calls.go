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

// tell asks a model for a text, which must not be blank, nor a refusal. What it thought
// aloud is no part of that.
func tell(ctx context.Context, name string, c *llm.Client, messages ...llm.Message) (string, error) {
	return node(name, func() (string, error) {
		a, err := c.Chat(ctx, llm.Request{Messages: messages})
		if err == nil {
			err = c.NoAnswer(a)
		}
		return strings.TrimSpace(llm.StripReasoning(a.Content)), err
	})
}

// node runs one call to the outside, whose name its error has; its panic is an
// error like any other.
func node[T any](name string, f func() (T, error)) (v T, err error) {
	err = clock.CatchPanic(name, func() (err error) {
		v, err = f()
		return err
	})
	return v, at(name, err)
}

// at tells where an error happened.
func at(node string, err error) error {
	if err == nil {
		return nil
	}
	return &graph.Error{Path: []string{node}, Err: err}
}

// reason is an error as a trace names it.
func reason(err error) string {
	if errors.Is(err, search.ErrEmpty) {
		return string(llm.KindEmptyContent)
	}
	return llm.Reason(err)
}

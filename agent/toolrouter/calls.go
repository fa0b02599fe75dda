package toolrouter

import (
	"context"
	"errors"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// tell asks a model for a text, which must not be blank.
func tell(ctx context.Context, name string, c *llm.Client, messages ...llm.Message) (string, error) {
	return node(name, func() (string, error) {
		a, err := c.Chat(ctx, llm.Request{Messages: messages})
		if err == nil && a.Empty() {
			err = llm.KindEmpty
		}
		return strings.TrimSpace(a.Content), err
	})
}

// node runs one call to the outside; its panic is an error like any other.
func node[T any](name string, f func() (T, error)) (v T, err error) {
	err = clock.Protect(name, func() (err error) {
		v, err = f()
		return err
	})
	return v, err
}

// reason is an error as a trace names it.
func reason(err error) string {
	if errors.Is(err, search.ErrEmpty) {
		return string(llm.KindEmpty)
	}
	return llm.Reason(err)
}

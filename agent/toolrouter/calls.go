package toolrouter

import (
	"context"
	"errors"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// tell asks a model for a text, which must not be blank. What it thought aloud
// is no part of that.
func tell(ctx context.Context, name string, c *llm.Client, messages ...llm.Message) (string, error) {
	return node(name, func() (string, error) {
		a, err := c.Chat(ctx, llm.Request{Messages: messages})
		text := strings.TrimSpace(llm.WithoutThoughts(a.Content))
		if err == nil && (a.Empty() || text == "") {
			err = llm.KindEmpty
		}
		return text, err
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

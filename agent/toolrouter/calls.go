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

// chatText calls a model and returns the text of its answer without reasoning. A refusal or an
// answer without text is an error.
func chatText(ctx context.Context, name string, c *llm.Client, messages ...llm.Message) (string, error) {
	return callNode(name, func() (string, error) {
		a, err := c.Chat(ctx, llm.Request{Messages: messages})
		if err == nil {
			err = c.CheckAnswer(a)
		}
		return strings.TrimSpace(llm.StripReasoning(a.Content)), err
	})
}

// callNode runs one external call of a node. Errors and panics get the name of the node.
func callNode[T any](name string, f func() (T, error)) (v T, err error) {
	err = clock.CatchPanic(name, func() (err error) {
		v, err = f()
		return err
	})
	return v, wrapNode(name, err)
}

func wrapNode(node string, err error) error {
	if err == nil {
		return nil
	}
	return &graph.Error{Path: []string{node}, Err: err}
}

func reason(err error) string {
	if errors.Is(err, search.ErrNoResults) {
		return string(llm.KindEmptyContent)
	}
	return llm.TraceReason(err)
}

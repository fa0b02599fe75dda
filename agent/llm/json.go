package llm

import "context"

// JSON asks in JSON mode and decodes the answer as Decode does: leniently
// found, strictly taken. The answer is returned beside an error of kind
// KindEmpty or KindInvalid, which name what is wrong; such an answer is not
// asked for again.
func JSON[T any](ctx context.Context, c *Client, r Request, key string, checks ...func(*T) error) (T, Answer, error) {
	var zero T
	r.JSON = true
	a, err := c.Chat(ctx, r)
	if err != nil {
		return zero, a, err
	}
	if a.Empty() {
		return zero, a, &Error{Kind: KindEmpty, Provider: c.provider.Name, Status: 200, Attempt: a.Attempts,
			Message: "the model answered nothing in JSON mode"}
	}
	v, err := Decode(a.Content, key, checks...)
	if err != nil {
		return zero, a, &Error{Kind: KindInvalid, Provider: c.provider.Name, Status: 200, Attempt: a.Attempts,
			Message: clip(err.Error()), Err: err}
	}
	return v, a, nil
}

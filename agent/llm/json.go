package llm

import (
	"cmp"
	"context"
	"errors"
)

// JSON asks in JSON mode and decodes the answer as Decode does: leniently
// found, strictly taken. Of an answer that broke off, a value that is there as
// a whole counts, right or wrong. The answer is returned beside an error of kind KindEmpty or
// KindTruncated, or of one that IsInvalid, which name what is wrong; such an
// answer is not asked for again.
func JSON[T any](ctx context.Context, c *Client, r Request, key string, checks ...func(*T) error) (T, Answer, error) {
	var zero T
	r.JSON = true
	a, err := c.Chat(ctx, r)
	if err != nil {
		return zero, a, err
	}
	if blank(WithoutThoughts(a.Content)) {
		return zero, a, c.Unusable(a, KindEmpty, errors.New("the model answered nothing in JSON mode"))
	}
	v, err := Decode(a.Content, key, checks...)
	if err != nil {
		return zero, a, c.Unusable(a, kindOfAnswer(err), err)
	}
	return v, a, nil
}

// kindOfAnswer is why Decode refused an answer.
func kindOfAnswer(err error) Kind {
	var field *FieldError
	if errors.As(err, &field) {
		return cmp.Or(field.Kind, KindSchema)
	}
	return KindSchema
}

// Unusable is the error of an answer that came and is of no use: of kind, or
// truncated where what it lacks may have been cut off.
func (c *Client) Unusable(a Answer, kind Kind, err error) error {
	if a.lost(kind, err) {
		kind = KindTruncated
	}
	return &Error{Kind: kind, Provider: c.provider.Name, Status: 200, Attempt: a.Attempts, Message: clip(err.Error()), Err: err}
}

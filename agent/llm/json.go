package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// JSON calls the model in JSON mode and decodes the answer as Decode does. The trace has an
// event for each part that was read though it is not in the exact form. Of an answer that broke off, a value that is there as
// a whole counts, right or wrong. The answer is returned beside an error of kind KindEmptyContent or
// KindTruncated, or of one that IsInvalidAnswer, which name what is wrong; such an
// answer is not asked for again.
func JSON[T any](ctx context.Context, c *Client, r Request, f Form, checks ...func(*T) error) (T, Response, error) {
	var zero T
	r.JSON = true
	a, err := c.Chat(ctx, r)
	if err != nil {
		return zero, a, err
	}
	if err := c.NoAnswer(a); err != nil {
		return zero, a, err
	}
	v, reading, err := decode(a.Content, f, checks...)
	if err != nil {
		return zero, a, c.InvalidAnswerError(a, kindOfAnswer(err), err)
	}
	a.Normalized = reading.normalized(ctx, c.cfg.Node)
	return v, a, nil
}

// NoAnswer is the error of an answer without a text that is used; nil where there is one.
// A refusal, a call of a tool in place of a text, and thoughts behind which the model ended
// without a text are whole answers, and invalid. Nothing at all is the service's failure.
func (c *Client) NoAnswer(a Response) error {
	switch {
	case a.Refused:
		return c.InvalidAnswerError(a, KindRefusal, fmt.Errorf("the model refused: %s", cmp.Or(a.Content, a.FinishReason)))
	case !blank(StripReasoning(a.Content)):
		return nil
	case len(a.ToolCalls) > 0:
		return c.InvalidAnswerError(a, KindNoContent, fmt.Errorf("the model called the tool %.80q in place of an answer", a.ToolCalls[0].Name))
	case a.isWhole() && !(blank(a.Content) && blank(a.Reasoning)):
		return c.InvalidAnswerError(a, KindNoContent, errors.New("the model thought and answered nothing"))
	}
	return c.InvalidAnswerError(a, KindEmptyContent, errors.New("the model answered nothing"))
}

// kindOfAnswer is why Decode refused an answer.
func kindOfAnswer(err error) ErrorKind {
	var field *FieldError
	if errors.As(err, &field) {
		return cmp.Or(field.Kind, KindSchema)
	}
	return KindSchema
}

// InvalidAnswerError is the error of an answer that came and is of no use: of kind, or
// truncated where what it lacks may have been cut off.
func (c *Client) InvalidAnswerError(a Response, kind ErrorKind, err error) error {
	if a.lost(kind, err) {
		kind = KindTruncated
	}
	return &Error{Kind: kind, Provider: c.provider.Name, Status: 200, Attempt: a.Attempts, Message: clip(err.Error()), Err: err}
}

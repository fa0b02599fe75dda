package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// ChatJSON calls the model in ChatJSON mode and decodes the answer as Decode does. The Response lists the
// deviations that were corrected. It is also returned with an error if the answer is empty,
// truncated or invalid (see IsInvalidAnswer); such a call is not retried.
func ChatJSON[T any](ctx context.Context, c *Client, r Request, f AnswerSpec, checks ...func(*T) error) (T, Response, error) {
	var zero T
	r.JSON = true
	a, err := c.Chat(ctx, r)
	if err != nil {
		return zero, a, err
	}
	if err := c.CheckAnswer(a); err != nil {
		return zero, a, err
	}
	v, reading, err := decode(a.Content, f, checks...)
	if err != nil {
		return zero, a, c.InvalidAnswerError(a, kindOfAnswer(err), err)
	}
	a.Corrections = reading.normalized(ctx, c.cfg.Node)
	return v, a, nil
}

// CheckAnswer returns an error if the answer a has no usable text, or nil. A refusal, a tool call
// or an answer with only reasoning is an invalid answer of the model. An empty answer is a failure
// of the service.
func (c *Client) CheckAnswer(a Response) error {
	switch {
	case a.Refused:
		return c.InvalidAnswerError(a, KindRefusal,
			fmt.Errorf("the model refused: %s", cmp.Or(a.Content, a.FinishReason)))
	case !blank(StripReasoning(a.Content)):
		return nil
	case len(a.ToolCalls) > 0:
		return c.InvalidAnswerError(a, KindNonTextAnswer,
			fmt.Errorf("the model called the tool %.80q in place of an answer", a.ToolCalls[0].Name))
	case a.isWhole() && !(blank(a.Content) && blank(a.Reasoning)):
		return c.InvalidAnswerError(a, KindNonTextAnswer, errors.New("the model thought and answered nothing"))
	}
	return c.InvalidAnswerError(a, KindEmptyContent, errors.New("the model answered nothing"))
}

// kindOfAnswer returns the ErrorKind for an error of Decode.
func kindOfAnswer(err error) ErrorKind {
	var field *FieldError
	if errors.As(err, &field) {
		return cmp.Or(field.Kind, KindWrongSchema)
	}
	return KindWrongSchema
}

// InvalidAnswerError returns the error for an unusable answer. Its kind is KindTruncated if the
// answer may have been cut off, and kind otherwise.
func (c *Client) InvalidAnswerError(a Response, kind ErrorKind, err error) error {
	if a.isMissingTail(kind, err) {
		kind = KindTruncated
	}
	return &Error{
		Kind:     kind,
		Provider: c.provider.Name,
		Status:   200,
		Attempt:  a.Attempts,
		Message:  shorten(err.Error()),
		Err:      err,
	}
}

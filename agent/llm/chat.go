package llm

import (
	"context"
	"errors"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Chat asks the model and waits for the whole answer, which may be empty.
func (c *Client) Chat(ctx context.Context, r Request) (Answer, error) {
	k, err := c.prepare(r, false)
	if err != nil {
		return Answer{}, err
	}
	var a Answer
	begin := clock.Now(ctx)
	n, err := c.try(k).Do(ctx, func(ctx context.Context, s *trace.Span) error {
		var err error
		a, err = c.chat(ctx, k)
		a.Usage.note(s, err)
		return err
	})
	a.Attempts, a.Took = n, clock.Since(ctx, begin)
	return a, err
}

// chat is one attempt.
func (c *Client) chat(ctx context.Context, k *call) (Answer, error) {
	w := c.wire(k, false)
	resp, err := c.over(w).CreateChatCompletion(ctx, k.body)
	if err != nil {
		return Answer{}, w.explain(err)
	}
	a := Answer{Usage: usageOf(resp.Usage), Raw: w.raw}
	if len(resp.Choices) == 0 {
		return a, &Error{Kind: KindMalformed, Status: 200, Message: "the answer has no choices"}
	}
	choice := resp.Choices[0]
	a.Content, a.Reasoning = choice.Message.Content, choice.Message.ReasoningContent
	if len(a.Content) > maxContent || len(a.Reasoning) > maxContent {
		return Answer{Usage: a.Usage}, tooMuch("%d bytes of text", maxContent)
	}
	a.FinishReason = string(choice.FinishReason)
	if a.ToolCalls, err = calledIn(choice.Message.ToolCalls); err != nil {
		return Answer{Usage: a.Usage}, err
	}
	if a.Content == "" && choice.Message.Refusal != "" {
		return a, &Error{Kind: KindBlocked, Status: 200, Code: "refusal", Message: clip(choice.Message.Refusal)}
	}
	return a, brokenOff(a.FinishReason, false)
}

// brokenOff is the error for a finish_reason that means no answer.
func brokenOff(reason string, handed bool) error {
	e := &Error{Status: 200, Code: reason, final: handed}
	switch reason {
	case string(openai.FinishReasonContentFilter):
		e.Kind, e.Message = KindBlocked, "the content filter cut the answer"
	case "insufficient_system_resource", "aborted":
		e.Kind, e.Message = KindServer, "the service broke the answer off"
	default:
		return nil
	}
	return e
}

// try is the policy for one call.
func (c *Client) try(k *call) Policy {
	p := c.cfg.policy()
	p.Secrets = c.secrets
	p.Seed ^= k.salt
	return p
}

func (c *Client) wire(k *call, stream bool) *wire {
	return &wire{next: c.cfg.HTTP, provider: c.provider, secrets: c.secrets, call: k, stream: stream}
}

// explain names the cause of what go-openai itself failed with; errors of the
// transport pass.
func (w *wire) explain(err error) error {
	var known *Error
	switch {
	case errors.As(err, &known):
		return err
	case !w.sent:
		return &Error{Kind: KindBadRequest, Err: err}
	case w.raw != nil:
		return &Error{Kind: KindMalformed, Status: 200, Err: err}
	default:
		return err
	}
}

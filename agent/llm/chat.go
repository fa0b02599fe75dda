package llm

import (
	"cmp"
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Chat calls the model and waits for the whole answer. The answer's text may be empty.
func (c *Client) Chat(ctx context.Context, r Request) (Response, error) {
	k, err := c.prepare(r, false)
	if err != nil {
		return Response{}, err
	}
	var a Response
	begin := clock.Now(ctx)
	n, err := c.callPolicy(k).Do(ctx, func(ctx context.Context, s *trace.Span) error {
		k.record(s)
		var err error
		a, err = c.chat(ctx, k)
		a.Usage.record(s, k.answerBegun(err))
		return err
	})
	a.Attempts, a.Duration = n, clock.Since(ctx, begin)
	return a, err
}

// chatAnswer contains the fields of a chat completion that this package reads.
type chatAnswer struct {
	Choices []struct {
		Message struct {
			Content          content `json:"content"`
			ReasoningContent string  `json:"reasoning_content"`
			// the field name that vLLM and OpenRouter use for reasoning
			Reasoning optionalText `json:"reasoning"`
			Refusal   string       `json:"refusal"`
			ToolCalls []chatCall   `json:"tool_calls"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage jsontext.Value `json:"usage"`
}

// chat makes one attempt of a call, without retries.
func (c *Client) chat(ctx context.Context, k *call) (Response, error) {
	var whole chatAnswer
	raw, err := c.exchange(ctx, chatPath, k, &whole)
	if err != nil {
		return Response{}, err
	}
	a := Response{Raw: raw}
	a.Usage, _ = usageIn(whole.Usage)
	if len(whole.Choices) == 0 {
		return a, &Error{Kind: KindMalformedResponse, Status: 200, Message: "the answer has no choices"}
	}
	choice := whole.Choices[0]
	message := choice.Message
	a.Content, a.FinishReason = message.Content.text, choice.FinishReason
	a.Reasoning = cmp.Or(message.ReasoningContent, string(message.Reasoning), message.Content.thoughts)
	a.markRefusal(message.Refusal + message.Content.refusal)
	if len(a.Content) > maxContent || len(a.Reasoning) > maxContent {
		return Response{Usage: a.Usage}, limitError("%d bytes of text", maxContent)
	}
	if a.ToolCalls, err = toolCallsIn(message.ToolCalls); err != nil {
		return Response{Usage: a.Usage}, err
	}
	return a, finishError(a.FinishReason, false)
}

// markRefusal marks the answer as a refusal if its only text or its finish_reason is a refusal.
func (a *Response) markRefusal(refusal string) {
	if a.Refused = refusal != "" && blank(a.Content) || a.FinishReason == "refusal"; a.Refused && blank(a.Content) {
		a.Content = refusal
	}
}

// finishError returns an error if the finish_reason means that the answer is unusable, or nil.
// emitted means that the caller already received text, which rules out a retry.
func finishError(reason string, emitted bool) error {
	e := &Error{Status: 200, Code: reason, permanent: emitted}
	switch reason {
	case "content_filter":
		e.Kind, e.Message = KindContentBlocked, "the content filter cut the answer"
	case "insufficient_system_resource", "aborted":
		e.Kind, e.Message = KindServerError, "the service broke the answer off"
	default:
		return nil
	}
	return e
}

// callPolicy returns the client's retry policy with a jitter seed for this call.
func (c *Client) callPolicy(k *call) CallPolicy {
	p := c.cfg.policy()
	p.Secrets = c.cfg.Secrets
	p.Seed ^= k.salt
	return p
}

package llm

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

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
		a.Usage.note(s, k.begun(err))
		return err
	})
	a.Attempts, a.Took = n, clock.Since(ctx, begin)
	return a, err
}

// chatAnswer is what is read of a whole answer.
type chatAnswer struct {
	Choices []struct {
		Message struct {
			Content          string     `json:"content"`
			ReasoningContent string     `json:"reasoning_content"`
			Refusal          string     `json:"refusal"`
			ToolCalls        []chatCall `json:"tool_calls"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage jsontext.Value `json:"usage"`
}

// chat is one attempt.
func (c *Client) chat(ctx context.Context, k *call) (Answer, error) {
	var said chatAnswer
	raw, err := c.ask(ctx, chatPath, k, &said)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Raw: raw}
	a.Usage, _ = usageIn(said.Usage)
	if len(said.Choices) == 0 {
		return a, &Error{Kind: KindMalformed, Status: 200, Message: "the answer has no choices"}
	}
	choice := said.Choices[0]
	a.Content, a.Reasoning, a.FinishReason = choice.Message.Content, choice.Message.ReasoningContent, choice.FinishReason
	if len(a.Content) > maxContent || len(a.Reasoning) > maxContent {
		return Answer{Usage: a.Usage}, tooMuch("%d bytes of text", maxContent)
	}
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
	case "content_filter":
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
	p.Secrets = c.cfg.Secrets
	p.Seed ^= k.salt
	return p
}

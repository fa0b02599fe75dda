package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/secret"
	"evalctl/agent/trace"
)

// Stream calls the model and emits each piece of the answer's content as it arrives. Reasoning is
// collected, not emitted. An error of emit cancels the call. After the first emitted piece there is
// no retry.
//
// An answer is complete when its finish_reason has arrived. An error after that affects only the
// usage.
func (c *Client) Stream(ctx context.Context, r Request, emit func(chunk string) error) (Response, error) {
	return c.StreamReasoning(ctx, r, emit, nil)
}

// StreamReasoning is Stream that also passes the model's reasoning (reasoning_content) to think as
// it arrives. Emitted reasoning does not prevent a retry. If think is nil, reasoning is only
// collected.
func (c *Client) StreamReasoning(ctx context.Context, r Request, emit, think func(chunk string) error) (Response, error) {
	k, err := c.prepare(r, true)
	if err != nil {
		return Response{}, err
	}
	var a Response
	begin := clock.Now(ctx)
	n, err := c.try(k).Do(ctx, func(ctx context.Context, s *trace.Span) error {
		t := tape{emit: emit, think: think, begin: clock.Now(ctx), hidden: secret.StreamRedactor{Set: c.cfg.Secrets}, musing: secret.StreamRedactor{Set: c.cfg.Secrets}}
		err := c.play(ctx, k, &t)
		if err == nil || t.handed { // otherwise there may be a retry
			err = cmp.Or(err, t.rest(ctx))
		}
		a = t.answer()
		s.TTFT = t.ttft
		a.Usage.note(s, k.begun(err))
		if a.TTFT > 0 {
			a.TTFT += t.begin.Sub(begin)
		}
		return err
	})
	a.Attempts, a.Duration = n, clock.Since(ctx, begin)
	return a, err
}

// tailPatience is the time that a service gets to end the stream after a complete answer. The usage
// arrives in that time.
const tailPatience = 5 * time.Second

// play is one attempt: it reads the stream to its end.
func (c *Client) play(ctx context.Context, k *call, t *tape) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := c.post(ctx, chatPath, k, "text/event-stream")
	if err != nil {
		return err
	}
	defer resp.Body.Close() // read only: no error to report
	frames := newEvents(c.provider, resp.Body)
	var tail func() bool
	for {
		frame, err := frames.next()
		if err != nil {
			frames.drain(ctx)
			return t.end(ctx, err)
		}
		if err := t.add(ctx, frame); err != nil {
			return err
		}
		if t.finish != "" && tail == nil {
			tail = clock.AfterFunc(ctx, tailPatience, cancel)
			defer tail()
		}
	}
}

// tape collects a stream.
type tape struct {
	emit, think        func(string) error // nil: not emitted
	content, reasoning strings.Builder
	finish             string
	usage              Usage
	begin              time.Time
	ttft               time.Duration
	handed, begun      bool                  // content was emitted; anything was received
	said, refused      bool                  // content other than a refusal was received; a refusal was received
	chunks, thoughts   int                   // emitted pieces
	hidden, musing     secret.StreamRedactor // content and reasoning with secrets redacted
}

func (t *tape) answer() Response {
	return Response{
		Content: t.content.String(), Reasoning: t.hidden.Set.Redact(t.reasoning.String()),
		Refused: t.refused && !t.said || t.finish == "refusal", FinishReason: t.finish, Usage: t.usage, TTFT: t.ttft,
	}
}

func (t *tape) add(ctx context.Context, f frame) error {
	if u, told := usageIn(f.Usage); told {
		t.usage = u
	}
	for _, choice := range f.Choices {
		if choice.Index != 0 {
			continue
		}
		t.begun = true
		piece := choice.Delta
		if err := t.thought(cmp.Or(piece.ReasoningContent, string(piece.Reasoning), piece.Content.thoughts)); err != nil {
			return err
		}
		text := piece.Content.text
		t.said = t.said || text != ""
		if refusal := piece.Refusal + piece.Content.refusal; refusal != "" {
			t.refused = true
			if !t.said {
				text = refusal // the refusal is the answer
			}
		}
		if text != "" && t.ttft == 0 { // also if it is buffered as the possible start of a secret
			t.ttft = max(clock.Since(ctx, t.begin)-clock.PausedDuration(ctx), 0)
		}
		if err := t.chunk(ctx, t.hidden.Write(text)); err != nil {
			return err
		}
		if r := choice.FinishReason; r != "" && r != "null" {
			t.finish = r
		}
	}
	if t.content.Len() > maxContent || t.reasoning.Len() > maxContent {
		e := tooMuch("%d bytes of text", maxContent)
		e.final = t.handed
		return e
	}
	return nil
}

// rest emits the buffered text, which did not become a secret.
func (t *tape) rest(ctx context.Context) error {
	return cmp.Or(t.tell(t.musing.Flush()), t.chunk(ctx, t.hidden.Flush()))
}

func (t *tape) thought(piece string) error {
	t.reasoning.WriteString(piece)
	return t.tell(t.musing.Write(piece))
}

// tell emits a piece of reasoning. After maxChunks pieces the rest is only collected.
func (t *tape) tell(piece string) error {
	if piece == "" || t.think == nil || t.thoughts == maxChunks {
		return nil
	}
	t.thoughts++
	if err := t.think(piece); err != nil {
		return &Error{Kind: KindCanceled, Err: fmt.Errorf("hand on a thought: %w", err)}
	}
	return nil
}

func (t *tape) chunk(ctx context.Context, s string) error {
	if s == "" {
		return nil
	}
	if err := t.tell(t.musing.Flush()); err != nil { // reasoning precedes the content
		return err
	}
	t.handed = true
	t.content.WriteString(s)
	if t.emit == nil {
		return nil
	}
	if t.chunks++; t.chunks > maxChunks {
		e := tooMuch("%d pieces", maxChunks)
		e.final = true
		return e
	}
	if err := t.emit(s); err != nil {
		return &Error{Kind: KindCanceled, Err: fmt.Errorf("hand on a chunk: %w", err)}
	}
	return nil
}

// end returns the error for the way in which a stream ended.
func (t *tape) end(ctx context.Context, err error) error {
	var known *Error
	provider := errors.As(err, &known) && known.Kind != ""
	switch {
	case t.finish != "":
		return brokenOff(t.finish, t.handed)
	case provider:
		e := *known
		e.final, e.instead = t.handed, e.instead && !t.begun
		return &e
	case ctx.Err() != nil: // takes precedence over the error of the body
		return &Error{Err: fmt.Errorf("read the stream: %w", ctx.Err()), final: t.handed}
	case errors.Is(err, io.EOF):
		return &Error{Kind: KindTruncated, Status: 200, Message: "the stream ended without a finish_reason", Err: io.ErrUnexpectedEOF}
	default:
		return &Error{Err: err, final: t.handed}
	}
}

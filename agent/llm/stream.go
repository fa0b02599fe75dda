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

// Stream calls the model and passes each piece of the answer to emit as it arrives. Reasoning is
// collected but not emitted. An error of emit cancels the call. There is no retry after the first
// emitted piece.
//
// An answer is complete once its finish_reason has arrived. A later error can only lose the token
// counts.
func (c *Client) Stream(ctx context.Context, r Request, emit func(chunk string) error) (Response, error) {
	return c.StreamReasoning(ctx, r, emit, nil)
}

// StreamReasoning works like Stream and also passes the model's reasoning (reasoning_content) to
// think as it arrives. Emitted reasoning does not prevent a retry. If think is nil, reasoning is
// only collected.
func (c *Client) StreamReasoning(ctx context.Context, r Request, emit, think func(chunk string) error) (Response,
	error) {
	k, err := c.prepare(r, true)
	if err != nil {
		return Response{}, err
	}
	var a Response
	begin := clock.Now(ctx)
	n, err := c.callPolicy(k).Do(ctx, func(ctx context.Context, s *trace.Span) error {
		k.record(s)
		t := streamCollector{
			emit:              emit,
			think:             think,
			begin:             clock.Now(ctx),
			contentRedactor:   secret.StreamRedactor{Set: c.cfg.Secrets},
			reasoningRedactor: secret.StreamRedactor{Set: c.cfg.Secrets},
		}
		err := c.streamAttempt(ctx, k, &t)
		if err == nil || t.emitted { // otherwise a retry may follow
			err = cmp.Or(err, t.flush(ctx))
		}
		a = t.answer()
		s.TTFT = t.ttft
		a.Usage.record(s, k.answerBegun(err))
		if a.TTFT > 0 {
			a.TTFT += t.begin.Sub(begin)
		}
		return err
	})
	a.Attempts, a.Duration = n, clock.Since(ctx, begin)
	return a, err
}

// usageTimeout is how long a stream may continue after a complete answer, to send its token counts.
const usageTimeout = 5 * time.Second

// streamAttempt makes one attempt of a streaming call: it reads the stream to its end.
func (c *Client) streamAttempt(ctx context.Context, k *call, t *streamCollector) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := c.post(ctx, chatPath, k, "text/event-stream")
	if err != nil {
		return err
	}
	defer resp.Body.Close() // the body was only read, so Close cannot lose data
	frames := newEventReader(c.provider, resp.Body)
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
			tail = clock.AfterFunc(ctx, usageTimeout, cancel)
			defer tail()
		}
	}
}

// streamCollector collects the answer of one stream and emits its pieces.
type streamCollector struct {
	emit, think        func(string) error // callbacks of the caller; nil: the pieces are only collected
	content, reasoning strings.Builder
	finish             string
	usage              Usage
	begin              time.Time
	ttft               time.Duration
	emitted, begun     bool // emitted: content was emitted; begun: a chunk was received
	// hasContent: content other than a refusal was received; refused: a refusal was received
	hasContent, refused     bool
	chunks, reasoningChunks int // number of emitted pieces
	// remove secrets, also if a secret is split across pieces
	contentRedactor, reasoningRedactor secret.StreamRedactor
}

func (t *streamCollector) answer() Response {
	return Response{
		Content:      t.content.String(),
		Reasoning:    t.contentRedactor.Set.Redact(t.reasoning.String()),
		Refused:      t.refused && !t.hasContent || t.finish == "refusal",
		FinishReason: t.finish,
		Usage:        t.usage,
		TTFT:         t.ttft,
	}
}

func (t *streamCollector) add(ctx context.Context, f frame) error {
	if u, hasUsage := usageIn(f.Usage); hasUsage {
		t.usage = u
	}
	for _, choice := range f.Choices {
		if choice.Index != 0 {
			continue
		}
		t.begun = true
		piece := choice.Delta
		if err := t.addReasoning(cmp.Or(piece.ReasoningContent, string(piece.Reasoning),
			piece.Content.thoughts)); err != nil {
			return err
		}
		text := piece.Content.text
		t.hasContent = t.hasContent || text != ""
		if refusal := piece.Refusal + piece.Content.refusal; refusal != "" {
			t.refused = true
			if !t.hasContent {
				text = refusal // the refusal takes the place of the answer
			}
		}
		if text != "" && t.ttft == 0 { // set even if the text is buffered because it may be the start of a secret
			t.ttft = max(clock.Since(ctx, t.begin)-clock.PausedDuration(ctx), 0)
		}
		if err := t.chunk(ctx, t.contentRedactor.Write(text)); err != nil {
			return err
		}
		if r := choice.FinishReason; r != "" && r != "null" {
			t.finish = r
		}
	}
	if t.content.Len() > maxContent || t.reasoning.Len() > maxContent {
		e := limitError("%d bytes of text", maxContent)
		e.permanent = t.emitted
		return e
	}
	return nil
}

// flush emits the text that was buffered because it could have been the start of a secret.
func (t *streamCollector) flush(ctx context.Context) error {
	return cmp.Or(t.emitReasoning(t.reasoningRedactor.Flush()), t.chunk(ctx, t.contentRedactor.Flush()))
}

func (t *streamCollector) addReasoning(piece string) error {
	t.reasoning.WriteString(piece)
	return t.emitReasoning(t.reasoningRedactor.Write(piece))
}

// emitReasoning emits a piece of reasoning. After maxChunks pieces, reasoning is only collected.
func (t *streamCollector) emitReasoning(piece string) error {
	if piece == "" || t.think == nil || t.reasoningChunks == maxChunks {
		return nil
	}
	t.reasoningChunks++
	if err := t.think(piece); err != nil {
		return &Error{Kind: KindCanceled, Err: fmt.Errorf("hand on a thought: %w", err)}
	}
	return nil
}

func (t *streamCollector) chunk(ctx context.Context, s string) error {
	if s == "" {
		return nil
	}
	// reasoning is emitted before the content that follows it
	if err := t.emitReasoning(t.reasoningRedactor.Flush()); err != nil {
		return err
	}
	t.emitted = true
	t.content.WriteString(s)
	if t.emit == nil {
		return nil
	}
	if t.chunks++; t.chunks > maxChunks {
		e := limitError("%d pieces", maxChunks)
		e.permanent = true
		return e
	}
	if err := t.emit(s); err != nil {
		return &Error{Kind: KindCanceled, Err: fmt.Errorf("hand on a chunk: %w", err)}
	}
	return nil
}

// end returns the error of an attempt whose stream ended with err; nil if the answer is complete.
func (t *streamCollector) end(ctx context.Context, err error) error {
	var known *Error
	provider := errors.As(err, &known) && known.Kind != ""
	switch {
	case t.finish != "":
		return finishError(t.finish, t.emitted)
	case provider:
		e := *known
		e.permanent, e.inAnswer = t.emitted, e.inAnswer && !t.begun
		return &e
	case ctx.Err() != nil: // the end of the context takes precedence over the error of the body
		return &Error{Err: fmt.Errorf("read the stream: %w", ctx.Err()), permanent: t.emitted}
	case errors.Is(err, io.EOF):
		return &Error{
			Kind:    KindTruncated,
			Status:  200,
			Message: "the stream ended without a finish_reason",
			Err:     io.ErrUnexpectedEOF,
		}
	default:
		return &Error{Err: err, permanent: t.emitted}
	}
}

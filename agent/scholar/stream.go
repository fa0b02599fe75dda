package scholar

import (
	"context"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// stream calls the model of a component and streams its answer to the user as events of node.
// Reasoning has separate events.
func (r *run) stream(ctx context.Context, part, node string, messages []llm.Message) error {
	client, err := r.client(part)
	if err != nil {
		return err
	}
	tell := func(kind trace.Kind, text string) { trace.Emit(ctx, trace.Event{Kind: kind, Node: node, Text: text}) }
	var answer strings.Builder
	s := splitter{onText: func(text string) {
		answer.WriteString(text)
		tell(trace.KindChunk, text)
	}}
	if !r.hideThinking {
		s.onThought = func(text string) { tell(trace.KindThoughtChunk, text) }
		s.onToggle = func(begins bool) {
			if begins {
				tell(trace.KindThinkingStart, "")
			} else {
				tell(trace.KindThinkingEnd, "")
			}
		}
	}
	err = r.call(ctx, func() error {
		_, err := client.StreamReasoning(ctx, llm.Request{Messages: messages}, s.next(ctx), s.nextThought(ctx))
		s.end()
		return err
	})
	r.reply.Content = answer.String()
	if err == nil && strings.TrimSpace(r.reply.Content) == "" {
		return llm.KindEmptyContent
	}
	return err
}

// streamText calls a model and returns its answer without reasoning. It passes pieces of the answer
// to piece, which may be nil. The caller must hold a slot for calls, see run.call.
func streamText(ctx context.Context, client *llm.Client, systemPrompt, text string,
	piece func(string)) (string, error) {
	var answer strings.Builder
	s := splitter{onText: func(text string) {
		answer.WriteString(text)
		if piece != nil {
			piece(text)
		}
	}}
	a, err := client.Stream(ctx,
		llm.Request{Messages: []llm.Message{llm.SystemMessage(systemPrompt), llm.UserMessage(text)}},
		s.next(ctx))
	s.end()
	if err == nil {
		err = client.CheckAnswer(a)
	}
	return answer.String(), err
}

// splitter separates a model's stream into answer and reasoning. Reasoning is enclosed in <think>
// tags, which may be split across chunks, or arrives in a separate stream.
type splitter struct {
	onText, onThought func(text string)
	onToggle          func(begins bool) // called when reasoning begins or ends; onToggle and onThought may be nil

	pending           string // text that may be the start of a tag
	inThought         bool   // the stream is inside a <think> tag
	inSeparateThought bool   // the separate stream of reasoning is active
	hasText           bool   // text was emitted since the last tag
}

const thinkBegin, thinkEnd = "<think>", "</think>"

// next returns the function that receives the chunks of the answer.
func (s *splitter) next(ctx context.Context) func(string) error {
	return func(chunk string) error {
		s.write(chunk)
		return ctx.Err()
	}
}

// nextThought returns the function that receives the chunks of a separate stream of reasoning.
func (s *splitter) nextThought(ctx context.Context) func(string) error {
	return func(thought string) error {
		if !s.inSeparateThought && !s.inThought {
			s.inSeparateThought = true
			s.emitToggle(true)
		}
		if s.onThought != nil {
			s.onThought(thought)
		}
		return ctx.Err()
	}
}

// endSeparate marks the end of separate reasoning when the answer begins.
func (s *splitter) endSeparate() {
	if s.inSeparateThought {
		s.inSeparateThought = false
		s.emitToggle(false)
	}
}

func (s *splitter) write(chunk string) {
	s.endSeparate()
	text := s.pending + chunk
	for {
		tag := thinkBegin
		if s.inThought {
			tag = thinkEnd
		}
		before, after, ok := strings.Cut(text, tag)
		if !ok {
			keep := tagPrefixLen(text, tag)
			s.pending = text[len(text)-keep:]
			s.emit(text[:len(text)-keep])
			return
		}
		s.emit(before)
		s.toggle()
		text = after
	}
}

// end emits the remaining text at the end of the stream.
func (s *splitter) end() {
	s.endSeparate()
	s.emit(s.pending)
	s.pending = ""
	if s.inThought {
		s.toggle()
	}
}

func (s *splitter) toggle() {
	s.inThought, s.hasText = !s.inThought, false
	s.emitToggle(s.inThought)
}

func (s *splitter) emitToggle(begins bool) {
	if s.onToggle != nil {
		s.onToggle(begins)
	}
}

func (s *splitter) emit(text string) {
	if !s.inThought && !s.hasText { // spaces and line breaks after the reasoning are not part of the answer
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if text == "" {
		return
	}
	s.hasText = true
	switch {
	case !s.inThought:
		s.onText(text)
	case s.onThought != nil:
		s.onThought(text)
	}
}

// tagPrefixLen returns the number of bytes at the end of a text that may be the start of the tag.
func tagPrefixLen(text, tag string) int {
	for n := min(len(text), len(tag)-1); n > 0; n-- {
		if strings.HasSuffix(text, tag[:n]) {
			return n
		}
	}
	return 0
}

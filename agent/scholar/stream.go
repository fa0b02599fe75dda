package scholar

import (
	"context"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// stream has a model answer the user, and hands on what it says and, apart from that,
// thinks.
func (r *run) stream(ctx context.Context, part, node string, messages []llm.Message) error {
	client, err := r.client(part)
	if err != nil {
		return err
	}
	tell := func(kind trace.Kind, text string) { trace.Emit(ctx, trace.Event{Kind: kind, Node: node, Text: text}) }
	var said strings.Builder
	s := splitter{say: func(text string) {
		said.WriteString(text)
		tell(trace.KindChunk, text)
	}}
	if !r.hideThinking {
		s.think = func(text string) { tell(trace.KindThoughtChunk, text) }
		s.turn = func(begins bool) {
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
	r.reply.Content = said.String()
	if err == nil && strings.TrimSpace(r.reply.Content) == "" {
		return llm.KindEmptyContent
	}
	return err
}

// streamText is what a model says, without its thoughts; pieces of it are handed on as they
// come. The caller has a slot.
func streamText(ctx context.Context, client *llm.Client, told, text string, piece func(string)) (string, error) {
	var said strings.Builder
	s := splitter{say: func(text string) {
		said.WriteString(text)
		if piece != nil {
			piece(text)
		}
	}}
	a, err := client.Stream(ctx, llm.Request{Messages: []llm.Message{llm.System(told), llm.User(text)}}, s.next(ctx))
	s.end()
	if err == nil {
		err = client.NoAnswer(a)
	}
	return said.String(), err
}

// splitter parts a stream into what a model says and what it thinks: between <think> and
// </think>, whose letters may come in pieces, or apart from what it says.
type splitter struct {
	say, think func(text string)
	turn       func(begins bool) // a thought begins or ends; it and think may be nil

	held  string // may be the beginning of a tag
	inner bool   // it is thinking, between tags
	apart bool   // it is thinking, apart from what it says
	begun bool   // it has said something since the last tag
}

const thinkBegin, thinkEnd = "<think>", "</think>"

// next takes the pieces of a stream.
func (s *splitter) next(ctx context.Context) func(string) error {
	return func(chunk string) error {
		s.take(chunk)
		return ctx.Err()
	}
}

// nextThought takes what comes apart from that.
func (s *splitter) nextThought(ctx context.Context) func(string) error {
	return func(thought string) error {
		if !s.apart && !s.inner {
			s.apart = true
			s.tellTurn(true)
		}
		if s.think != nil {
			s.think(thought)
		}
		return ctx.Err()
	}
}

// goOn ends a thought that came apart.
func (s *splitter) goOn() {
	if s.apart {
		s.apart = false
		s.tellTurn(false)
	}
}

func (s *splitter) take(chunk string) {
	s.goOn()
	text := s.held + chunk
	for {
		tag := thinkBegin
		if s.inner {
			tag = thinkEnd
		}
		before, after, ok := strings.Cut(text, tag)
		if !ok {
			keep := overlap(text, tag)
			s.held = text[len(text)-keep:]
			s.tell(text[:len(text)-keep])
			return
		}
		s.tell(before)
		s.switchOver()
		text = after
	}
}

// end hands on what was held back.
func (s *splitter) end() {
	s.goOn()
	s.tell(s.held)
	s.held = ""
	if s.inner {
		s.switchOver()
	}
}

func (s *splitter) switchOver() {
	s.inner, s.begun = !s.inner, false
	s.tellTurn(s.inner)
}

func (s *splitter) tellTurn(begins bool) {
	if s.turn != nil {
		s.turn(begins)
	}
}

func (s *splitter) tell(text string) {
	if !s.inner && !s.begun { // the space behind a thought is no part of the answer
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if text == "" {
		return
	}
	s.begun = true
	switch {
	case !s.inner:
		s.say(text)
	case s.think != nil:
		s.think(text)
	}
}

// overlap is how many bytes at the end of a text may be the beginning of a tag.
func overlap(text, tag string) int {
	for n := min(len(text), len(tag)-1); n > 0; n-- {
		if strings.HasSuffix(text, tag[:n]) {
			return n
		}
	}
	return 0
}

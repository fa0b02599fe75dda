package companion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion/diary"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Limits of the messages of an answer.
const (
	maxReplies = 20       // including blank ones
	maxSaid    = 16 << 10 // characters of all messages
	maxDelay   = 10.0     // seconds
	maxTold    = 3        // entries that are traced
)

// rawText is the fallback for an answer in another format: the unparsed text.
const rawText = "raw_text"

// tooLong is the reason for a cut answer.
const tooLong = "too_long"

// replies is the answer of the chat model.
type replies struct {
	Replies []json.RawMessage `json:"replies"`
}

// talk calls the chat model. An answer in another format becomes one message with the unparsed
// text.
func (r *run) talk(ctx context.Context, found []diary.Match) (said []agent.ReplyMessage, err error) {
	today, err := r.conversation(ctx)
	if err != nil {
		return nil, err
	}
	var list replies
	var a llm.Response
	err = clock.CatchPanic(chatNode, func() (err error) {
		list, a, err = llm.JSON[replies](ctx, r.Chat, llm.Request{Messages: r.prompt(today, found)}, llm.Form{Key: "replies"})
		return err
	})
	raw := strings.TrimSpace(llm.StripReasoning(a.Content))
	if err == nil {
		return r.read(ctx, list, raw, a.NotExact())
	}
	if isUnread(err) {
		formed(ctx, chatNode, llm.Reason(err), err.Error())
		if raw != "" {
			fallback(ctx, chatNode, chatNode, rawText, llm.Reason(err))
			return []agent.ReplyMessage{{Content: cut(raw, maxSaid)}}, nil
		}
	}
	return nil, err
}

// read parses the messages of an answer. Invalid delays are corrected. Invalid content makes the
// whole answer one message.
func (r *run) read(ctx context.Context, list replies, raw, notExact string) (said []agent.ReplyMessage, err error) {
	wrong, told, room := "", 0, maxSaid
	for i, one := range list.Replies {
		if i == maxReplies {
			wrong = fmt.Sprintf("%d replies", len(list.Replies))
			unused(ctx, chatNode, "replies", wrong, "", tooMany)
			break
		}
		s, problem, err := readSaid(one)
		if err != nil {
			formed(ctx, chatNode, wrongSchema, fmt.Sprintf("replies[%d]: %v", i, err))
			fallback(ctx, chatNode, chatNode, rawText, wrongSchema)
			return []agent.ReplyMessage{{Content: cut(raw, maxSaid)}}, nil
		}
		if problem != "" {
			wrong = fmt.Sprintf("replies[%d].send_delay_seconds: %s", i, problem)
			if told++; told <= maxTold {
				unused(ctx, chatNode, "send_delay_seconds", string(one), fmt.Sprint(s.DelaySeconds), problem)
			}
		}
		size := utf8.RuneCountInString(s.Content)
		if size > room {
			wrong = fmt.Sprintf("replies[%d].content: with the others more than %d characters", i, maxSaid)
			if told++; told <= maxTold {
				unused(ctx, chatNode, "content", s.Content, "", tooLong)
			}
			s.Content = cut(s.Content, room)
		}
		room = max(0, room-size)
		if strings.TrimSpace(s.Content) == "" {
			wrong = fmt.Sprintf("replies[%d].content: is blank", i)
			continue
		}
		said = append(said, s)
	}
	if len(said) == 0 {
		formed(ctx, chatNode, string(llm.KindEmptyContent), "no reply has words")
		return nil, llm.KindEmptyContent
	}
	formedAs(ctx, chatNode, wrong, notExact)
	return said, nil
}

// Reasons for a corrected delay.
const (
	outOfRange = "out_of_range"
	noNumber   = "not_a_number"
)

// readSaid parses a message: an object or a plain string. The delay is limited to its range;
// problem is the reason for a correction.
func readSaid(raw json.RawMessage) (s agent.ReplyMessage, problem string, err error) {
	if json.Unmarshal(raw, &s.Content) == nil && string(raw) != "null" {
		return s, noNumber, nil
	}
	var fields struct {
		Content *string         `json:"content"`
		Delay   json.RawMessage `json:"send_delay_seconds"`
	}
	if err := json.Unmarshal(raw, &fields); err != nil || fields.Content == nil {
		return s, "", errors.New("has no content")
	}
	s.Content = *fields.Content
	var ok bool
	if s.DelaySeconds, ok = llm.Number(fields.Delay); !ok {
		return s, noNumber, nil
	}
	if within := min(max(s.DelaySeconds, 0), maxDelay); within != s.DelaySeconds {
		s.DelaySeconds = within
		return s, outOfRange, nil
	}
	return s, "", nil
}

// say emits the messages of the answer.
func (r *run) say(ctx context.Context, said []agent.ReplyMessage) {
	contents := make([]string, len(said))
	for i, s := range said {
		contents[i] = s.Content
		chunk := s.Content
		if i > 0 {
			chunk = "\n" + chunk
		}
		trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: chunk})
		if data, err := json.Marshal(s); err == nil { // a string and a finite number can always be encoded
			trace.Emit(ctx, trace.Event{Kind: trace.KindMessage, Node: chatNode, Data: data})
		}
	}
	r.reply.Replies, r.reply.Content = said, strings.Join(contents, "\n")
}

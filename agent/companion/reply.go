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

// Bounds on the messages of an answer.
const (
	maxReplies = 20       // those without words too
	maxSaid    = 16 << 10 // characters of all of them
	maxDelay   = 10.0     // seconds
	maxTold    = 3        // entries that are told of
)

// rawText is what stands in for an answer that is not in the form: as it stands there.
const rawText = "raw_text"

// tooLong is why the end of an answer is not said.
const tooLong = "too_long"

// replies is what the chat model is asked for.
type replies struct {
	Replies []json.RawMessage `json:"replies"`
}

// talk has the chat model answer. An answer that is not in the form it was asked for
// is one message, as it stands there.
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

// read takes the messages of an answer. What is wrong beside the words costs no
// message; words that cannot be read make the whole answer one.
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

// Why a delay is not the one that the model gave.
const (
	outOfRange = "out_of_range"
	noNumber   = "not_a_number"
)

// readSaid reads a message: an object, or nothing but its words. Its delay is brought
// within bounds, and problem is why it had to be.
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

// say hands the messages of the answer on.
func (r *run) say(ctx context.Context, said []agent.ReplyMessage) {
	contents := make([]string, len(said))
	for i, s := range said {
		contents[i] = s.Content
		chunk := s.Content
		if i > 0 {
			chunk = "\n" + chunk
		}
		trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: chunk})
		if data, err := json.Marshal(s); err == nil { // a text and a bounded number always can be
			trace.Emit(ctx, trace.Event{Kind: trace.KindMessage, Node: chatNode, Data: data})
		}
	}
	r.reply.Replies, r.reply.Content = said, strings.Join(contents, "\n")
}

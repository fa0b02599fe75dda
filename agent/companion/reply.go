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

// Limits on the messages of an answer.
const (
	maxReplies      = 20       // including blank ones
	maxReplyChars   = 16 << 10 // characters of all messages together
	maxDelay        = 10.0     // seconds
	maxTracedErrors = 3        // invalid messages for which an event is emitted
)

// rawText is the name of the fallback for an answer that is not valid JSON: its text is sent.
const rawText = "raw_text"

// tooLong is the reason for a message that was cut.
const tooLong = "too_long"

// replies is the JSON answer of the chat model.
type replies struct {
	Replies []json.RawMessage `json:"replies"`
}

// callChat calls the chat model and returns the messages of its answer. If the answer is not in the
// requested format, its text is the only message.
func (r *run) callChat(ctx context.Context, found []diary.Match) (replyMessages []agent.ReplyMessage, err error) {
	today, err := r.conversation(ctx)
	if err != nil {
		return nil, err
	}
	var list replies
	var a llm.Response
	err = clock.CatchPanic(chatNode, func() (err error) {
		list, a, err = llm.ChatJSON[replies](ctx, r.Chat, llm.Request{Messages: r.prompt(today, found)},
			llm.AnswerSpec{Key: "replies"})
		return err
	})
	raw := strings.TrimSpace(llm.StripReasoning(a.Content))
	if err == nil {
		return r.read(ctx, list, raw, a.FirstCorrection())
	}
	if isInvalidAnswer(err) {
		traceFormat(ctx, chatNode, llm.TraceReason(err), err.Error())
		if raw != "" {
			fallback(ctx, chatNode, chatNode, rawText, llm.TraceReason(err))
			return []agent.ReplyMessage{{Content: truncateRunes(raw, maxReplyChars)}}, nil
		}
	}
	return nil, err
}

// read parses the messages of an answer. An invalid delay is corrected. If a message has no valid
// content, the whole text becomes the only message.
func (r *run) read(ctx context.Context, list replies, raw, notExact string) (replyMessages []agent.ReplyMessage,
	err error) {
	wrong, traced, room := "", 0, maxReplyChars
	for i, one := range list.Replies {
		if i == maxReplies {
			wrong = fmt.Sprintf("%d replies", len(list.Replies))
			traceIgnored(ctx, chatNode, "replies", wrong, "", tooMany)
			break
		}
		s, problem, err := parseReply(one)
		if err != nil {
			traceFormat(ctx, chatNode, wrongSchema, fmt.Sprintf("replies[%d]: %v", i, err))
			fallback(ctx, chatNode, chatNode, rawText, wrongSchema)
			return []agent.ReplyMessage{{Content: truncateRunes(raw, maxReplyChars)}}, nil
		}
		if problem != "" {
			wrong = fmt.Sprintf("replies[%d].send_delay_seconds: %s", i, problem)
			if traced++; traced <= maxTracedErrors {
				traceIgnored(ctx, chatNode, "send_delay_seconds", string(one), fmt.Sprint(s.DelaySeconds), problem)
			}
		}
		size := utf8.RuneCountInString(s.Content)
		if size > room {
			wrong = fmt.Sprintf("replies[%d].content: with the others more than %d characters", i, maxReplyChars)
			if traced++; traced <= maxTracedErrors {
				traceIgnored(ctx, chatNode, "content", s.Content, "", tooLong)
			}
			s.Content = truncateRunes(s.Content, room)
		}
		room = max(0, room-size)
		if strings.TrimSpace(s.Content) == "" {
			wrong = fmt.Sprintf("replies[%d].content: is blank", i)
			continue
		}
		replyMessages = append(replyMessages, s)
	}
	if len(replyMessages) == 0 {
		traceFormat(ctx, chatNode, string(llm.KindEmptyContent), "no reply has words")
		return nil, llm.KindEmptyContent
	}
	traceFormatResult(ctx, chatNode, wrong, notExact)
	return replyMessages, nil
}

// Reasons why the delay of a message was corrected.
const (
	outOfRange = "out_of_range"
	notANumber = "not_a_number"
)

// parseReply parses one message: an object, or a string without a delay. problem is why the delay
// was corrected; "": it was valid.
func parseReply(raw json.RawMessage) (s agent.ReplyMessage, problem string, err error) {
	if json.Unmarshal(raw, &s.Content) == nil && string(raw) != "null" {
		return s, notANumber, nil
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
	if s.DelaySeconds, ok = llm.ParseNumber(fields.Delay); !ok {
		return s, notANumber, nil
	}
	if within := min(max(s.DelaySeconds, 0), maxDelay); within != s.DelaySeconds {
		s.DelaySeconds = within
		return s, outOfRange, nil
	}
	return s, "", nil
}

// emitReplies emits the messages of the answer as events and stores them in the reply.
func (r *run) emitReplies(ctx context.Context, replyMessages []agent.ReplyMessage) {
	contents := make([]string, len(replyMessages))
	for i, s := range replyMessages {
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
	r.reply.Replies, r.reply.Content = replyMessages, strings.Join(contents, "\n")
}

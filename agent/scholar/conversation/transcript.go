package conversation

import (
	"context"
	"strconv"
	"strings"

	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// Labels before the messages in a transcript: a summary, the user, the assistant.
const (
	SummaryLabel   = "【此前的摘要】"
	UserLabel      = "【用户】"
	AssistantLabel = "【助手】"
)

func (m Message) String() string {
	label := SummaryLabel
	switch m.Kind {
	case KindUser:
		label = UserLabel
	case KindAssistant:
		label = AssistantLabel
	}
	return label + m.Content + "\n"
}

func transcript(list []Message) string {
	var b strings.Builder
	for _, m := range list {
		b.WriteString(m.String())
	}
	return b.String()
}

// maxSteps limits the number of calls of Summarize in one compression.
const maxSteps = 10

// summarizeInSteps summarizes messages that may be too long for one call. Each call receives the
// previous summary and as many further messages as fit into room tokens.
func summarizeInSteps(ctx context.Context, list []Message, room int, summarize Summarize) (summary string, err error) {
	chunks := splitTranscript(list, room)
	if len(chunks) > 1 {
		chunks = splitTranscript(list, room/2)
	}
	if over := len(chunks) - maxSteps; over > 0 {
		traceIgnored(ctx, "steps", strconv.Itoa(over)+" of "+strconv.Itoa(len(chunks))+" parts")
		chunks = chunks[over:]
	}
	for _, chunk := range chunks {
		if summary != "" {
			short := tokens.Truncate(summary, room/2)
			if short != summary {
				traceIgnored(ctx, "too_long", strconv.Itoa(len(summary)-len(short))+" bytes")
			}
			chunk = Message{Kind: compression, Content: short}.String() + chunk
		}
		if summary, err = summarize(ctx, chunk); err != nil || summary == "" {
			return "", err
		}
	}
	return summary, nil
}

// splitTranscript splits the transcript of messages into parts of up to most tokens.
func splitTranscript(list []Message, most int) (parts []string) {
	most = max(most, 1)
	part, left := "", most
	for _, m := range list {
		for text := m.String(); text != ""; {
			taken := tokens.Truncate(text, left)
			if taken != text && part != "" {
				parts, part, left = append(parts, part), "", most
				continue
			}
			if taken == "" {
				break // not even one character fits
			}
			part, text, left = part+taken, text[len(taken):], left-tokens.Count(taken)
		}
	}
	if part != "" {
		parts = append(parts, part)
	}
	return parts
}

func traceIgnored(ctx context.Context, why, what string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindIgnoredInput,
		Node:   node,
		Reason: why,
		Text:   what,
	})
}

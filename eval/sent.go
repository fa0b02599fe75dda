package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"unicode/utf8"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Limits of the messages in a trace that were sent to a model.
const (
	maxSent         = 40   // messages of a call: the first, and the last ones
	maxSentTextSize = 2000 // bytes of a message
)

// PromptID identifies a prompt by its text.
func PromptID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// PromptTexts returns the texts that a run stores for the condition.
func (c *Condition) PromptTexts() []string {
	return slices.AppendSeq(slices.Clone(c.FilledPrompts), maps.Values(c.Prompts))
}

// shortenSent replaces the texts of sent messages that are a prompt of the condition by its ID, and
// cuts long texts. It removes what was sent to a baseline model, which receives only the message.
func (c *Condition) shortenSent(turns []TurnResult) {
	ids := map[string]string{}
	for _, text := range c.PromptTexts() {
		ids[text] = PromptID(text)
	}
	for _, turn := range turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && e.Span.SentMessages != nil {
				if e.Span.Provider == llm.BaselineProvider {
					e.Span.SentMessages = nil
					continue
				}
				e.Span.SentMessages = shortened(e.Span.SentMessages, ids)
			}
		}
	}
}

func shortened(sent []trace.SentMessage, ids map[string]string) []trace.SentMessage {
	if len(sent) > maxSent {
		sent = append(sent[:1:1], sent[len(sent)-maxSent+1:]...)
	}
	list := make([]trace.SentMessage, len(sent))
	for i, m := range sent {
		if id, ok := ids[m.Text]; ok {
			m.Prompt, m.Text = id, ""
		}
		if text := firstBytes(m.Text, maxSentTextSize); len(text) < len(m.Text) {
			m.Text, m.OmittedChars = text, utf8.RuneCountInString(m.Text[len(text):])
		}
		list[i] = m
	}
	return list
}

// firstBytes returns the longest start of a text of at most limit bytes that ends with a whole
// character.
func firstBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

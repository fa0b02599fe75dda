package terminal

import (
	"encoding/json"
	"strconv"
	"strings"

	"evalctl/agent"
)

// shownText records what was shown of an answer. Chunks, messages and questions may have the same
// text, which is shown only once.
type shownText struct {
	chunks strings.Builder
	lines  map[string]struct{} // lines of messages and questions
}

func (s *shownText) isEmpty() bool { return s.chunks.Len() == 0 && s.lines == nil }

// addChunk records a chunk. It reports whether the chunk contains text that was not shown yet.
func (s *shownText) addChunk(chunk string) bool {
	fresh := s.lines == nil
	for line := range strings.Lines(chunk) {
		_, shown := s.lines[strings.TrimSpace(line)]
		fresh = fresh || !shown && strings.TrimSpace(line) != ""
	}
	if fresh {
		s.chunks.WriteString(chunk)
	}
	return fresh
}

// addMessage records a message or a question. It reports whether its text was not shown yet.
func (s *shownText) addMessage(text string) bool {
	if s.lines == nil {
		s.lines = map[string]struct{}{}
	}
	for line := range strings.Lines(text) {
		s.lines[strings.TrimSpace(line)] = struct{}{}
	}
	return !strings.Contains(s.chunks.String(), strings.TrimSpace(text))
}

// message shows one message of a reply on a line, with its delay after the previous message.
func (s *Screen) message(data json.RawMessage) {
	var m agent.ReplyMessage
	if err := json.Unmarshal(data, &m); err != nil {
		s.line("! a message that is not JSON: %v", err)
		return
	}
	switch fresh := s.shown.addMessage(m.Content); {
	case fresh:
		s.line("%s%s", m.Content, delayText(m.DelaySeconds))
	case s.inText:
		s.Out.Printf("%s", delayText(m.DelaySeconds)) // after the text that the chunks have shown
	case m.DelaySeconds > 0:
		s.line("%s", strings.TrimSpace(delayText(m.DelaySeconds)))
	}
}

// delayText formats the delay of a message; "" without a delay.
func delayText(seconds float64) string {
	if !(seconds > 0) {
		return ""
	}
	return "  · " + strconv.FormatFloat(seconds, 'g', 4, 64) + " s later"
}

// question shows each question to the user on a line.
func (s *Screen) question(data json.RawMessage) {
	var q struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	if err := json.Unmarshal(data, &q); err != nil {
		s.line("! a question that is not JSON: %v", err)
		return
	}
	for _, one := range q.Questions {
		if s.shown.addMessage(one.Question) {
			s.line("? %s", one.Question)
		}
	}
}

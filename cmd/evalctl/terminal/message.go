package terminal

import (
	"encoding/json"
	"strconv"
	"strings"

	"evalctl/agent"
)

// shownText records which text of an answer the screen has shown. An agent may send the same text
// as a chunk, a message and a question; the screen shows it once.
type shownText struct {
	chunks strings.Builder
	lines  map[string]struct{} // lines of the messages and questions that were shown
}

func (s *shownText) isEmpty() bool { return s.chunks.Len() == 0 && s.lines == nil }

// addChunk records streamed text. It returns false if all of its lines were shown before.
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

// addMessage records a message or question. It returns false if the text was streamed before.
func (s *shownText) addMessage(text string) bool {
	if s.lines == nil {
		s.lines = map[string]struct{}{}
	}
	for line := range strings.Lines(text) {
		s.lines[strings.TrimSpace(line)] = struct{}{}
	}
	return !strings.Contains(s.chunks.String(), strings.TrimSpace(text))
}

// message shows a message of a reply on its own line, with its delay. data is JSON.
func (s *ReplyPrinter) message(data json.RawMessage) {
	var m agent.ReplyMessage
	if err := json.Unmarshal(data, &m); err != nil {
		s.line("! a message that is not JSON: %v", err)
		return
	}
	switch fresh := s.shown.addMessage(m.Content); {
	case fresh:
		s.line("%s%s", m.Content, delayText(m.DelaySeconds))
	case s.inText:
		// the text was already shown as chunks, so only the delay is missing
		s.Out.Printf("%s", delayText(m.DelaySeconds))
	case m.DelaySeconds > 0:
		s.line("%s", strings.TrimSpace(delayText(m.DelaySeconds)))
	}
}

// delayText formats the delay before a message, in seconds. It returns "" if there is no delay.
func delayText(seconds float64) string {
	if !(seconds > 0) {
		return ""
	}
	return "  · " + strconv.FormatFloat(seconds, 'g', 4, 64) + " s later"
}

// question shows the agent's questions to the user, each on a line. data is JSON.
func (s *ReplyPrinter) question(data json.RawMessage) {
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

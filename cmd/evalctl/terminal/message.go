package terminal

import (
	"encoding/json"
	"strconv"
	"strings"

	"evalctl/agent"
)

// speech is what has been shown of an answer, by chunks, and by messages and
// questions, which may say the same: it is to be shown once.
type speech struct {
	chunks strings.Builder
	lines  map[string]struct{} // of messages and questions
}

func (s *speech) isSilent() bool { return s.chunks.Len() == 0 && s.lines == nil }

// hears takes a chunk, and tells whether it says anything that has not been shown.
func (s *speech) hears(chunk string) bool {
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

// says takes a message or a question, and tells whether it has not been shown.
func (s *speech) says(text string) bool {
	if s.lines == nil {
		s.lines = map[string]struct{}{}
	}
	for line := range strings.Lines(text) {
		s.lines[strings.TrimSpace(line)] = struct{}{}
	}
	return !strings.Contains(s.chunks.String(), strings.TrimSpace(text))
}

// message shows one message of an answer of several on a line of its own, with how
// long it waits for the one before.
func (s *Screen) message(data json.RawMessage) {
	var m agent.ReplyMessage
	if err := json.Unmarshal(data, &m); err != nil {
		s.line("! a message that is no JSON: %v", err)
		return
	}
	switch fresh := s.spoken.says(m.Content); {
	case fresh:
		s.line("%s%s", m.Content, later(m.DelaySeconds))
	case s.inText:
		s.Out.Printf("%s", later(m.DelaySeconds)) // behind what the chunks have shown
	case m.DelaySeconds > 0:
		s.line("%s", strings.TrimSpace(later(m.DelaySeconds)))
	}
}

// later is how long a message waits, "" where it does not.
func later(seconds float64) string {
	if !(seconds > 0) {
		return ""
	}
	return "  · " + strconv.FormatFloat(seconds, 'g', 4, 64) + " s later"
}

// question shows what the user is asked, a line each.
func (s *Screen) question(data json.RawMessage) {
	var q struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	if err := json.Unmarshal(data, &q); err != nil {
		s.line("! a question that is no JSON: %v", err)
		return
	}
	for _, one := range q.Questions {
		if s.spoken.says(one.Question) {
			s.line("? %s", one.Question)
		}
	}
}

package llm

import (
	"encoding/json"
	"fmt"
	"strings"
)

// FieldError says what is wrong with a model's JSON answer, and where.
type FieldError struct {
	Field   string // its path, such as steps[2].name; empty for the answer as a whole
	Problem string
	Kind    Kind // KindInvalid or KindLabel; "": KindSchema
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return fmt.Sprintf("%s: %s", e.Field, e.Problem)
}

// missing is the problem of a field that is not there.
const missing = "missing"

// Missing is the error of an answer without a field.
func Missing(field string) *FieldError { return &FieldError{Field: field, Problem: missing} }

// Bounds on the text that Extract looks through.
const (
	maxText  = 1 << 20
	maxDepth = 64
)

// Extract finds the JSON object in a model's answer: the last one that has
// key, or the last one at all when key is empty. It looks past thoughts in
// <think> tags, prose and code fences, and drops trailing commas. Of an
// object whose end is missing it keeps the complete members: a value that the
// cut touched is missing. Where no such object is found, one with single
// quotes, comments or the like is repaired.
//
// The result is valid JSON whose members all occur in text. The time is
// linear in the text's length. Errors are *FieldError.
func Extract(text, key string) (json.RawMessage, error) {
	if len(text) > maxText {
		return nil, &FieldError{Kind: KindInvalid, Problem: fmt.Sprintf("answer is longer than %d bytes", maxText)}
	}
	s := search{text: text, key: key, budget: 8 * len(text)}
	s.run()
	if s.found != nil {
		return s.found, nil
	}
	if raw := repair(text[s.from:s.to], key); raw != nil {
		return raw, nil
	}
	switch {
	case key == "":
		return nil, &FieldError{Kind: KindInvalid, Problem: "no JSON object in the answer"}
	case s.other:
		return nil, Missing(key)
	}
	return nil, &FieldError{Kind: KindInvalid, Field: key, Problem: "no JSON object has it"}
}

// search walks over the text outside of thoughts.
type search struct {
	text, key string
	budget    int // bytes that may still be read twice
	found     json.RawMessage
	other     bool // there is a whole object without key
	from, to  int  // the text after the last thoughts
}

func (s *search) run() {
	s.to = len(s.text)
	for i := 0; i < len(s.text); {
		j := strings.IndexAny(s.text[i:], "{<")
		if j < 0 {
			return
		}
		i += j
		if s.text[i] == '{' {
			i = s.object(i)
		} else {
			i = s.tag(i)
		}
	}
}

// object tries the object at i and returns where to go on: behind it, or
// just inside where it is not the one, as long as the budget lasts.
func (s *search) object(i int) int {
	p := parser{text: s.text, pos: i, key: s.key}
	end := p.object(1)
	usable := p.outcome == whole || p.outcome == cut && end > i+1
	if usable && (p.hasKey || s.key == "") {
		if raw := p.build(i, end); json.Valid(raw) {
			s.found = raw
			return max(end, i+1)
		}
	}
	s.other = s.other || p.outcome == whole
	if s.budget -= p.pos - i; s.budget > 0 {
		return i + 1
	}
	return max(p.pos, i+1)
}

// tag skips thoughts. Where they do not end, there is no answer; where only
// their end is there, all before it was thought.
func (s *search) tag(i int) int {
	for _, name := range []string{"think>", "thinking>"} {
		rest := s.text[i+1:]
		if strings.HasPrefix(rest, "/"+name) {
			s.found, s.other, s.from = nil, false, i+2+len(name)
			return s.from
		}
		if !strings.HasPrefix(rest, name) {
			continue
		}
		n := strings.Index(rest, "</"+name)
		if n < 0 {
			s.to = i
			s.from = min(s.from, i)
			return len(s.text)
		}
		s.found, s.other, s.from = nil, false, i+1+n+2+len(name)
		return s.from
	}
	return i + 1
}

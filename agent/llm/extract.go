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
	Kind    ErrorKind // KindMalformedJSON or KindLabel; "": KindSchema
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return fmt.Sprintf("%s: %s", e.Field, e.Problem)
}

// missing is the problem of a field that is not there.
const missing = "missing"

// MissingFieldError is the error of an answer without a field.
func MissingFieldError(field string) *FieldError { return &FieldError{Field: field, Problem: missing} }

// Bounds on the text that Extract looks through.
const (
	maxText  = 1 << 20
	maxDepth = 64
)

// Extract finds the JSON object in a model's answer: the last one that has
// key, or the last one at all when key is empty. Letter case, width and blanks of
// key do not matter. It skips thoughts in <think> tags, prose and code fences, and
// drops trailing commas. Of an object whose end is missing it keeps the complete
// members: a value that the cut touched is missing. Where no such object is found,
// one with bare fractions and the like, single quotes or comments is repaired.
//
// The result is valid JSON whose members all occur in text. The time is
// linear in the text's length. Errors are *FieldError.
func Extract(text, key string) (json.RawMessage, error) {
	f, err := extract(text, key)
	return f.raw, err
}

// extracted is the object that was found in an answer, and what had to be overlooked.
type extracted struct {
	raw           json.RawMessage
	before, after string // the text around it, without thoughts
	objects       int    // with the key
	thoughts      bool
	comma         bool // a trailing one was dropped
	cut           bool
	repaired      bool
}

func extract(text, key string) (extracted, error) {
	if len(text) > maxText {
		return extracted{}, &FieldError{Kind: KindMalformedJSON, Problem: fmt.Sprintf("answer is longer than %d bytes", maxText)}
	}
	s := newSearch(text, key)
	s.run()
	if s.found.raw != nil {
		return s.result(), nil
	}
	rest := text[s.from:s.to]
	colons := narrowColons(rest)
	if quoted := quoteNumbers(colons); quoted != rest {
		again := newSearch(quoted, key)
		if again.run(); again.found.raw != nil {
			f := again.result()
			f.thoughts, f.repaired = s.thoughts, colons != rest
			return f, nil
		}
		rest = quoted
	}
	if raw := repair(rest, key); raw != nil {
		return extracted{raw: raw, thoughts: s.thoughts, repaired: true}, nil
	}
	switch {
	case key == "":
		return extracted{}, &FieldError{Kind: KindMalformedJSON, Problem: "no JSON object in the answer"}
	case s.other:
		return extracted{}, MissingFieldError(key)
	}
	return extracted{}, &FieldError{Kind: KindMalformedJSON, Field: key, Problem: "no JSON object has it"}
}

// search walks over the text outside of thoughts.
type search struct {
	text, key  string
	budget     int // bytes that may still be read twice
	found      extracted
	start, end int  // of what is found
	other      bool // there is a whole object without key
	thoughts   bool
	from, to   int // the text after the last thoughts
}

func newSearch(text, key string) search {
	return search{text: text, key: key, budget: 8 * len(text), to: len(text)}
}

func (s *search) run() {
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

func (s *search) result() extracted {
	f := s.found
	f.before, f.after = s.text[s.from:s.start], s.text[s.end:max(s.end, s.to)]
	f.thoughts = s.thoughts
	return f
}

// object tries the object at i and returns where to go on: behind it, or
// just inside where it is not the one, as long as the budget lasts.
func (s *search) object(i int) int {
	p := parser{text: s.text, pos: i, key: s.key}
	end := p.object(1)
	usable := p.outcome == whole || p.outcome == cut && end > i+1
	if usable && (p.hasKey || s.key == "") {
		if raw := p.build(i, end); json.Valid(raw) {
			comma := len(p.commas) > 0 && p.commas[0] < end
			s.found = extracted{raw: raw, comma: comma, cut: p.outcome == cut, objects: s.found.objects + 1}
			s.start, s.end = i, end
			if p.outcome == cut {
				s.end = p.pos
			}
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
			return s.afterThoughts(i + 2 + len(name))
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
		return s.afterThoughts(i + 1 + n + 2 + len(name))
	}
	return i + 1
}

func (s *search) afterThoughts(i int) int {
	s.found, s.other, s.thoughts, s.from = extracted{}, false, true, i
	return i
}

package llm

import (
	"encoding/json"
	"fmt"
	"strings"
)

// FieldError describes which field of a model's JSON answer is wrong, and why.
type FieldError struct {
	Field   string    // path of the field, such as steps[2].name; "": the whole answer
	Problem string    // what is wrong with the field, such as "missing"
	Label   string    // the unknown label of KindUnknownLabel
	Kind    ErrorKind // kind of the call's error: KindMalformedJSON or KindUnknownLabel; "": KindWrongSchema
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return fmt.Sprintf("%s: %s", e.Field, e.Problem)
}

// missing is the Problem of a FieldError for an absent field.
const missing = "missing"

// MissingFieldError returns the error for an answer that lacks a field.
func MissingFieldError(field string) *FieldError { return &FieldError{Field: field, Problem: missing} }

// Limits on an answer: length in bytes and nesting depth of its JSON.
const (
	maxText  = 1 << 20
	maxDepth = 64
)

// ExtractJSON returns the JSON object in a model's answer: the last one with the member key, or the
// last one if key is empty. Letter case, character width and spaces of key do not matter. Extract
// skips reasoning in <think> tags, prose and code fences, and drops trailing commas. From an object
// that is cut off it returns the complete members. If it finds no object, it tries to repair one
// with bare fractions, single quotes or comments.
//
// The result is valid JSON, and all its members occur in text. The time is linear in the length of
// text. Errors are *FieldError.
func ExtractJSON(text, key string) (json.RawMessage, error) {
	f, err := extract(text, key)
	return f.raw, err
}

// extracted is a JSON object that was found in an answer, with the deviations that were corrected.
type extracted struct {
	raw           json.RawMessage
	before, after string // text before and after the object, without reasoning
	objects       int    // number of objects that have the key
	thoughts      bool
	comma         bool // a trailing comma was dropped
	cut           bool
	repaired      bool
}

func extract(text, key string) (extracted, error) {
	if len(text) > maxText {
		return extracted{}, &FieldError{Kind: KindMalformedJSON,
			Problem: fmt.Sprintf("answer is longer than %d bytes", maxText)}
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

// search scans an answer for JSON objects, outside of reasoning.
type search struct {
	text, key  string
	budget     int // bytes that may still be scanned a second time
	found      extracted
	start, end int  // byte offsets of the found object in text
	other      bool // text contains a complete object without the key
	thoughts   bool
	from, to   int // byte offsets of the text that follows the reasoning
}

func newSearch(text, key string) search {
	return search{
		text:   text,
		key:    key,
		budget: 8 * len(text),
		to:     len(text),
	}
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
			i = s.skipReasoning(i)
		}
	}
}

func (s *search) result() extracted {
	f := s.found
	f.before, f.after = s.text[s.from:s.start], s.text[s.end:max(s.end, s.to)]
	f.thoughts = s.thoughts
	return f
}

// object tries to parse the object at offset i and returns the offset at which the scan continues.
// That is after the object, or just inside it if it does not match and the budget allows.
func (s *search) object(i int) int {
	p := parser{text: s.text, pos: i, key: s.key}
	end := p.object(1)
	usable := p.outcome == whole || p.outcome == cut && end > i+1
	if usable && (p.hasKey || s.key == "") {
		if raw := p.build(i, end); json.Valid(raw) {
			comma := len(p.commas) > 0 && p.commas[0] < end
			s.found = extracted{
				raw:     raw,
				comma:   comma,
				cut:     p.outcome == cut,
				objects: s.found.objects + 1,
			}
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

// skipReasoning skips a reasoning tag at offset i and returns the offset at which the scan
// continues. Without a closing tag, the rest of the text is reasoning. Without an opening tag,
// everything before the closing tag is reasoning.
func (s *search) skipReasoning(i int) int {
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
	s.found = extracted{}
	s.other = false
	s.thoughts = true
	s.from = i
	return i
}

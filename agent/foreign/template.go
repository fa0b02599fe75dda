package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/system"
)

// MaxTemplate bounds a template, in bytes.
const MaxTemplate = 256 << 10

// Template is a question in a form of one's own: JSON with places for what is asked.
// A place that stands for a value becomes one, and one within a string a part of that
// string, escaped: no text of a case can change the form.
type Template struct {
	parts  []part
	labels []system.Label
}

// part is text as it stands, or a place.
type part struct {
	text   string
	place  string // "": text
	inside bool   // of a string
}

// Places are the names that a template may use; options and state may be followed by
// the name of one of theirs, as in options.lang.
func Places() []string {
	return []string{"text", "history", "messages", "session", "id", "images", "mask", "documents", "options", "state", "labels"}
}

var placePattern = regexp.MustCompile(`\{\{\s*([A-Za-z_.0-9-]+)\s*\}\}`)

// NewTemplate reads a template; labels are what {{labels}} lists.
func NewTemplate(text string, labels []system.Label) (*Template, error) {
	if len(text) > MaxTemplate {
		return nil, fmt.Errorf("has more than %d bytes", MaxTemplate)
	}
	t := &Template{labels: labels}
	in := false
	for {
		at := placePattern.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		before, place := text[:at[0]], text[at[2]:at[3]]
		if err := checkPlace(place); err != nil {
			return nil, err
		}
		in = endsInString(before, in)
		text = text[at[1]:]
		whole := in && strings.HasSuffix(before, `"`) && !strings.HasSuffix(before, `\"`) && strings.HasPrefix(text, `"`)
		if whole { // "{{history}}" is the list itself
			before, text, in = before[:len(before)-1], text[1:], false
		}
		t.parts = append(t.parts, part{text: before}, part{place: place, inside: in})
	}
	t.parts = append(t.parts, part{text: text})
	filled, err := t.Fill(Question{ID: "1", Session: "s", Turn: agent.Turn{Text: `a "b" \ c`}})
	if err == nil {
		err = checkJSON(filled)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func checkPlace(name string) error {
	first, _, _ := strings.Cut(name, ".")
	known := slices.Contains(Places(), name) || name != first && (first == "options" || first == "state")
	if !known {
		return fmt.Errorf("{{%s}} is no place (known: %s)", name, strings.Join(Places(), ", "))
	}
	return nil
}

func checkJSON(text []byte) error {
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("is no JSON once its places are filled: %w", err)
	}
	return nil
}

// endsInString tells whether a JSON string is open behind a piece of text; in is
// whether one was before it.
func endsInString(text string, in bool) bool {
	for i := 0; i < len(text); i++ {
		switch {
		case in && text[i] == '\\':
			i++
		case text[i] == '"':
			in = !in
		}
	}
	return in
}

// Fill puts a question into the template.
func (t *Template) Fill(q Question) ([]byte, error) {
	var out bytes.Buffer
	for _, p := range t.parts {
		if p.place == "" {
			out.WriteString(p.text)
			continue
		}
		raw, err := json.Marshal(t.value(p.place, q))
		if err != nil {
			return nil, fmt.Errorf("{{%s}}: %w", p.place, err)
		}
		if p.inside {
			raw = withinString(raw)
		}
		out.Write(raw)
	}
	return out.Bytes(), nil
}

// withinString is a JSON value as a part of a JSON string: a string's own text, null
// as nothing, and of anything else its JSON.
func withinString(raw []byte) []byte {
	switch {
	case string(raw) == "null":
		return nil
	case raw[0] != '"':
		raw, _ = json.Marshal(string(raw)) // a text always can be
	}
	return raw[1 : len(raw)-1]
}

// value is what stands in a place.
func (t *Template) value(place string, q Question) any {
	turn := q.Turn
	first, member, _ := strings.Cut(place, ".")
	switch first {
	case "text":
		return turn.Text
	case "history":
		return history(turn)
	case "messages":
		return append(slices.Clone(history(turn)), agent.Message{Role: "user", Content: turn.Text, Images: turn.Images})
	case "session":
		return q.Session
	case "id":
		return q.ID
	case "images":
		return append([]string{}, turn.Images...)
	case "mask":
		return turn.Mask
	case "documents":
		return append([]agent.Document{}, turn.Documents...)
	case "options":
		return memberOf(turn.Options, member)
	case "state":
		return memberOf(turn.State, member)
	case "labels":
		names := []string{}
		for _, l := range t.labels {
			names = append(names, l.Name)
		}
		return names
	}
	panic("a place that nobody fills: " + first)
}

// memberOf is one member of an object, null where it has none, or the object itself.
func memberOf(of map[string]json.RawMessage, name string) any {
	switch {
	case name != "":
		return of[name]
	case of == nil:
		return map[string]json.RawMessage{}
	}
	return of
}

// Text is the template as it is told from others, "" of none.
func (t *Template) Text() string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range t.parts {
		fmt.Fprintf(&b, "%q %q %t ", p.text, p.place, p.inside)
	}
	return b.String()
}

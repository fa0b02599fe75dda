package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// MaxTemplate bounds a template, in bytes.
const MaxTemplate = 256 << 10

// Template is a question in a custom form: JSON with places for what is asked, and with
// variables of the environment in its values, as $NAME or ${NAME}. A place that stands for a
// value becomes one, and one within a string a part of that string, escaped: no text of a
// case, and no variable, can change the form.
type Template struct {
	source string
	parts  []part
	labels []system.Label
	values map[string]string // of variables; nil: Expand was not called
}

// part is text as it stands, or a place.
type part struct {
	text   string
	place  string // "": text
	inside bool   // of a string
	dollar bool   // place is a variable of the environment
	value  func(q Request, labels []system.Label) any
}

// place is a name that a template may use, with what stands there; of an object also its
// members have names, as in options.lang.
type place struct {
	name   string
	value  func(q Request, labels []system.Label) any
	object func(turn agent.Turn) map[string]json.RawMessage
}

var places = []place{
	{name: "text", value: func(q Request, _ []system.Label) any { return q.Turn.Text }},
	{name: "history", value: func(q Request, _ []system.Label) any { return history(q.Turn) }},
	{name: "messages", value: func(q Request, _ []system.Label) any {
		return append(slices.Clone(history(q.Turn)), agent.Message{Role: "user", Content: q.Turn.Text, Images: q.Turn.Images})
	}},
	{name: "session", value: func(q Request, _ []system.Label) any { return q.Session }},
	{name: "id", value: func(q Request, _ []system.Label) any { return q.ID }},
	{name: "images", value: func(q Request, _ []system.Label) any { return append([]string{}, q.Turn.Images...) }},
	{name: "mask", value: func(q Request, _ []system.Label) any { return q.Turn.Mask }},
	{name: "documents", value: func(q Request, _ []system.Label) any { return append([]agent.Document{}, q.Turn.Documents...) }},
	{name: "options", object: func(turn agent.Turn) map[string]json.RawMessage { return turn.Options }},
	{name: "state", object: func(turn agent.Turn) map[string]json.RawMessage { return turn.State }},
	{name: "labels", value: func(_ Request, labels []system.Label) any {
		names := []string{}
		for _, l := range labels {
			names = append(names, l.Name)
		}
		return names
	}},
}

var placePattern = regexp.MustCompile(`\{\{\s*([A-Za-z_.0-9-]+)\s*\}\}|` + secret.Reference.String())

// isName reports whether a JSON string is the name of a member, by what follows from within
// it: a reference is expanded in values alone, so that "$ref" stays a name.
func isName(rest string) bool {
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			return strings.HasPrefix(strings.TrimLeft(rest[i+1:], " \t\r\n"), ":")
		}
	}
	return false
}

// NewTemplate reads a template; labels are what {{labels}} lists.
func NewTemplate(text string, labels []system.Label) (*Template, error) {
	if len(text) > MaxTemplate {
		return nil, fmt.Errorf("has more than %d bytes", MaxTemplate)
	}
	t := &Template{source: text, labels: labels}
	in := false
	for {
		at := placePattern.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		before, found := text[:at[0]], text[at[0]:at[1]]
		in = endsInString(before, in)
		text = text[at[1]:]
		if found[0] == '$' {
			p := part{inside: in, dollar: true}
			switch names := secret.Variables(found); {
			case in && isName(text):
				before += found
			case len(names) == 0:
				before += "$"
			default:
				p.place = names[0]
			}
			if t.parts = append(t.parts, part{text: before}); p.place != "" {
				t.parts = append(t.parts, p)
			}
			continue
		}
		place := found[at[2]-at[0] : at[3]-at[0]]
		value, err := valueOf(place)
		if err != nil {
			return nil, err
		}
		whole := in && strings.HasSuffix(before, `"`) && !strings.HasSuffix(before, `\"`) && strings.HasPrefix(text, `"`)
		if whole { // "{{history}}" is the list itself
			before, text, in = before[:len(before)-1], text[1:], false
		}
		t.parts = append(t.parts, part{text: before}, part{place: place, inside: in, value: value})
	}
	t.parts = append(t.parts, part{text: text})
	filled, err := t.Fill(Request{ID: "1", Session: "s", Turn: agent.Turn{Text: `a "b" \ c`}})
	if err == nil {
		err = checkJSON(filled)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// valueOf is what fills a place.
func valueOf(name string) (func(q Request, labels []system.Label) any, error) {
	first, member, dotted := strings.Cut(name, ".")
	var names []string
	for _, p := range places {
		switch {
		case p.name == first && p.object != nil:
			return func(q Request, _ []system.Label) any { return memberOf(p.object(q.Turn), member) }, nil
		case p.name == first && !dotted:
			return p.value, nil
		}
		names = append(names, p.name)
	}
	return nil, fmt.Errorf("{{%s}} is no place (known: %s)", name, strings.Join(names, ", "))
}

func checkJSON(text []byte) error {
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("is not valid JSON after its placeholders are filled: %w", err)
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
func (t *Template) Fill(q Request) ([]byte, error) {
	var out bytes.Buffer
	for _, p := range t.parts {
		if p.place == "" {
			out.WriteString(p.text)
			continue
		}
		raw, err := json.Marshal(t.valueOf(p, q))
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

// valueOf fills a place. Without Expand a variable is its own name.
func (t *Template) valueOf(p part, q Request) any {
	switch {
	case !p.dollar:
		return p.value(q, t.labels)
	case t.values == nil:
		return p.place
	}
	return t.values[p.place]
}

// Variables are those of the environment that the template refers to.
func (t *Template) Variables() (names []string) {
	for _, p := range t.parts {
		if p.dollar && !slices.Contains(names, p.place) {
			names = append(names, p.place)
		}
	}
	return names
}

// Expand reads the variables, whose values become secrets, as do values beside names such as
// api_key. It goes before the first Fill; a nil Template has none.
func (t *Template) Expand(secrets *secret.Set) error {
	if t == nil {
		return nil
	}
	secrets.AddText(t.source)
	t.values = map[string]string{}
	for _, name := range t.Variables() {
		value, err := secrets.Variable(name)
		if err != nil {
			return err
		}
		t.values[name] = value
	}
	return nil
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

// String is the template without secrets, by which it differs from others; "" of none.
func (t *Template) String() string {
	if t == nil {
		return ""
	}
	return secret.Mask(t.source)
}

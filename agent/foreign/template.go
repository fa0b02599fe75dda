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

// MaxTemplateBytes limits the length of a template in bytes.
const MaxTemplateBytes = 256 << 10

// Template is a custom JSON format of requests. It contains placeholders such as {{text}}, and
// environment variables in values as $NAME or ${NAME}. A placeholder in place of a value becomes a
// JSON value. Within a string it becomes escaped text. Neither a case nor a variable can change the
// JSON structure.
type Template struct {
	source   string
	segments []segment
	labels   []system.Label
	values   map[string]string // values of the environment variables; nil: Expand has not been called
}

// segment is a piece of a template: literal text, a placeholder or a variable.
type segment struct {
	text       string
	name       string // name of the placeholder or variable; "": literal text
	inString   bool   // within a JSON string
	isVariable bool   // name is that of an environment variable
	value      func(q Request, labels []system.Label) any
}

// placeholder is a known placeholder with the function that returns its value. If object is set, a
// dot selects a member, as in options.lang.
type placeholder struct {
	name   string
	value  func(q Request, labels []system.Label) any
	object func(turn agent.Turn) map[string]json.RawMessage
}

var placeholders = []placeholder{
	{name: "text", value: func(q Request, _ []system.Label) any { return q.Turn.Text }},
	{name: "history", value: func(q Request, _ []system.Label) any { return history(q.Turn) }},
	{name: "messages", value: func(q Request, _ []system.Label) any {
		return append(slices.Clone(history(q.Turn)),
			agent.Message{Role: "user", Content: q.Turn.Text, Images: q.Turn.Images})
	}},
	{name: "session", value: func(q Request, _ []system.Label) any { return q.Session }},
	{name: "id", value: func(q Request, _ []system.Label) any { return q.ID }},
	{name: "images", value: func(q Request, _ []system.Label) any { return append([]string{}, q.Turn.Images...) }},
	{name: "mask", value: func(q Request, _ []system.Label) any { return q.Turn.Mask }},
	{name: "documents", value: func(q Request,
		_ []system.Label) any {
		return append([]agent.Document{}, q.Turn.Documents...)
	}},
	{name: "tools", value: func(q Request, _ []system.Label) any { return append([]agent.Tool{}, q.Turn.Tools...) }},
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

var placeholderPattern = regexp.MustCompile(`\{\{\s*([A-Za-z_.0-9-]+)\s*\}\}|` + secret.EnvReferencePattern.String())

// isName reports whether a position is in a JSON string that is a member name. rest is the text
// after the position. Variables are replaced only in values, so "$ref" stays a name.
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

// NewTemplate parses a template. labels become the value of {{labels}}.
func NewTemplate(text string, labels []system.Label) (*Template, error) {
	if len(text) > MaxTemplateBytes {
		return nil, fmt.Errorf("has more than %d bytes", MaxTemplateBytes)
	}
	t := &Template{source: text, labels: labels}
	in := false
	for {
		at := placeholderPattern.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		before, found := text[:at[0]], text[at[0]:at[1]]
		in = endsInString(before, in)
		text = text[at[1]:]
		if found[0] == '$' {
			p := segment{inString: in, isVariable: true}
			switch names := secret.EnvReferences(found); {
			case in && isName(text):
				before += found
			case len(names) == 0:
				before += "$"
			default:
				p.name = names[0]
			}
			if t.segments = append(t.segments, segment{text: before}); p.name != "" {
				t.segments = append(t.segments, p)
			}
			continue
		}
		place := found[at[2]-at[0] : at[3]-at[0]]
		value, err := valueOf(place)
		if err != nil {
			return nil, err
		}
		whole := in && strings.HasSuffix(before, `"`) && !strings.HasSuffix(before, `\"`) &&
			strings.HasPrefix(text, `"`)
		if whole { // the string is only a placeholder: "{{history}}" becomes the list itself
			before, text, in = before[:len(before)-1], text[1:], false
		}
		t.segments = append(t.segments, segment{text: before}, segment{name: place, inString: in, value: value})
	}
	t.segments = append(t.segments, segment{text: text})
	filled, err := t.Fill(Request{ID: "1", Session: "s", Turn: agent.Turn{Text: `a "b" \ c`}})
	if err == nil {
		err = checkJSON(filled)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// valueOf returns the function that computes the value of a placeholder.
func valueOf(name string) (func(q Request, labels []system.Label) any, error) {
	first, member, dotted := strings.Cut(name, ".")
	var names []string
	for _, p := range placeholders {
		switch {
		case p.name == first && p.object != nil:
			return func(q Request, _ []system.Label) any { return memberOf(p.object(q.Turn), member) }, nil
		case p.name == first && !dotted:
			return p.value, nil
		}
		names = append(names, p.name)
	}
	return nil, fmt.Errorf("{{%s}} is not a place (known: %s)", name, strings.Join(names, ", "))
}

func checkJSON(text []byte) error {
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("is not valid JSON after its placeholders are filled: %w", err)
	}
	return nil
}

// endsInString reports whether a JSON string is open at the end of a text. in is whether one is
// open at its start.
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

// Fill returns the JSON of a request.
func (t *Template) Fill(q Request) ([]byte, error) {
	var out bytes.Buffer
	for _, p := range t.segments {
		if p.name == "" {
			out.WriteString(p.text)
			continue
		}
		raw, err := json.Marshal(t.valueOf(p, q))
		if err != nil {
			return nil, fmt.Errorf("{{%s}}: %w", p.name, err)
		}
		if p.inString {
			raw = withinString(raw)
		}
		out.Write(raw)
	}
	return out.Bytes(), nil
}

// valueOf returns the value of a placeholder or variable; before Expand, a variable's name.
func (t *Template) valueOf(p segment, q Request) any {
	switch {
	case !p.isVariable:
		return p.value(q, t.labels)
	case t.values == nil:
		return p.name
	}
	return t.values[p.name]
}

// EnvVariables returns the names of the environment variables in the template.
func (t *Template) EnvVariables() (names []string) {
	for _, p := range t.segments {
		if p.isVariable && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// ExpandEnv reads the values of the environment variables. It adds them to secrets, together with
// literal values of fields such as api_key. It must be called before the first Fill. A nil Template
// has no variables.
func (t *Template) ExpandEnv(secrets *secret.Set) error {
	if t == nil {
		return nil
	}
	secrets.AddFromText(t.source)
	t.values = map[string]string{}
	for _, name := range t.EnvVariables() {
		value, err := secrets.EnvValue(name)
		if err != nil {
			return err
		}
		t.values[name] = value
	}
	return nil
}

// withinString converts a JSON value to the content of a JSON string: the text of a string, nothing
// for null, and the JSON text of other values.
func withinString(raw []byte) []byte {
	switch {
	case string(raw) == "null":
		return nil
	case raw[0] != '"':
		raw, _ = json.Marshal(string(raw)) // cannot fail: a string can always be encoded
	}
	return raw[1 : len(raw)-1]
}

// memberOf returns a member of an object, null if it is missing, or the whole object if name is "".
func memberOf(of map[string]json.RawMessage, name string) any {
	switch {
	case name != "":
		return of[name]
	case of == nil:
		return map[string]json.RawMessage{}
	}
	return of
}

// String returns the template with secrets redacted, to compare templates; "": nil.
func (t *Template) String() string {
	if t == nil {
		return ""
	}
	return secret.Mask(t.source)
}

package system

import (
	"encoding/json"
	"strings"

	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// Kind is what an element of a setting's value is used for.
type Kind int

// The kinds of elements.
const (
	Plain   Kind = iota // a word, a number or a text
	File                // the path of a file or folder that is read
	URL                 // an address that requests are sent to
	Command             // a command that is run
)

// Element is one element of a setting's value. Text has no blanks around it, except in paths.
type Element struct {
	Kind Kind
	Text string
}

// Elements splits a setting's value as the setting declares, and says what each element is
// used for. Every decision about a value, such as whether it needs trust, is made on its
// elements. An empty value has none.
//
// In doubt an element is what needs more trust: where a setting runs commands, only a whole
// http URL is no command, and where it takes addresses, only its usual value is none.
func (s Setting) Elements(value string) (list []Element) {
	if value == "" {
		return nil
	}
	pieces, _ := s.split(value)
	for _, piece := range pieces {
		list = append(list, s.element(piece))
	}
	return list
}

func (s Setting) element(piece string) Element {
	if !s.IsFile {
		piece = strings.TrimSpace(piece)
	}
	return Element{Kind: s.kindOf(piece), Text: piece}
}

func (s Setting) kindOf(text string) Kind {
	switch {
	case text == "":
		return Plain
	case s.IsFile:
		return File
	case s.IsURL && s.IsCommand:
		if _, err := outbound.ParseOne(text); err != nil {
			return Command
		}
		return URL
	case s.IsCommand:
		return Command
	case s.IsURL && text != s.Default:
		return URL
	}
	return Plain
}

// Rewrite replaces the text of each element of a value.
func (s Setting) Rewrite(value string, with func(Element) string) string {
	if value == "" {
		return ""
	}
	pieces, join := s.split(value)
	changed := false
	for i, piece := range pieces {
		e := s.element(piece)
		if e.Text == "" {
			continue
		}
		if text := with(e); text != e.Text {
			pieces[i], changed = strings.Replace(piece, e.Text, text, 1), true
		}
	}
	if !changed {
		return value
	}
	return join(pieces)
}

// WithoutSecrets is a value without the passwords and keys of its addresses, and without the
// values beside names such as token in its commands and texts, as files and reports show it.
func (s Setting) WithoutSecrets(value string) string {
	return s.Rewrite(value, func(e Element) string {
		if e.Kind == File {
			return secret.RedactURL(e.Text)
		}
		return secret.Mask(e.Text)
	})
}

// split is a value's elements, with blanks, and the func that makes one value of them again.
// The words of a command are one element.
func (s Setting) split(value string) (pieces []string, join func([]string) string) {
	switch {
	case s.IsList && !s.IsCommand:
		return splitList(value), func(list []string) string {
			b, _ := json.Marshal(list) // strings can always be encoded
			return string(b)
		}
	case s.Joined != "":
		return strings.Split(value, s.Joined), func(list []string) string { return strings.Join(list, s.Joined) }
	}
	return []string{value}, func(list []string) string { return list[0] }
}

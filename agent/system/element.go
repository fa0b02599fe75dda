package system

import (
	"encoding/json"
	"strings"

	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// Kind is the use of an element of a setting's value.
type Kind int

// The kinds of elements.
const (
	Plain   Kind = iota // a word, a number or a text
	File                // the path of a file or directory that is read
	URL                 // an address that requests are sent to
	Command             // a command that is run
)

// Element is one element of a setting's value. Text has no surrounding blanks, except in paths.
type Element struct {
	Kind Kind
	Text string
}

// Elements splits a setting's value and classifies each element. Decisions about a value, such as
// whether it requires trust, are made on its elements. An empty value has no elements.
//
// An ambiguous element gets the kind that requires more trust. If the setting accepts commands,
// everything but a complete http URL is a command. If it accepts addresses, everything but the
// default is an address.
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
func (s Setting) Rewrite(value string, replace func(Element) string) string {
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
		if text := replace(e); text != e.Text {
			pieces[i], changed = strings.Replace(piece, e.Text, text, 1), true
		}
	}
	if !changed {
		return value
	}
	return join(pieces)
}

// WithoutSecrets is a value for files and reports. Passwords and keys in addresses are redacted,
// and so are the values after names such as token in commands and texts.
func (s Setting) WithoutSecrets(value string) string {
	return s.Rewrite(value, func(e Element) string {
		if e.Kind == File {
			return secret.RedactURL(e.Text)
		}
		return secret.Mask(e.Text)
	})
}

// split returns a value's elements, with their blanks, and the function that joins them again. A
// command with its arguments is one element.
func (s Setting) split(value string) (pieces []string, join func([]string) string) {
	switch {
	case s.IsList && !s.IsCommand:
		return splitList(value), func(list []string) string {
			b, _ := json.Marshal(list) // strings can always be encoded
			return string(b)
		}
	case s.Separator != "":
		return strings.Split(value, s.Separator), func(list []string) string { return strings.Join(list, s.Separator) }
	}
	return []string{value}, func(list []string) string { return list[0] }
}

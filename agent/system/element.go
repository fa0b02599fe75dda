package system

import (
	"encoding/json"
	"strings"

	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// ElementKind is the kind of an element of a setting's value. It determines how the element is
// checked and redacted.
type ElementKind int

// The kinds of elements. Files, addresses and commands may require the user's trust.
const (
	ElementPlain   ElementKind = iota // a word, a number or other text
	ElementFile                       // the path of a file or directory that evalctl reads
	ElementURL                        // an address that receives requests
	ElementCommand                    // a command that evalctl runs
)

// SettingElement is one element of a setting's value, such as one address of a list. Text has no
// surrounding blanks, except in paths.
type SettingElement struct {
	Kind ElementKind
	Text string
}

// Elements splits a setting's value and classifies each element. Checks of a value, such as whether
// it requires trust, are made on its elements. An empty value has no elements.
//
// An ambiguous element gets the kind that requires more trust. If the setting accepts commands,
// every element is a command unless it is a complete http URL. If it accepts addresses, every
// element except the default is an address.
func (s Setting) Elements(value string) (list []SettingElement) {
	if value == "" {
		return nil
	}
	pieces, _ := s.split(value)
	for _, piece := range pieces {
		list = append(list, s.element(piece))
	}
	return list
}

func (s Setting) element(piece string) SettingElement {
	if !s.IsFile {
		piece = strings.TrimSpace(piece)
	}
	return SettingElement{Kind: s.kindOf(piece), Text: piece}
}

func (s Setting) kindOf(text string) ElementKind {
	switch {
	case text == "":
		return ElementPlain
	case s.IsFile:
		return ElementFile
	case s.IsURL && s.IsCommand:
		if _, err := outbound.ParseSingleURL(text); err != nil {
			return ElementCommand
		}
		return ElementURL
	case s.IsCommand:
		return ElementCommand
	case s.IsURL && text != s.Default:
		return ElementURL
	}
	return ElementPlain
}

// ReplaceElements returns a value with the text of each element replaced. It is used to resolve
// paths and to redact secrets.
func (s Setting) ReplaceElements(value string, replace func(SettingElement) string) string {
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

// Redact returns a value that may be stored and shown. It redacts passwords and keys in addresses.
// In commands and texts it redacts values that follow names such as token.
func (s Setting) Redact(value string) string {
	return s.ReplaceElements(value, func(e SettingElement) string {
		if e.Kind == ElementFile {
			return secret.RedactURL(e.Text)
		}
		return secret.Mask(e.Text)
	})
}

// split returns the elements of a value, with their blanks, and a function that joins elements to a
// value again. A command with its arguments is one element.
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

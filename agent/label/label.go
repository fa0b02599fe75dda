// Package label recognizes valid labels in model answers, regardless of case, width and spaces.
package label

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Set is a set of valid labels. The zero Set is empty. A Set is safe for concurrent use.
type Set struct {
	exact  map[string]string // label for each label and alias
	folded map[string]string // label for each result of Fold; "": several labels have this result
}

// NewSet returns the set of these labels.
func NewSet(names ...string) Set {
	s := Set{exact: map[string]string{}, folded: map[string]string{}}
	for _, name := range names {
		s.exact[name] = name
		key := Fold(name)
		if _, twice := s.folded[key]; twice {
			s.folded[key] = ""
			continue
		}
		s.folded[key] = name
	}
	return s
}

// WithAliases returns the set with further names of its labels. The map has the label for each alias.
func (s Set) WithAliases(aliases map[string]string) Set {
	if len(aliases) == 0 {
		return s
	}
	all := Set{exact: maps.Clone(s.exact), folded: maps.Clone(s.folded)}
	for alias, name := range aliases {
		all.exact[alias] = name
		if _, known := all.folded[Fold(alias)]; !known {
			all.folded[Fold(alias)] = name
		}
	}
	return all
}

// IsEmpty reports whether the set has no labels.
func (s Set) IsEmpty() bool { return len(s.exact) == 0 }

// Find returns the label with this name or alias: an exact match, or the only label that differs
// just in case, character width and spaces. ok is false if there is none.
func (s Set) Find(name string) (string, bool) {
	if label, ok := s.exact[name]; ok {
		return label, true
	}
	label := s.folded[Fold(name)]
	return label, label != ""
}

// IsPrefix reports whether a longer label begins with text, so that text may be a truncated label.
func (s Set) IsPrefix(text string) bool {
	text = Fold(text)
	for name := range s.folded {
		if name != text && strings.HasPrefix(name, text) {
			return true
		}
	}
	return false
}

// Fold returns a name in the form for comparison: lower case, normal width, single spaces inside
// and none at the ends.
func Fold(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(name))), " ")
}

// InvalidAnswerLabel returns the prediction for an answer without a valid label. It is "invalid",
// in as many parentheses as needed to differ from all labels.
func InvalidAnswerLabel(names ...string) string {
	name := "invalid"
	for slices.Contains(names, name) {
		name = "(" + name + ")"
	}
	return name
}

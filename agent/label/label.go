// Package label finds, of labels to choose from, the one that an answer means.
package label

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"evalctl/agent/system"
)

// Set finds the label that is meant by a name. It is safe for concurrent use.
type Set struct {
	exact  map[string]bool
	folded map[string]string // "" for what several labels look like
}

// NewSet is a set of labels to choose from.
func NewSet(list []system.Label) Set {
	s := Set{exact: map[string]bool{}, folded: map[string]string{}}
	for _, one := range list {
		s.exact[one.Name] = true
		key := fold(one.Name)
		if _, twice := s.folded[key]; twice {
			s.folded[key] = ""
			continue
		}
		s.folded[key] = one.Name
	}
	return s
}

// Find finds a label by its name: exactly, else whatever its case, width and
// the spaces around it, where only one is like that.
func (s Set) Find(name string) (string, bool) {
	if s.exact[name] {
		return name, true
	}
	label := s.folded[fold(name)]
	return label, label != ""
}

// Begins tells what may be the beginning of a longer label.
func (s Set) Begins(said string) bool {
	said = fold(said)
	for name := range s.folded {
		if name != said && strings.HasPrefix(name, said) {
			return true
		}
	}
	return false
}

func fold(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(name))), " ")
}

// Invalid is what is predicted where an answer is no label: a name that none of the
// labels has.
func Invalid(list []system.Label) string {
	name := "invalid"
	for slices.ContainsFunc(list, func(l system.Label) bool { return l.Name == name }) {
		name = "(" + name + ")"
	}
	return name
}

package component

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Components are the parts of an agent by name, with the component whose work each
// does. Latencies, faults and the count of calls are kept per part. Where some
// part does the work of Image, asking for its pictures is the part poll, named
// or not. The nil Parts are Standard.
type Components map[string]Role

// DefaultComponents are the components, each a part under its own name.
func DefaultComponents() Components {
	p := Components{}
	for _, name := range componentNames() {
		p[name] = Role(name)
	}
	return p
}

func componentNames() (names []string) {
	for _, c := range All() {
		names = append(names, string(c))
	}
	return names
}

// Role is the component whose work a part does; ok is false for a name
// that is no part's.
func (p Components) Component(name string) (c Role, ok bool) {
	switch c, ok = p[name]; {
	case ok:
		return c, true
	case p == nil:
		return Role(name), Role(name).Index() >= 0
	case name == string(Poll):
		return Poll, p.do(Image)
	}
	return "", false
}

// ForRole is the part that does a component's work where nothing names a part:
// the one of the component's own name, else the first that does it. Work that
// no part does keeps the component's name.
func (p Components) ForRole(c Role) string {
	own := string(c)
	if of, ok := p.Component(own); ok && of == c {
		return own
	}
	first := own
	for name, of := range p {
		if of == c && (first == own || name < first) {
			first = name
		}
	}
	return first
}

// Names lists the parts in the order of their components, then of their names.
func (p Components) Names() []string {
	if p == nil {
		return componentNames()
	}
	names := slices.Collect(maps.Keys(p))
	if _, named := p[string(Poll)]; !named && p.do(Image) {
		names = append(names, string(Poll))
	}
	slices.SortFunc(names, func(a, b string) int {
		of, _ := p.Component(a)
		other, _ := p.Component(b)
		return cmp.Or(cmp.Compare(of.Index(), other.Index()), cmp.Compare(a, b))
	})
	return names
}

// ChatComponents lists the parts that a chat model answers for.
func (p Components) ChatComponents() []string {
	return slices.DeleteFunc(p.Names(), func(name string) bool {
		c, _ := p.Component(name)
		return !c.IsChatModel()
	})
}

func (p Components) do(c Role) bool {
	for _, of := range p {
		if of == c {
			return true
		}
	}
	return p == nil
}

// Check finds a name that is no part's, and says which are.
func (p Components) Check(name string) error {
	if _, ok := p.Component(name); !ok {
		return fmt.Errorf("unknown component %q: known are %s", name, strings.Join(p.Names(), ", "))
	}
	return nil
}

// marks cannot be in a part's name: faults and models' names are told by them.
const marks = ":+=@%/ \t\n"

// Validate names the part that is wrong.
func (p Components) Validate() error {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		c := p[name]
		switch {
		case name == "":
			return errors.New("a part has no name")
		case strings.ContainsAny(name, marks):
			return fmt.Errorf("part %q: the name has one of %q", name, marks)
		case c.Index() < 0:
			return fmt.Errorf("part %q does the work of an unknown component %q: known are %s", name, c, strings.Join(componentNames(), ", "))
		case name == string(Poll) && c != Poll && p.do(Image):
			return fmt.Errorf("part %q is asking for pictures, as there are some, not the work of %s", name, c)
		}
	}
	return nil
}

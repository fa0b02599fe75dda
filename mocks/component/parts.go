package component

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Components maps the names of an agent's components to their roles. If any component has the role
// Image, a component named poll exists implicitly. A nil map means DefaultComponents.
type Components map[string]Role

// DefaultComponents returns one component per role, named like the role.
func DefaultComponents() Components {
	p := Components{}
	for _, name := range componentNames() {
		p[name] = Role(name)
	}
	return p
}

func componentNames() (names []string) {
	for _, c := range Roles() {
		names = append(names, string(c))
	}
	return names
}

// RoleOf returns the role of the named component; ok is false for an unknown name.
func (p Components) RoleOf(name string) (c Role, ok bool) {
	switch c, ok = p[name]; {
	case ok:
		return c, true
	case p == nil:
		return Role(name), Role(name).Index() >= 0
	case name == string(Poll):
		return Poll, p.hasRole(Image)
	}
	return "", false
}

// NameForRole returns the name of the component that does the work of a role. A component named like
// the role has priority, then the first in order of name with this role. If there is none, the
// result is the role's name.
func (p Components) NameForRole(c Role) string {
	own := string(c)
	if role, ok := p.RoleOf(own); ok && role == c {
		return own
	}
	first := own
	for name, role := range p {
		if role == c && (first == own || name < first) {
			first = name
		}
	}
	return first
}

// Names returns the names of the components, sorted by role, then by name.
func (p Components) Names() []string {
	if p == nil {
		return componentNames()
	}
	names := slices.Collect(maps.Keys(p))
	if _, named := p[string(Poll)]; !named && p.hasRole(Image) {
		names = append(names, string(Poll))
	}
	slices.SortFunc(names, func(a, b string) int {
		role, _ := p.RoleOf(a)
		other, _ := p.RoleOf(b)
		return cmp.Or(cmp.Compare(role.Index(), other.Index()), cmp.Compare(a, b))
	})
	return names
}

// ChatComponents returns the names of the components that call a chat model.
func (p Components) ChatComponents() []string {
	return slices.DeleteFunc(p.Names(), func(name string) bool {
		c, _ := p.RoleOf(name)
		return !c.IsChatModel()
	})
}

func (p Components) hasRole(c Role) bool {
	for _, role := range p {
		if role == c {
			return true
		}
	}
	return p == nil
}

// CheckName returns an error if there is no component with this name.
func (p Components) CheckName(name string) error {
	if _, ok := p.RoleOf(name); !ok {
		return fmt.Errorf("unknown component %q: known are %s", name, strings.Join(p.Names(), ", "))
	}
	return nil
}

// reservedChars are characters that a component's name must not contain, because fault specs and
// model names use them as separators.
const reservedChars = ":+=@%/ \t\n"

// Validate returns an error that names the first invalid component.
func (p Components) Validate() error {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		c := p[name]
		switch {
		case name == "":
			return errors.New("a part has no name")
		case strings.ContainsAny(name, reservedChars):
			return fmt.Errorf("part %q: the name has one of %q", name, reservedChars)
		case c.Index() < 0:
			return fmt.Errorf("part %q does the work of an unknown component %q: known are %s", name, c,
				strings.Join(componentNames(), ", "))
		case name == string(Poll) && c != Poll && p.hasRole(Image):
			return fmt.Errorf("part %q is asking for pictures, as there are some, not the work of %s", name, c)
		}
	}
	return nil
}

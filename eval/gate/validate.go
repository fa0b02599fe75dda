package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Cell names one suite × variant × fault of a run; no fault is "" or [eval.NoFault].
type Cell struct{ Suite, Variant, Fault string }

// Validate tells, before anything runs, which rules select what the run does not have:
// an unknown suite, a variant that the suite does not have, a fault that these are not
// run under. All bad rules are reported, each a [*SyntaxError] that lists what is known.
func Validate(rules []Rule, cells []Cell) error {
	var errs []error
	for _, r := range rules {
		if err := r.validate(cells); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// validate narrows the cells by one key after the other, so that it is told which of
// several known names do not go together.
func (r Rule) validate(cells []Cell) error {
	var narrowed Rule
	for _, s := range r.selections() {
		if s.value == "" {
			continue
		}
		before := narrowed.selector()
		known := names(cells, s.key)
		narrowed = narrowed.with(s)
		cells = slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return !narrowed.selects(c) })
		if len(cells) == 0 {
			return r.unknown(s, before, known)
		}
	}
	return nil
}

func (r Rule) with(s selection) Rule {
	switch s.key {
	case "suite":
		r.Suite = s.value
	case "variant":
		r.Variant = s.value
	case "fault":
		r.Fault = s.value
	}
	return r
}

// unknown puts the caret under the value, in the rule's canonical spelling.
func (r Rule) unknown(s selection, within string, known []string) error {
	text := r.String()
	list := strings.Join(known, ", ")
	if list == "" {
		list = "none"
	}
	if within != "" {
		within = " in " + within
	}
	written := s.key + "=" + quoted(s.value)
	return &SyntaxError{
		Rule:    text,
		Offset:  strings.LastIndex(text, written) + len(s.key) + 1,
		Problem: fmt.Sprintf("unknown %s %q%s; known: %s", s.key, s.value, within, list),
	}
}

// names lists the different values of a key, sorted.
func names(cells []Cell, key string) []string {
	var list []string
	for _, c := range cells {
		switch key {
		case "suite":
			list = append(list, c.Suite)
		case "variant":
			list = append(list, c.Variant)
		case "fault":
			list = append(list, faultOf(c.Fault))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

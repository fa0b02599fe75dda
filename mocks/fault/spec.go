package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"evalctl/mocks/component"
)

// Parse parses a fault spec for an agent with the given components. Several faults are joined by
// "+". Each is COMPONENT:KIND, optionally followed by =DURATION (slow: in addition to the latency;
// rate_limited: Retry-After), @N (only the Nth call) or %P (each call with a probability of P
// percent):
//
//	router:timeout
//	router:rate_limited=3s@1+image:task_failed%25
//
// The error names the invalid part of the spec and the valid values.
func Parse(spec string, parts component.Components) ([]Fault, error) {
	var out []Fault
	for word := range strings.SplitSeq(spec, "+") {
		f, err := parseFault(strings.TrimSpace(word), parts)
		if err != nil {
			return nil, fmt.Errorf("fault %q: %w", strings.TrimSpace(word), err)
		}
		out = append(out, f)
	}
	return out, nil
}

func parseFault(s string, parts component.Components) (Fault, error) {
	name, rest, found := strings.Cut(s, ":")
	if !found {
		return Fault{}, errors.New("want COMPONENT:KIND, then =DURATION, @N or %P; components are " +
			strings.Join(parts.Names(), ", "))
	}
	f := Fault{Component: name}
	kind := rest
	if i := strings.IndexAny(rest, "=@%"); i >= 0 {
		kind, rest = rest[:i], rest[i:]
	} else {
		rest = ""
	}
	f.Kind = Kind(kind)
	if err := f.Validate(parts); err != nil {
		return Fault{}, err
	}
	if err := f.parseOptions(rest); err != nil {
		return Fault{}, err
	}
	return f, f.Validate(parts)
}

// parseOptions parses the options =DURATION, @N and %P after a kind, each at most once.
func (f *Fault) parseOptions(s string) error {
	seen := ""
	for s != "" {
		mark, rest := s[:1], s[1:]
		value := rest
		if i := strings.IndexAny(rest, "=@%"); i >= 0 {
			value, s = rest[:i], rest[i:]
		} else {
			s = ""
		}
		if strings.Contains(seen, mark) {
			return fmt.Errorf("%q is given twice", mark)
		}
		seen += mark
		if err := f.setOption(mark, value); err != nil {
			return err
		}
	}
	return nil
}

func (f *Fault) setOption(mark, value string) error {
	switch mark {
	case "=":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("bad duration %q: want one such as 2s", value)
		}
		f.Delay = d
	case "@":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("bad call number %q: want 1, 2, 3 …", value)
		}
		f.CallNumber = n
	case "%":
		p, err := strconv.ParseFloat(value, 64)
		if err != nil || !(p > 0 && p <= 100) {
			return fmt.Errorf("bad chance %q: want a percentage above 0, at most 100", value)
		}
		f.Percent = p
	}
	return nil
}

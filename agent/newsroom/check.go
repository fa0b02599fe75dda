package newsroom

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// accept takes the fields of a turn's state over those that there are.
func (s *state) accept(given map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f, known := s.field(name)
		if !known {
			return fmt.Errorf("state: unknown field %q", limited(name, 100))
		}
		if err := json.Unmarshal(given[name], f.Addr().Interface()); err != nil {
			return fmt.Errorf("state.%s: %w", name, err)
		}
	}
	for name, n := range map[string]int{"iterationCount": s.IterationCount, "maxIterations": s.MaxIterations, "clarificationRounds": s.ClarificationRounds} {
		if n < 0 || n > mostIterations {
			return fmt.Errorf("state.%s: %d is not in 0..%d", name, n, mostIterations)
		}
	}
	s.Messages = s.Messages[max(0, len(s.Messages)-mostMessages):]
	return nil
}

// stateChecks check the fields of a case's state, by their names: they must be in
// the form in which they are kept.
func stateChecks() map[string]func(json.RawMessage) error {
	checks := map[string]func(json.RawMessage) error{}
	for _, name := range Fields() {
		checks[name] = func(raw json.RawMessage) error {
			var s state
			if err := s.accept(map[string]json.RawMessage{name: raw}); err != nil {
				return err
			}
			f, _ := s.field(name)
			kept, err := json.Marshal(f.Interface())
			if err != nil {
				return err
			}
			return same(raw, kept)
		}
	}
	return checks
}

// same finds what is given and not kept.
func same(given, kept json.RawMessage) error {
	var a, b any
	if err := errors.Join(json.Unmarshal(given, &a), json.Unmarshal(kept, &b)); err != nil {
		return err
	}
	return within(a, b, "")
}

// within finds the first value of a that b has not.
func within(a, b any, path string) error {
	switch a := a.(type) {
	case map[string]any:
		in, ok := b.(map[string]any)
		if !ok && b != nil {
			return fmt.Errorf("%sis no object", path)
		}
		for _, name := range slices.Sorted(maps.Keys(a)) {
			if _, known := in[name]; !known && !isEmpty(a[name]) {
				return fmt.Errorf("%s%s: is unknown, or of no use", path, name)
			}
			if err := within(a[name], in[name], path+name+": "); err != nil {
				return err
			}
		}
		return nil
	case []any:
		in, _ := b.([]any)
		if len(in) != len(a) {
			return fmt.Errorf("%sonly %d of %d are of use", path, len(in), len(a))
		}
		for i := range a {
			if err := within(a[i], in[i], fmt.Sprintf("%s%d: ", path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if !reflect.DeepEqual(a, b) && !isEmpty(a) {
		return fmt.Errorf("%s%v is read as %v", path, a, b)
	}
	return nil
}

func isEmpty(v any) bool { return v == "" || v == false }

// checkReviews checks what a simulated review is to give.
func checkReviews(raw json.RawMessage) error {
	var reviews []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &reviews); err != nil || len(reviews) == 0 {
		return errors.New("is no list of scores by dimension")
	}
	for i, given := range reviews {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			ok := false
			if name == "approved" {
				ok = string(given[name]) == "true" || string(given[name]) == "false"
			} else if slices.ContainsFunc(dimensions, func(d dimension) bool { return d.name == name }) {
				var n float64
				ok = json.Unmarshal(given[name], &n) == nil && n >= 0 && n <= 1
			}
			if !ok {
				return fmt.Errorf("[%d].%s: is no score in 0..1 of a dimension, nor whether it is approved", i, name)
			}
		}
	}
	return nil
}

// checkAsks checks the keys of what a simulated agent is to ask.
func checkAsks(raw json.RawMessage) error {
	var keys []string
	if err := json.Unmarshal(raw, &keys); err != nil || len(keys) == 0 || len(keys) > mostQuestions || slices.Contains(keys, "") {
		return fmt.Errorf("is no list of 1 to %d keys", mostQuestions)
	}
	return nil
}

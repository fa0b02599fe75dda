package newsroom

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/jsonerror"
)

// applyInput sets the state fields that a turn provides. It returns an error for an unknown field
// or an invalid value.
func (s *state) applyInput(given map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, known := s.field(name); !known {
			return fmt.Errorf("state: unknown field %q", clipRunes(name, 100))
		}
		if err := s.setField(name, given[name]); err != nil {
			return fmt.Errorf("state.%s: %w", name, err)
		}
	}
	s.ImagePlans = withIDs(s.ImagePlans)
	s.Messages = s.Messages[max(0, len(s.Messages)-maxMessages):]
	if err := s.checkCounts(); err != nil {
		return fmt.Errorf("state.%w", err)
	}
	return nil
}

// setField sets the state field name from JSON. The field must exist.
func (s *state) setField(name string, raw json.RawMessage) error {
	f, _ := s.field(name)
	err := json.Unmarshal(raw, f.Addr().Interface())
	if e, found := jsonerror.FromError(err); found {
		at := jsonerror.FormatPath(e.Path, func(name string) string { return clipRunes(name, 100) })
		return errors.New(strings.TrimPrefix(at+": "+e.Reason, ": "))
	}
	return err
}

// checkCounts returns an error if a counter of the state is not in its valid range.
func (s *state) checkCounts() error {
	for _, c := range []struct {
		name string
		n    int
	}{{"iterationCount", s.IterationCount}, {"maxIterations", s.MaxIterations},
		{"clarificationRounds", s.ClarificationRounds}} {
		if c.n < 0 || c.n > iterationLimit {
			return fmt.Errorf("%s: %d is not in 0..%d", c.name, c.n, iterationLimit)
		}
	}
	return nil
}

// stateChecks returns a check for each state field that a case may define. A check rejects a value
// if part of it would be lost when it is stored.
func stateChecks() map[string]func(json.RawMessage) error {
	checks := map[string]func(json.RawMessage) error{}
	for _, name := range StateFieldNames() {
		checks[name] = func(raw json.RawMessage) error {
			var s state
			if err := s.setField(name, raw); err != nil {
				return err
			}
			if err := s.checkCounts(); err != nil {
				return errors.New(strings.TrimPrefix(err.Error(), name+": "))
			}
			f, _ := s.field(name)
			stored, err := json.Marshal(f.Interface())
			if err != nil {
				return err
			}
			return checkStored(raw, stored)
		}
	}
	return checks
}

// checkStored returns an error if a part of the JSON value given is missing in stored.
func checkStored(given, stored json.RawMessage) error {
	var a, b any
	if err := errors.Join(json.Unmarshal(given, &a), json.Unmarshal(stored, &b)); err != nil {
		return err
	}
	return compareStored(a, b, "")
}

// compareStored returns an error for the first value in a, at path, that is missing in b.
func compareStored(a, b any, path string) error {
	switch a := a.(type) {
	case map[string]any:
		in, ok := b.(map[string]any)
		if !ok && b != nil {
			return fmt.Errorf("%sis no object", path)
		}
		for _, name := range slices.Sorted(maps.Keys(a)) {
			if _, known := in[name]; !known && !isEmpty(a[name]) {
				if n, isNumber := a[name].(float64); isNumber && isDimension(name) {
					return fmt.Errorf("%s%s: %v is not in 0..1", path, name, n)
				}
				return fmt.Errorf("%s%s: is unknown, or of no use", path, name)
			}
			if err := compareStored(a[name], in[name], path+name+": "); err != nil {
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
			if err := compareStored(a[i], in[i], fmt.Sprintf("%s%d: ", path, i)); err != nil {
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

func isDimension(name string) bool {
	return slices.ContainsFunc(dimensions, func(d dimension) bool { return d.name == name })
}

// Limits on the simulated replies that a case defines.
const (
	maxReviews   = 100
	maxKeyLength = 100 // in characters
)

// checkReviews validates a case's list of review results, which the simulated review agent returns
// one after the other.
func checkReviews(raw json.RawMessage) error {
	var reviews []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &reviews); err != nil || len(reviews) == 0 || len(reviews) > maxReviews {
		return fmt.Errorf("is not a list of scores by dimension, of 1 to %d reviews", maxReviews)
	}
	for i, given := range reviews {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if err := checkReview(name, given[name]); err != nil {
				return fmt.Errorf("[%d].%s: %w", i, clipRunes(name, maxKeyLength), err)
			}
		}
	}
	return nil
}

// checkReview validates one member of a review result: a score or the approval.
func checkReview(name string, raw json.RawMessage) error {
	var n float64
	switch {
	case name == "approved":
		if s := string(raw); s != "true" && s != "false" {
			return errors.New("is neither true nor false")
		}
	case !isDimension(name):
		return errors.New("is not a dimension, nor whether it is approved")
	case json.Unmarshal(raw, &n) != nil || string(raw) == "null":
		return errors.New("is not a number")
	case n < 0 || n > 1:
		return fmt.Errorf("%v is not in 0..1", n)
	}
	return nil
}

// checkQuestionKeys validates a case's list of question keys, which a simulated agent uses for
// questions to the user.
func checkQuestionKeys(raw json.RawMessage) error {
	var keys []string
	if err := json.Unmarshal(raw, &keys); err != nil || len(keys) == 0 || len(keys) > maxQuestions {
		return fmt.Errorf("is not a list of 1 to %d keys", maxQuestions)
	}
	for i, key := range keys {
		unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
		switch {
		case key == "" || key != strings.TrimSpace(key) || utf8.RuneCountInString(key) > maxKeyLength ||
			strings.ContainsFunc(key, unprintable):
			return fmt.Errorf("[%d]: is not a key of 1 to %d characters that can be printed, without spaces around it",
				i, maxKeyLength)
		case slices.Contains(keys[:i], key):
			return fmt.Errorf("[%d]: %q is given twice", i, key)
		}
	}
	return nil
}

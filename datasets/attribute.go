package datasets

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
	"evalctl/agent/jsonerror"
	"evalctl/eval/suggest"
)

// validator validates one field of a case's expect object.
type validator func(jsontext.Value) error

// attributeValidators returns the validators of all fields of expect other than the label, by field
// name.
func (s Schema) attributeValidators() map[string]validator {
	list := map[string]validator{}
	if s.Slots != nil {
		list["slots"] = s.slots
	}
	if s.RetrievalField != "" {
		list[s.RetrievalField] = s.searchResults
	}
	if s.HasImageLabels {
		list["images"] = imageLabels
	}
	if s.DecisionPathField != "" {
		list[s.DecisionPathField] = s.path
	}
	for _, field := range s.ExtraLabelFields {
		list[field] = func(raw jsontext.Value) error {
			_, err := s.label(raw)
			return err
		}
	}
	for _, field := range s.AttributeFields {
		list[field] = func(raw jsontext.Value) error {
			labels, err := accepted(raw)
			if err == nil {
				err = notBlank(labels...)
			}
			return cmp.Or(err, s.values(field, labels))
		}
	}
	for _, field := range []string{s.FactsField, s.MemoryField} {
		if field != "" {
			list[field] = facts
		}
	}
	for field, check := range s.SimulatedFields {
		list[field] = func(raw jsontext.Value) error { return runCheck(check, raw) }
	}
	return list
}

// runCheck runs the check that a system defines for a value. If check is nil, every value is valid.
func runCheck(check func(json.RawMessage) error, raw jsontext.Value) error {
	if check == nil {
		return nil
	}
	if err := check(json.RawMessage(raw)); err != nil {
		return wrong("", "%s", oneLine(err.Error()))
	}
	return nil
}

// path validates the expected sequence of labels, for a system that routes several times. Each
// element is a label or a list of accepted labels.
func (s Schema) path(raw jsontext.Value) error {
	if raw.Kind() != '[' {
		return wrong("", "must be a list of labels, got %s", jsonerror.KindName(raw.Kind()))
	}
	var steps []jsontext.Value
	if err := v2.Unmarshal(raw, &steps); err != nil {
		return explain(err)
	}
	switch {
	case len(steps) == 0:
		return wrong("", "is an empty list")
	case len(steps) > maxPath:
		return wrong("", "has more than %d steps", maxPath)
	}
	for i, step := range steps {
		if _, err := s.label(step); err != nil {
			return inField(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

// slots validates the expected slot values. Each value is a word or a list of accepted words; ""
// means that the slot must be empty.
func (s Schema) slots(raw jsontext.Value) error {
	fields, err := members(raw)
	if err != nil {
		return err
	}
	if len(fields) == 0 {
		return wrong("", "is empty")
	}
	for _, m := range fields {
		if !slices.Contains(s.Slots, m.name) {
			return wrong(quoted(m.name), "unknown slot (known: %s)", strings.Join(s.Slots, ", "))
		}
		words, err := accepted(m.value)
		if err == nil {
			err = s.values(m.name, words)
		}
		if err != nil {
			return inField(m.name, err)
		}
	}
	return nil
}

// values runs the system's own check, if it has one, on the accepted values of a field or slot.
func (s Schema) values(name string, list []string) error {
	check := s.ValueChecks[name]
	if check == nil {
		return nil
	}
	if err := check(list); err != nil {
		return wrong("", "%s", oneLine(err.Error()))
	}
	return nil
}

// searchResults validates the IDs of expected search results; an empty list expects none.
func (s Schema) searchResults(raw jsontext.Value) error {
	if raw.Kind() != '[' {
		return wrong("", "must be a list of ids, got %s", jsonerror.KindName(raw.Kind()))
	}
	ids, err := texts(raw)
	if err == nil {
		err = s.values(s.RetrievalField, ids)
	}
	if err != nil || s.KnownIDs == nil {
		return err
	}
	for i, id := range ids {
		if err := suggest.CheckKnown("id", id, s.KnownIDs); err != nil {
			return inField(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

// checkTurn checks that the input and the expect object of a turn are consistent, if the system
// defines such a check. Both must have been validated before.
func (s Schema) checkTurn(t agent.Turn, expect jsontext.Value) error {
	if s.check == nil {
		return nil
	}
	want := map[string][]string{}
	if isGiven(expect) {
		fields, err := members(expect)
		if err != nil {
			return err
		}
		for _, field := range slices.Concat(s.AttributeFields, []string{s.RetrievalField}) {
			// the field was validated before, so an error means that it is absent or empty
			if words, err := accepted(fields.value(field)); err == nil {
				want[field] = words
			}
		}
	}
	if err := s.check(t, want); err != nil {
		return wrong("", "%s", oneLine(err.Error()))
	}
	return nil
}

// imageLabels validates the description, quality and acceptability of generated images.
func imageLabels(raw jsontext.Value) error {
	if raw.Kind() != '[' {
		return wrong("", "must be a list of pictures, got %s", jsonerror.KindName(raw.Kind()))
	}
	var list []struct {
		Shows   string   `json:"description"`
		Quality *float64 `json:"quality"`
		Good    *bool    `json:"acceptable"`
	}
	if err := v2.Unmarshal(raw, &list, v2.RejectUnknownMembers(true)); err != nil {
		return explainField(err, []string{"description", "quality", "acceptable"})
	}
	if len(list) == 0 {
		return wrong("", "is an empty list")
	}
	for i, p := range list {
		switch at := fmt.Sprintf("[%d]", i); {
		case p.Shows == "":
			return wrong(at+".description", "is missing")
		case p.Quality == nil:
			return wrong(at+".quality", "is missing")
		case !(*p.Quality >= 0 && *p.Quality <= 1):
			return wrong(at+".quality", "%v is not in 0..1", *p.Quality)
		case p.Good == nil:
			return wrong(at+".acceptable", "is missing")
		}
	}
	return nil
}

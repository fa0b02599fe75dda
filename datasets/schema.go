package datasets

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/jsonerror"
	"evalctl/eval"
)

// Schema is what the cases for one agent system may say.
type Schema struct {
	Target  string
	Label   string             // the expectation's field that a short case's label fills
	Labels  []string           // allowed there, and in served and under
	Options []string           // switches of input.options, each true or false
	Fault   func(string) error // judges the fault specs of expect.under; nil: any will do

	Style    func(string) error // judges the ids of styles to be found; nil: any will do
	Outcomes []string           // allowed in served and under besides Labels
	Aspects  map[string]aspect  // further fields of the expectation
	Blank    bool               // a turn may be without a word
}

// aspect checks a further field of the expectation.
type aspect func(jsontext.Value) error

// For is the schema of an agent system's cases.
func For(target string, fault func(string) error) (Schema, bool) {
	for _, s := range []Schema{ToolRouter(fault), Studio(fault)} {
		if s.Target == target {
			return s, true
		}
	}
	return Schema{}, false
}

// expectation checks one turn's expect object and returns its primary label.
func (s Schema) expectation(raw jsontext.Value) (primary string, err error) {
	fields, err := members(raw)
	if err != nil {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch name {
		case s.Label:
			var label eval.OneOf
			label, err = s.label(fields[name])
			primary = label.Primary()
		case "served":
			_, err = s.outcomes().label(fields[name])
		case "under":
			err = s.under(fields[name])
		default:
			err = s.aspect(name, fields[name])
		}
		if err != nil {
			return "", within(plain(name), err)
		}
	}
	if primary == "" {
		return "", wrong(s.Label, "is missing")
	}
	return primary, nil
}

// outcomes is the schema whose labels are what may have been served.
func (s Schema) outcomes() Schema {
	s.Labels = slices.Concat(s.Labels, s.Outcomes)
	return s
}

func (s Schema) aspect(name string, raw jsontext.Value) error {
	check, ok := s.Aspects[name]
	if !ok {
		known := slices.Concat([]string{s.Label, "served", "under"}, slices.Sorted(maps.Keys(s.Aspects)))
		return wrong("", "unknown field (known: %s)", strings.Join(known, ", "))
	}
	if err := check(raw); err != nil || name != "styles" || s.Style == nil {
		return err
	}
	var ids []string
	if err := v2.Unmarshal(raw, &ids); err != nil {
		return explain(err)
	}
	for i, id := range ids {
		if err := s.Style(id); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	return nil
}

// under checks the answers expected while something is broken.
func (s Schema) under(raw jsontext.Value) error {
	answers, err := members(raw)
	if err == nil && len(answers) == 0 {
		err = wrong("", "is empty")
	}
	for _, fault := range slices.Sorted(maps.Keys(answers)) {
		if err == nil && s.Fault != nil {
			err = s.Fault(fault)
		}
		if err == nil {
			_, err = s.outcomes().label(answers[fault])
		}
		if err != nil {
			return within("["+plain(fault)+"]", err)
		}
	}
	return err
}

func members(raw jsontext.Value) (fields map[string]jsontext.Value, err error) {
	if raw.Kind() != '{' {
		return nil, wrong("", "wants an object, has %s", jsonerror.KindName(raw.Kind()))
	}
	if err := v2.Unmarshal(raw, &fields); err != nil {
		return nil, explain(err)
	}
	return fields, nil
}

// label reads a label or a list of them.
func (s Schema) label(raw jsontext.Value) (eval.OneOf, error) {
	switch raw.Kind() {
	case '"':
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return nil, explain(err)
		}
		return s.known(string(text))
	case '[':
		return s.labelList(raw)
	}
	return nil, wrong("", "wants a label or a list of labels, has %s", jsonerror.KindName(raw.Kind()))
}

func (s Schema) labelList(raw jsontext.Value) (eval.OneOf, error) {
	var l eval.OneOf
	if err := v2.Unmarshal(raw, (*[]string)(&l)); err != nil {
		return nil, explain(err)
	}
	if len(l) == 0 {
		return nil, wrong("", "is an empty list")
	}
	for i, one := range l {
		if _, err := s.known(one); err != nil {
			return nil, err
		}
		if slices.Contains(l[:i], one) {
			return nil, wrong("", "%s is given twice", one)
		}
	}
	return l, nil
}

// known gives the one of Labels that label is.
func (s Schema) known(label string) (eval.OneOf, error) {
	i := slices.Index(s.Labels, label)
	if i < 0 {
		return nil, wrong("", "unknown label %s (known: %s)", plain(label), strings.Join(s.Labels, ", "))
	}
	return s.Labels[i : i+1 : i+1], nil
}

// options checks a turn's switches.
func (s Schema) options(options map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		field := fmt.Sprintf("options.%s", plain(name))
		if !slices.Contains(s.Options, name) {
			return wrong(field, "unknown switch (known: %s)", cmp.Or(strings.Join(s.Options, ", "), "none"))
		}
		if on := string(options[name]); on != "true" && on != "false" {
			return wrong(field, "is neither true nor false")
		}
	}
	return nil
}

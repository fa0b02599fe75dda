package datasets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
)

// Schema is what the cases for one agent system may say.
type Schema struct {
	Target  string
	Label   string             // the expectation's field that a short case's label fills
	Labels  []string           // allowed there, and in served and under
	Options []string           // switches of input.options, each true or false
	Fault   func(string) error // judges the fault specs of expect.under; nil: any will do
}

// ToolRouter is the schema of the tool router's cases.
func ToolRouter(fault func(string) error) Schema {
	return Schema{
		Target:  "toolrouter",
		Label:   "route",
		Labels:  []string{"image_gen", "web_search", "time_query", "chat"},
		Options: []string{"agent", "image_gen", "web_search", "dashscope_key"},
		Fault:   fault,
	}
}

// expectation checks one turn's expect object.
func (s Schema) expectation(raw json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return fmt.Errorf("expect: is not an object")
	}
	for name, value := range fields {
		if err := s.expects(name, value); err != nil {
			return fmt.Errorf("expect.%s: %w", name, err)
		}
	}
	if _, ok := fields[s.Label]; !ok {
		return fmt.Errorf("expect.%s: is missing", s.Label)
	}
	return nil
}

func (s Schema) expects(field string, value json.RawMessage) error {
	switch field {
	case s.Label, "served":
		return s.label(value)
	case "under":
		var under map[string]json.RawMessage
		if err := json.Unmarshal(value, &under); err != nil {
			return fmt.Errorf("is not an object of faults")
		}
		for fault, label := range under {
			if s.Fault != nil {
				if err := s.Fault(fault); err != nil {
					return err
				}
			}
			if err := s.label(label); err != nil {
				return fmt.Errorf("%q: %w", fault, err)
			}
		}
		return nil
	default:
		return fmt.Errorf("unknown field (known: %s, served, under)", s.Label)
	}
}

// label checks a label or a list of them.
func (s Schema) label(value json.RawMessage) error {
	var l eval.OneOf
	if err := json.Unmarshal(value, &l); err != nil || len(l) == 0 {
		return fmt.Errorf("is neither a label nor a list of labels")
	}
	for _, one := range l {
		if !slices.Contains(s.Labels, one) {
			return fmt.Errorf("unknown label %q (known: %s)", one, strings.Join(s.Labels, ", "))
		}
	}
	return nil
}

// options checks a turn's switches.
func (s Schema) options(options map[string]json.RawMessage) error {
	for name, value := range options {
		if !slices.Contains(s.Options, name) {
			return fmt.Errorf("input.options.%s: unknown switch (known: %s)", name, strings.Join(s.Options, ", "))
		}
		var on bool
		if json.Unmarshal(value, &on) != nil {
			return fmt.Errorf("input.options.%s: is neither true nor false", name)
		}
	}
	return nil
}

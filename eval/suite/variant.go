package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/goccy/go-yaml"
)

// Variant is one configuration of the target. In a suite file, its settings are fields of the
// variant.
type Variant struct {
	Name     string            // name in reports
	Target   string            // name of the agent system; "": that of the suite
	Settings map[string]string // settings that the variant sets, by name
	Faults   []string          // faults of this variant; nil: the faults of the suite

	// real model of the components that use the variant's model, or baseline model of the deciding
	// component; "": the models of the suite
	Model   string
	BaseURL string // URL of the endpoint of Model
	KeyEnv  string // environment variable that contains the API key of Model

	ListValuedSettings []string // names of the settings that are a list in the file
}

// Variants contains the configurations that a suite compares.
type Variants []Variant

var _ yaml.InterfaceUnmarshaler = (*Variants)(nil)

// UnmarshalYAML reads a list of variants. Every field that it does not know is a setting; Check
// validates it.
func (list *Variants) UnmarshalYAML(decode func(any) error) error {
	var raw []map[string]any
	if err := decode(&raw); err != nil {
		return err
	}
	*list = Variants{}
	for i, fields := range raw {
		var v Variant
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if err := v.set(name, fields[name]); err != nil {
				return &fieldError{path: fmt.Sprintf("variants[%d].%s", i, name), err: err}
			}
		}
		*list = append(*list, v)
	}
	return nil
}

// set sets the field of a variant that has this name in the file.
func (v *Variant) set(name string, value any) error {
	if name == "faults" {
		list, ok := value.([]any)
		if !ok {
			return fmt.Errorf("must be a list")
		}
		v.Faults = []string{}
		for _, fault := range list {
			v.Faults = append(v.Faults, fmt.Sprint(fault))
		}
		return nil
	}
	text := fmt.Sprint(value)
	switch value := value.(type) {
	case map[string]any:
		return errNotScalar
	case []any:
		var err error
		if text, err = listText(value); err != nil {
			return err
		}
		v.ListValuedSettings = append(v.ListValuedSettings, name)
	case nil:
		return nil
	}
	switch name {
	case "name":
		v.Name = text
	case "target":
		v.Target = text
	case "model":
		v.Model = text
	case "base_url":
		v.BaseURL = text
	case "api_key_env":
		v.KeyEnv = text
	default:
		*v = v.with(name, text)
	}
	return nil
}

var errNotScalar = errors.New("must be a word or a number")

// listText encodes a list of words as the value of a setting, in the format that system.splitList
// decodes.
func listText(list []any) (string, error) {
	words := make([]string, len(list))
	for i, one := range list {
		switch one.(type) {
		case map[string]any, []any, nil:
			return "", errNotScalar
		}
		words[i] = fmt.Sprint(one)
	}
	b, err := json.Marshal(words)
	return string(b), err
}

var _ yaml.InterfaceMarshaler = Variant{}

// MarshalYAML writes the format that UnmarshalYAML reads.
func (v Variant) MarshalYAML() (any, error) {
	list := yaml.MapSlice{{Key: "name", Value: v.Name}}
	if v.Target != "" {
		list = append(list, yaml.MapItem{Key: "target", Value: v.Target})
	}
	for _, name := range slices.Sorted(maps.Keys(v.Settings)) {
		list = append(list, yaml.MapItem{Key: name, Value: v.Settings[name]})
	}
	for _, f := range []struct{ name, value string }{{"model", v.Model}, {"base_url", v.BaseURL},
		{"api_key_env", v.KeyEnv}} {
		if f.value != "" {
			list = append(list, yaml.MapItem{Key: f.name, Value: f.value})
		}
	}
	if v.Faults != nil {
		list = append(list, yaml.MapItem{Key: "faults", Value: v.Faults})
	}
	return list, nil
}

// VariantNames returns the names of the suite's variants, in order.
func (s Suite) VariantNames() []string {
	names := make([]string, len(s.Variants))
	for i, v := range s.Variants {
		names[i] = v.Name
	}
	return names
}

// with returns a copy of the variant in which the setting has this value.
func (v Variant) with(name, value string) Variant {
	v.Settings = maps.Clone(v.Settings)
	if v.Settings == nil {
		v.Settings = map[string]string{}
	}
	v.Settings[name] = value
	return v
}

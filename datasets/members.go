package datasets

import (
	"cmp"
	"slices"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent/jsonerror"
)

// member is a field of a JSON object, with its value not yet decoded.
type member struct {
	name  string
	value jsontext.Value
}

// object is a JSON object as a list of its fields. Unlike a map, it is cheap to decode.
type object []member

// value returns the value of the field with this name, or nil if there is none.
func (o object) value(name string) jsontext.Value {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

var _ v2.UnmarshalerFrom = (*object)(nil)

// UnmarshalJSONFrom decodes a JSON object into its fields.
func (o *object) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		m.value = value.Clone()
		*o = append(*o, m)
	}
	_, err := d.ReadToken()
	return err
}

func members(raw jsontext.Value) (object, error) {
	if raw.Kind() != '{' {
		return nil, wrong("", "must be an object, got %s", jsonerror.KindName(raw.Kind()))
	}
	fields := make(object, 0, 4)
	if err := v2.Unmarshal(raw, &fields); err != nil {
		return nil, explain(err)
	}
	slices.SortFunc(fields, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	return fields, nil
}

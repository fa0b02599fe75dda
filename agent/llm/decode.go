package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Decode reads a model's JSON answer into a T: it finds the object with key
// as Extract does, then takes it strictly. Every field of T must be there,
// under its exact name, of its type and not null, unless its tag says
// omitempty or omitzero, or it is a pointer. Further fields of the answer do
// not matter. Then each check is asked. Errors are *FieldError, or a check's own.
func Decode[T any](text, key string, checks ...func(*T) error) (T, error) {
	var v, zero T
	raw, err := Extract(text, key)
	if err != nil {
		return zero, err
	}
	if err := fill(raw, reflect.ValueOf(&v).Elem(), ""); err != nil {
		return zero, err
	}
	for _, check := range checks {
		if err := check(&v); err != nil {
			return zero, err
		}
	}
	return v, nil
}

// OneOf is for checks: got must be one of want.
func OneOf[S ~string](field string, got S, want ...S) error {
	if slices.Contains(want, got) {
		return nil
	}
	return &FieldError{Kind: KindLabel, Field: field, Problem: fmt.Sprintf("unknown %q", got)}
}

// Unit is for checks: got must be in 0..1 and a number.
func Unit(field string, got float64) error {
	if got >= 0 && got <= 1 {
		return nil
	}
	return &FieldError{Field: field, Problem: fmt.Sprintf("%v is not in 0..1", got)}
}

// fill is json.Unmarshal but for what is missing, null or differs in case,
// which encoding/json passes over.
func fill(raw json.RawMessage, v reflect.Value, path string) error {
	t := v.Type()
	_, own := v.Addr().Interface().(json.Unmarshaler)
	switch {
	case own:
		return unmarshal(raw, v, path)
	case t.Kind() == reflect.Pointer:
		if string(raw) == "null" {
			return nil
		}
		v.Set(reflect.New(t.Elem()))
		return fill(raw, v.Elem(), path)
	case string(raw) == "null" && t.Kind() != reflect.Interface:
		return &FieldError{Field: path, Problem: "null"}
	case t.Kind() == reflect.Struct:
		return fillStruct(raw, v, path)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return fillSlice(raw, v, path)
	default:
		return unmarshal(raw, v, path)
	}
}

func fillStruct(raw json.RawMessage, v reflect.Value, path string) error {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return &FieldError{Field: path, Problem: "not an object"}
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		optional := strings.Contains(options, "omit") || f.Type.Kind() == reflect.Pointer
		member, ok := members[name]
		if optional && (!ok || string(member) == "null") {
			continue
		}
		at := join(path, name)
		if !ok {
			return Missing(at)
		}
		if err := fill(member, v.Field(i), at); err != nil {
			return err
		}
	}
	return nil
}

func fillSlice(raw json.RawMessage, v reflect.Value, path string) error {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return &FieldError{Field: path, Problem: "not a list"}
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	for i, raw := range list {
		if err := fill(raw, v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func unmarshal(raw json.RawMessage, v reflect.Value, path string) error {
	err := json.Unmarshal(raw, v.Addr().Interface())
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return &FieldError{Field: path, Problem: fmt.Sprintf("%s in place of %s", wrong.Value, v.Type())}
	default:
		return &FieldError{Field: path, Problem: err.Error()}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

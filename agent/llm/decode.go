package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// DecodeAnswer decodes a model's JSON answer into a T. It finds the object as ExtractJSON does and
// corrects the deviations that acceptances lists. Otherwise it is strict: every field of T must be
// present, not null and of its type. Pointers and fields with omitempty or omitzero are optional;
// unknown fields are ignored. Finally it calls the checks, which return an error for invalid
// values. Errors are *FieldError, or the error of a check.
func DecodeAnswer[T any](text string, f AnswerSpec, checks ...func(*T) error) (T, error) {
	v, _, err := decode(text, f, checks...)
	return v, err
}

func decode[T any](text string, f AnswerSpec, checks ...func(*T) error) (v T, r reading, err error) {
	var zero T
	if r.extracted, err = extract(text, f.Key); err != nil {
		return zero, r, err
	}
	if err := r.conform(f); err != nil {
		return zero, r, err
	}
	if err := r.fill(r.raw, reflect.ValueOf(&v).Elem(), ""); err != nil {
		return zero, r, err
	}
	for _, check := range checks {
		if err := check(&v); err != nil {
			return zero, r, err
		}
	}
	return v, r, nil
}

// CheckUnitInterval returns an error unless got, the value of a field, is in 0..1. See Decode.
func CheckUnitInterval(field string, got float64) error {
	if got >= 0 && got <= 1 {
		return nil
	}
	return &FieldError{Field: field, Problem: fmt.Sprintf("%v is not in 0..1", got)}
}

// fill decodes raw into v like json.Unmarshal. It also rejects missing and null values and accepts
// other spellings of names and numbers. path is the path of the value, for errors.
func (r *reading) fill(raw json.RawMessage, v reflect.Value, path string) error {
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
		return r.fill(raw, v.Elem(), path)
	case string(raw) == "null" && t.Kind() != reflect.Interface:
		return &FieldError{Field: path, Problem: "null"}
	case t.Kind() == reflect.Struct:
		return r.fillStruct(raw, v, path)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return r.fillSlice(raw, v, path)
	case t.Kind() == reflect.Float64:
		n, err := r.number(raw, path)
		v.SetFloat(n)
		return err
	default:
		return unmarshal(raw, v, path)
	}
}

func (r *reading) fillStruct(raw json.RawMessage, v reflect.Value, path string) error {
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
		member, ok := r.rename(members, name)
		if optional && (!ok || string(member) == "null") {
			continue
		}
		at := join(path, name)
		if !ok {
			return MissingFieldError(at)
		}
		if err := r.fill(member, v.Field(i), at); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) fillSlice(raw json.RawMessage, v reflect.Value, path string) error {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return &FieldError{Field: path, Problem: "not a list"}
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	for i, raw := range list {
		if err := r.fill(raw, v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
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

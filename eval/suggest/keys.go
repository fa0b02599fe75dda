package suggest

import (
	"reflect"
	"strings"
)

// AddKeyHint adds a hint to the message `unknown field "x"` of a YAML decoder: the new name of a
// renamed key, or the most similar key. in is a value of the type that was decoded. Other messages
// are returned unchanged.
func AddKeyHint(message string, in any) string {
	quoted, ok := strings.CutPrefix(message, "unknown field ")
	if !ok {
		return message
	}
	key, known := strings.Trim(quoted, `"`), yamlKeys(reflect.TypeOf(in), map[reflect.Type]bool{})
	if now, ok := renamedKeys[key]; ok {
		first, _, _ := strings.Cut(strings.ReplaceAll(now, ":", " "), " ")
		for _, k := range known {
			if k == first {
				return message + ": it is now " + now
			}
		}
	}
	if near, ok := Closest(key, known); ok {
		return message + ", did you mean " + near + "?"
	}
	return message
}

// yamlKeys returns the YAML keys of a type and of the types of its fields, at any depth.
func yamlKeys(t reflect.Type, seen map[reflect.Type]bool) (keys []string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return yamlKeys(t.Elem(), seen)
	case reflect.Struct:
	default:
		return nil
	}
	if seen[t] {
		return nil
	}
	seen[t] = true
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "-" {
			continue
		}
		if name != "" {
			keys = append(keys, name)
		}
		keys = append(keys, yamlKeys(f.Type, seen)...)
	}
	return keys
}

package schema

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/mocks/jsontext"
)

// OpenAI's limits for a schema in strict mode.
const (
	maxNesting    = 10
	maxProperties = 5000
)

// StrictViolation returns the first violation of OpenAI's strict mode, in OpenAI's words; empty:
// none. In strict mode, every schema must have a type. Objects must require all their properties
// and allow no others.
func (s *Schema) StrictViolation() (wrong string) {
	if wrong := s.ObjectError(); wrong != "" {
		return wrong
	}
	c := &checker{schema: s}
	return c.check(s.root, nil, 0)
}

// ObjectError returns OpenAI's error message if the schema does not describe an object; empty: it
// does.
func (s *Schema) ObjectError() (wrong string) {
	name := "None"
	switch t := s.root.Find("type").(type) {
	case string:
		name = t
	case []any:
		name = string(jsontext.AppendValue(nil, t))
	}
	if name == "object" {
		return ""
	}
	return fmt.Sprintf(`schema must be a JSON Schema of 'type: "object"', got 'type: "%s"'.`, name)
}

// checker finds violations of OpenAI's strict mode in a schema.
type checker struct {
	schema     *Schema
	properties int
}

func (c *checker) check(v any, path []string, nesting int) (wrong string) {
	node, ok := v.(jsontext.Object)
	if !ok {
		return violation(path, "schema must be an object.")
	}
	if nesting > maxNesting {
		return violation(path, fmt.Sprintf("%d levels of nesting exceeds limit of %d.", nesting, maxNesting))
	}
	if ref, ok := node.Find("$ref").(string); ok && c.schema.resolve(ref) == nil {
		return violation(path, fmt.Sprintf("reference to component '%s' which was not found in the schema.", ref))
	}
	for _, key := range []string{"$defs", "definitions"} {
		if wrong := c.each(node, key, path, nesting); wrong != "" {
			return wrong
		}
	}
	switch types := typesOf(node); {
	case types == nil:
		return c.untyped(node, path, nesting)
	case slices.Contains(types, "object"):
		return c.object(node, path, nesting)
	case slices.Contains(types, "array"):
		items := node.Find("items")
		if items == nil {
			return violation(path, "array schema missing items.")
		}
		return c.check(items, extend(path, "items"), nesting+1)
	}
	return ""
}

// untyped checks a schema without a type, which is valid only with alternatives, a reference, an
// enum or a constant.
func (c *checker) untyped(node jsontext.Object, path []string, nesting int) (wrong string) {
	for i, branch := range alternatives(node) {
		if wrong := c.check(branch, extend(path, "anyOf", fmt.Sprint(i)), nesting); wrong != "" {
			return wrong
		}
	}
	for _, key := range []string{"anyOf", "$ref", "enum", "const"} {
		if node.Index(key) >= 0 {
			return ""
		}
	}
	return violation(path, "schema must have a 'type' key.")
}

func (c *checker) object(node jsontext.Object, path []string, nesting int) (wrong string) {
	if node.Find("additionalProperties") != false {
		return violation(path, "'additionalProperties' is required to be supplied and to be false.")
	}
	properties, _ := node.Find("properties").(jsontext.Object)
	if c.properties += len(properties); c.properties > maxProperties {
		return violation(path, fmt.Sprintf("schema exceeds limit of %d properties.", maxProperties))
	}
	required := requiredNames(node)
	for _, p := range properties {
		if !required[p.Key] {
			return violation(path, fmt.Sprintf(
				"'required' is required to be supplied and to be an array including every key in properties. Missing '%s'.", p.Key))
		}
	}
	return c.each(node, "properties", path, nesting+1)
}

// each checks all schemas in the object under a key, such as "properties".
func (c *checker) each(node jsontext.Object, key string, path []string, nesting int) (wrong string) {
	list, _ := node.Find(key).(jsontext.Object)
	for _, p := range list {
		if wrong := c.check(p.Value, extend(path, key, p.Key), nesting); wrong != "" {
			return wrong
		}
	}
	return ""
}

func violation(path []string, what string) (wrong string) {
	quoted := make([]string, len(path))
	for i, p := range path {
		quoted[i] = "'" + p + "'"
	}
	place := strings.Join(quoted, ", ")
	if len(path) == 1 {
		place += "," // Python's notation of a tuple with one element
	}
	return fmt.Sprintf("In context=(%s), %s", place, what)
}

func extend(path []string, keys ...string) []string {
	return append(path[:len(path):len(path)], keys...)
}

package schema

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/mocks/jsontext"
)

// What the strict mode takes.
const (
	maxNesting    = 10
	maxProperties = 5000
)

// StrictViolation says where the strict mode refuses the schema, in OpenAI's words: it
// wants every object closed, every property required, every schema typed.
// Empty: it does not.
func (s *Schema) StrictViolation() (wrong string) {
	if wrong := s.Object(); wrong != "" {
		return wrong
	}
	c := &checker{schema: s}
	return c.check(s.root, nil, 0)
}

// Object says that the schema is not one of an object, in OpenAI's words; empty:
// it is.
func (s *Schema) Object() (wrong string) {
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

// checker walks through a schema.
type checker struct {
	schema     *Schema
	properties int
}

func (c *checker) check(v any, path []string, nesting int) (wrong string) {
	node, ok := v.(jsontext.Object)
	if !ok {
		return fail(path, "schema must be an object.")
	}
	if nesting > maxNesting {
		return fail(path, fmt.Sprintf("%d levels of nesting exceeds limit of %d.", nesting, maxNesting))
	}
	if ref, ok := node.Find("$ref").(string); ok && c.schema.resolve(ref) == nil {
		return fail(path, fmt.Sprintf("reference to component '%s' which was not found in the schema.", ref))
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
			return fail(path, "array schema missing items.")
		}
		return c.check(items, extend(path, "items"), nesting+1)
	}
	return ""
}

// untyped is a schema that says otherwise what fits.
func (c *checker) untyped(node jsontext.Object, path []string, nesting int) (wrong string) {
	for i, branch := range branches(node) {
		if wrong := c.check(branch, extend(path, "anyOf", fmt.Sprint(i)), nesting); wrong != "" {
			return wrong
		}
	}
	for _, key := range []string{"anyOf", "$ref", "enum", "const"} {
		if node.Index(key) >= 0 {
			return ""
		}
	}
	return fail(path, "schema must have a 'type' key.")
}

func (c *checker) object(node jsontext.Object, path []string, nesting int) (wrong string) {
	if node.Find("additionalProperties") != false {
		return fail(path, "'additionalProperties' is required to be supplied and to be false.")
	}
	properties, _ := node.Find("properties").(jsontext.Object)
	if c.properties += len(properties); c.properties > maxProperties {
		return fail(path, fmt.Sprintf("schema exceeds limit of %d properties.", maxProperties))
	}
	required := requiredBy(node)
	for _, p := range properties {
		if !required[p.Key] {
			return fail(path, fmt.Sprintf("'required' is required to be supplied and to be an array including every key in properties. Missing '%s'.", p.Key))
		}
	}
	return c.each(node, "properties", path, nesting+1)
}

// each checks the schemas that a key of the node names.
func (c *checker) each(node jsontext.Object, key string, path []string, nesting int) (wrong string) {
	list, _ := node.Find(key).(jsontext.Object)
	for _, p := range list {
		if wrong := c.check(p.Value, extend(path, key, p.Key), nesting); wrong != "" {
			return wrong
		}
	}
	return ""
}

func fail(path []string, what string) (wrong string) {
	quoted := make([]string, len(path))
	for i, p := range path {
		quoted[i] = "'" + p + "'"
	}
	place := strings.Join(quoted, ", ")
	if len(path) == 1 {
		place += "," // as Python writes a list of one
	}
	return fmt.Sprintf("In context=(%s), %s", place, what)
}

func extend(path []string, keys ...string) []string {
	return append(path[:len(path):len(path)], keys...)
}

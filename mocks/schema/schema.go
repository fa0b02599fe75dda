// Package schema parses the JSON schemas in chat requests, finds violations of OpenAI's strict
// mode, and generates values that match a schema.
//
// It supports type, enum, const, properties, required, additionalProperties, items, anyOf, oneOf,
// $ref within the schema and the limits of numbers, texts and lists. Other keywords, such as
// pattern, are ignored.
package schema

import (
	"errors"
	"fmt"
	"strings"

	"evalctl/mocks/jsontext"
)

// maxBytes is the maximum size of a schema in bytes.
const maxBytes = 256 << 10

// Schema is a parsed JSON schema whose root is a JSON object.
type Schema struct {
	root jsontext.Object
}

// Parse parses a JSON schema. It returns an error for invalid JSON, for a root that is not an
// object, and for a schema that is too large.
func Parse(raw []byte) (*Schema, error) {
	if len(raw) > maxBytes {
		return nil, fmt.Errorf("the schema is longer than %d bytes", maxBytes)
	}
	v, err := jsontext.Parse(raw)
	if err != nil {
		return nil, err
	}
	root, ok := v.(jsontext.Object)
	if !ok {
		return nil, errors.New("the schema is not an object")
	}
	return &Schema{root: root}, nil
}

// resolve returns the schema that a reference such as #/$defs/item refers to; nil: not found.
func (s *Schema) resolve(ref string) any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	var at any = s.root
	for _, key := range strings.Split(strings.Trim(path, "/"), "/") {
		o, ok := at.(jsontext.Object)
		switch {
		case path == "":
			return at
		case !ok:
			return nil
		}
		at = o.Find(key)
	}
	return at
}

// requiredNames returns the names of the required properties of an object schema.
func requiredNames(node jsontext.Object) map[string]bool {
	list, _ := node.Find("required").([]any)
	names := make(map[string]bool, len(list))
	for _, name := range list {
		if s, ok := name.(string); ok {
			names[s] = true
		}
	}
	return names
}

// alternatives returns the schemas under anyOf, oneOf or allOf; nil: none.
func alternatives(node jsontext.Object) []any {
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := node.Find(key).([]any); ok && len(list) > 0 {
			return list
		}
	}
	return nil
}

// typesOf returns the JSON types that a schema allows; nil: the schema does not say.
func typesOf(node jsontext.Object) (names []string) {
	switch t := node.Find("type").(type) {
	case string:
		return []string{t}
	case []any:
		for _, name := range t {
			if s, ok := name.(string); ok {
				names = append(names, s)
			}
		}
		return names
	}
	switch {
	case node.Find("properties") != nil:
		return []string{"object"}
	case node.Find("items") != nil:
		return []string{"array"}
	}
	return nil
}

package schema

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"evalctl/mocks/jsontext"
)

// Limits of a generated value. They are necessary because a schema can require values of any size.
const (
	maxWork      = 4096 // visited schemas; large ones count more than once
	maxLevel     = 32
	maxItems     = 64
	maxText      = 1024     // maximum length, in characters, of a text padded to minLength
	maxGenerated = 64 << 10 // maximum size of all generated values together, in bytes
)

// Coerce returns JSON that matches the schema. It takes the parts of text that match and generates
// the rest. If text is not JSON, it becomes the content of generated strings. A text that already
// matches is returned unchanged.
func (s *Schema) Coerce(text string) string {
	v, err := jsontext.Parse([]byte(text))
	f := &fitter{schema: s, placeholder: "text"}
	if err != nil {
		v, f.placeholder = absent{}, oneLine(text)
	}
	fitting := f.coerce(s.root, v, 0)
	if err == nil && reflect.DeepEqual(fitting, v) {
		return text
	}
	return string(jsontext.AppendValue(nil, fitting))
}

// oneLine joins the lines of a text and shortens it to 200 characters.
func oneLine(text string) string {
	line := strings.Join(strings.Fields(text), " ")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:200])
	}
	if line == "" {
		return "text"
	}
	return line
}

// absent is the type of a value that the text does not contain, so it must be generated.
type absent struct{}

// fitter converts a value to one that matches a schema, within the limits.
type fitter struct {
	schema         *Schema
	placeholder    string
	work           int
	generatedBytes int // size of the values generated so far
}

// spend counts a visited schema with n members. It returns false if the limit is exceeded.
func (f *fitter) spend(n int) bool {
	f.work += 1 + n/64
	return !f.isSpent()
}

func (f *fitter) isSpent() bool { return f.work > maxWork || f.generatedBytes > maxGenerated }

// generate counts the size of a generated value. It returns the value, or nil if the limit is
// exceeded.
func (f *fitter) generate(v any) any {
	if s, ok := v.(string); ok {
		f.generatedBytes += len(s)
	} else {
		f.generatedBytes += len(jsontext.AppendValue(nil, v))
	}
	if f.generatedBytes > maxGenerated {
		return nil
	}
	return v
}

// coerce returns v if it matches the schema, else the most similar value that does.
func (f *fitter) coerce(schema, v any, level int) any {
	node, ok := schema.(jsontext.Object)
	list, isEnum := node.Find("enum").([]any)
	if !f.spend(len(node)+len(list)) || level > maxLevel {
		return nil
	}
	if ref, isRef := node.Find("$ref").(string); isRef {
		if !f.spend(len(ref)) {
			return nil
		}
		return f.coerce(f.schema.resolve(ref), v, level+1)
	}
	if i := node.Index("const"); i >= 0 {
		return f.generate(node[i].Value)
	}
	if isEnum && len(list) > 0 {
		if slices.ContainsFunc(list, func(x any) bool { return reflect.DeepEqual(x, v) }) {
			return v
		}
		return f.generate(list[0])
	}
	if schemas := alternatives(node); schemas != nil {
		return f.branch(schemas, v, level)
	}
	types := typesOf(node)
	switch {
	case ok && types != nil:
		return f.typed(node, matchingType(types, v), v, level)
	case v == absent{}:
		return f.generate(f.placeholder)
	}
	return v
}

// branch returns v converted to the first alternative that it matches, or else to the first one. At
// a deep level, an absent value gets the last alternative, which usually ends a recursion.
func (f *fitter) branch(list []any, v any, level int) any {
	if (v == absent{}) {
		if level > maxLevel/4 {
			return f.coerce(list[len(list)-1], v, level+1)
		}
		return f.coerce(list[0], v, level+1)
	}
	for _, schema := range list {
		if got := f.coerce(schema, v, level+1); reflect.DeepEqual(got, v) {
			return got
		}
	}
	return f.coerce(list[0], v, level+1)
}

// matchingType returns the first of the types that v has, else the first type.
func matchingType(types []string, v any) string {
	for _, t := range types {
		if hasType(v, t) {
			return t
		}
	}
	return types[0]
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case jsontext.Object:
		return name == "object"
	case json.Number:
		_, err := strconv.ParseInt(string(v), 10, 64)
		return name == "number" || name == "integer" && err == nil
	}
	return false
}

func (f *fitter) typed(node jsontext.Object, name string, v any, level int) any {
	switch name {
	case "object":
		return f.object(node, v, level)
	case "array":
		return f.list(node, v, level)
	case "string":
		return f.text(node, v)
	case "integer", "number":
		return number(node, name, v)
	case "boolean":
		return v == true || v == absent{}
	}
	return nil
}

// object returns v as an object that matches the schema. Existing members stay in order; missing
// required ones are appended.
func (f *fitter) object(node jsontext.Object, v any, level int) any {
	given, _ := v.(jsontext.Object)
	properties, _ := node.Find("properties").(jsontext.Object)
	out := jsontext.Object{}
	required := requiredNames(node)
	if !f.spend(len(properties) + len(required)) {
		return out
	}
	for _, m := range given {
		switch i := properties.Index(m.Key); {
		case i >= 0:
			out = append(out, jsontext.Member{Key: m.Key, Value: f.coerce(properties[i].Value, m.Value, level+1)})
		case node.Find("additionalProperties") != false:
			out = append(out, m)
		}
	}
	for _, p := range properties {
		if required[p.Key] && given.Index(p.Key) < 0 && !f.isSpent() {
			f.generatedBytes += len(p.Key)
			out = append(out, jsontext.Member{Key: p.Key, Value: f.coerce(p.Value, absent{}, level+1)})
		}
	}
	return out
}

func (f *fitter) list(node jsontext.Object, v any, level int) any {
	given, _ := v.([]any)
	minItems, maxLength := 0, maxItems
	if n, ok := limit(node, "minItems"); ok {
		minItems = int(n)
	} else if given == nil && level <= 2 {
		minItems = 1
	}
	if n, ok := limit(node, "maxItems"); ok {
		maxLength = min(maxLength, int(n))
	}
	out := []any{}
	for i := 0; i < max(len(given), minItems) && i < max(maxLength, 0); i++ {
		var item any = absent{}
		if i < len(given) {
			item = given[i]
		}
		if !f.isSpent() {
			out = append(out, f.coerce(node.Find("items"), item, level+1))
		}
	}
	return out
}

// formats are example values for the string formats of JSON Schema.
var formats = map[string]string{
	"date": "2026-01-01", "time": "00:00:00Z", "date-time": "2026-01-01T00:00:00Z", "duration": "P1D",
	"email":    "user@example.com",
	"hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"uuid": "00000000-0000-4000-8000-000000000000", "uri": "https://example.com/",
}

func (f *fitter) text(node jsontext.Object, v any) any {
	s, given := v.(string)
	if format, ok := node.Find("format").(string); ok && !given {
		s = formats[format]
	}
	if s == "" && !given {
		s = f.placeholder
	}
	runes := []rune(s)
	if n, ok := limit(node, "maxLength"); ok && n >= 0 && len(runes) > int(n) {
		s = string(runes[:int(n)])
	} else if n, ok := limit(node, "minLength"); ok && len(runes) < int(n) {
		s += strings.Repeat(".", min(int(n), maxText)-min(len(runes), maxText))
	}
	if given && len(s) <= len(v.(string)) {
		return s
	}
	return f.generate(s)
}

func number(node jsontext.Object, name string, v any) any {
	low, hasLow := limit(node, "minimum")
	if n, ok := limit(node, "exclusiveMinimum"); ok {
		low, hasLow = n+1, true
	}
	high, hasHigh := limit(node, "maximum")
	if n, ok := limit(node, "exclusiveMaximum"); ok {
		high, hasHigh = n-1, true
	}
	given, isNumber := v.(json.Number)
	x, err := given.Float64()
	fits := isNumber && err == nil && (!hasLow || x >= low) && (!hasHigh || x <= high)
	if fits && hasType(v, name) {
		return v
	}
	switch {
	case hasLow && (low > 0 || hasHigh && high < 0):
		x = low
	case hasHigh && high < 0:
		x = high
	default:
		x = 0
	}
	if name == "integer" {
		x = math.Ceil(x)
	}
	return json.Number(strconv.FormatFloat(x, 'f', -1, 64))
}

// limit returns a number in the schema, such as minItems, limited to ±1e9. ok is false if it is
// missing.
func limit(node jsontext.Object, key string) (float64, bool) {
	n, ok := node.Find(key).(json.Number)
	if !ok {
		return 0, false
	}
	x, err := n.Float64()
	return min(max(x, -1e9), 1e9), err == nil
}

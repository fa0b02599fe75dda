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

// What a value that is made may be: a schema can ask for more than there is.
const (
	maxWork  = 4096 // schemas looked at; long ones count for more
	maxLevel = 32
	maxItems = 64
	maxText  = 1024     // characters of a text that is made longer
	maxMade  = 64 << 10 // bytes that are made up, of the whole value
)

// Coerce keeps of a text in JSON what fits the schema and makes up the rest; what
// is no JSON becomes the texts of what is made up. A text that fits is returned
// as it is.
func (s *Schema) Coerce(text string) string {
	v, err := jsontext.Parse([]byte(text))
	f := &fitter{schema: s, words: "text"}
	if err != nil {
		v, f.words = missing{}, words(text)
	}
	fitting := f.fit(s.root, v, 0)
	if err == nil && reflect.DeepEqual(fitting, v) {
		return text
	}
	return string(jsontext.AppendValue(nil, fitting))
}

// words makes a text of many lines one short line.
func words(text string) string {
	line := strings.Join(strings.Fields(text), " ")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:200])
	}
	if line == "" {
		return "text"
	}
	return line
}

// missing stands for a value that is not given.
type missing struct{}

// fitter makes values that fit.
type fitter struct {
	schema *Schema
	words  string
	work   int
	made   int // bytes
}

// spend counts work with n members; it says false when there has been enough.
func (f *fitter) spend(n int) bool {
	f.work += 1 + n/64
	return !f.isSpent()
}

func (f *fitter) isSpent() bool { return f.work > maxWork || f.made > maxMade }

// make counts the bytes of what is made up; what there is no room for is null.
func (f *fitter) make(v any) any {
	if s, ok := v.(string); ok {
		f.made += len(s)
	} else {
		f.made += len(jsontext.AppendValue(nil, v))
	}
	if f.made > maxMade {
		return nil
	}
	return v
}

// fit is v as far as it fits the schema.
func (f *fitter) fit(schema, v any, level int) any {
	node, ok := schema.(jsontext.Object)
	list, isEnum := node.Find("enum").([]any)
	if !f.spend(len(node)+len(list)) || level > maxLevel {
		return nil
	}
	if ref, isRef := node.Find("$ref").(string); isRef {
		if !f.spend(len(ref)) {
			return nil
		}
		return f.fit(f.schema.resolve(ref), v, level+1)
	}
	if i := node.Index("const"); i >= 0 {
		return f.make(node[i].Value)
	}
	if isEnum && len(list) > 0 {
		if slices.ContainsFunc(list, func(x any) bool { return reflect.DeepEqual(x, v) }) {
			return v
		}
		return f.make(list[0])
	}
	if schemas := branches(node); schemas != nil {
		return f.branch(schemas, v, level)
	}
	types := typesOf(node)
	switch {
	case ok && types != nil:
		return f.typed(node, fitting(types, v), v, level)
	case v == missing{}:
		return f.make(f.words)
	}
	return v
}

// branch takes the first schema that v fits, else the first; where nothing is
// given, deep down, the last, which mostly ends it.
func (f *fitter) branch(list []any, v any, level int) any {
	if (v == missing{}) {
		if level > maxLevel/4 {
			return f.fit(list[len(list)-1], v, level+1)
		}
		return f.fit(list[0], v, level+1)
	}
	for _, schema := range list {
		if got := f.fit(schema, v, level+1); reflect.DeepEqual(got, v) {
			return got
		}
	}
	return f.fit(list[0], v, level+1)
}

// fitting is the first of the types that v has, else the first.
func fitting(types []string, v any) string {
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
		return v == true || v == missing{}
	}
	return nil
}

// object keeps the order of what is given; what is required follows.
func (f *fitter) object(node jsontext.Object, v any, level int) any {
	given, _ := v.(jsontext.Object)
	properties, _ := node.Find("properties").(jsontext.Object)
	out := jsontext.Object{}
	required := requiredBy(node)
	if !f.spend(len(properties) + len(required)) {
		return out
	}
	for _, m := range given {
		switch i := properties.Index(m.Key); {
		case i >= 0:
			out = append(out, jsontext.Member{Key: m.Key, Value: f.fit(properties[i].Value, m.Value, level+1)})
		case node.Find("additionalProperties") != false:
			out = append(out, m)
		}
	}
	for _, p := range properties {
		if required[p.Key] && given.Index(p.Key) < 0 && !f.isSpent() {
			f.made += len(p.Key)
			out = append(out, jsontext.Member{Key: p.Key, Value: f.fit(p.Value, missing{}, level+1)})
		}
	}
	return out
}

func (f *fitter) list(node jsontext.Object, v any, level int) any {
	given, _ := v.([]any)
	least, most := 0, maxItems
	if n, ok := limit(node, "minItems"); ok {
		least = int(n)
	} else if given == nil && level <= 2 {
		least = 1
	}
	if n, ok := limit(node, "maxItems"); ok {
		most = min(most, int(n))
	}
	out := []any{}
	for i := 0; i < max(len(given), least) && i < max(most, 0); i++ {
		var item any = missing{}
		if i < len(given) {
			item = given[i]
		}
		if !f.isSpent() {
			out = append(out, f.fit(node.Find("items"), item, level+1))
		}
	}
	return out
}

// formats are texts of the forms that a schema may name.
var formats = map[string]string{
	"date": "2026-01-01", "time": "00:00:00Z", "date-time": "2026-01-01T00:00:00Z", "duration": "P1D", "email": "user@example.com",
	"hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uuid": "00000000-0000-4000-8000-000000000000", "uri": "https://example.com/",
}

func (f *fitter) text(node jsontext.Object, v any) any {
	s, given := v.(string)
	if format, ok := node.Find("format").(string); ok && !given {
		s = formats[format]
	}
	if s == "" && !given {
		s = f.words
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
	return f.make(s)
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

// limit reads a number of the schema, within what a program can count.
func limit(node jsontext.Object, key string) (float64, bool) {
	n, ok := node.Find(key).(json.Number)
	if !ok {
		return 0, false
	}
	x, err := n.Float64()
	return min(max(x, -1e9), 1e9), err == nil
}

package schema_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/schema"
)

func TestSchema(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "schema")
}

func parse(text string) *schema.Schema {
	GinkgoHelper()
	s, err := schema.Parse([]byte(text))
	Expect(err).NotTo(HaveOccurred())
	return s
}

// numbered returns form formatted with each of 0, 1 … n-1, separated by commas.
func numbered(n int, form string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(form, i)
	}
	return strings.Join(list, ",")
}

// strictSchema is a schema that OpenAI's strict mode accepts.
const strictSchema = `{"type":"object","properties":{"route":{"type":"string","enum":["draw","chat"]},"confidence":{"type":"number","minimum":0,"maximum":1},
	"tags":{"type":"array","items":{"type":"string"}},"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},
	"required":["route","confidence","tags","next"],"additionalProperties":false}`

var _ = Describe("a JSON schema", func() {
	DescribeTable("is matched by Coerce with the matching parts of a text and generated values",
		func(text, given, want string) {
			Expect(parse(text).Coerce(given)).To(Equal(want))
		},
		Entry("a matching text stays unchanged", strictSchema,
			`{"tags": [],"next":null, "confidence":0.5,"route":"chat"}`,
			`{"tags": [],"next":null, "confidence":0.5,"route":"chat"}`),
		Entry("an invalid enum value, a number out of range and an additional key", strictSchema,
			`{"route":"sing","confidence":7,"tags":["a"],"next":null,"reason":"x"}`,
			`{"route":"draw","confidence":0,"tags":["a"],"next":null}`),
		Entry("a text that is not JSON",
			`{"type":"object","properties":{"answer":{"type":"string"},"n":{"type":"integer","minimum":3}},"required":["answer","n"]}`, "Two\nlines", `{"answer":"Two lines","n":3}`),
		Entry("a missing optional property",
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"boolean"}},"required":["b"]}`,
			`{}`, `{"b":true}`),
		Entry("additional keys that are permitted", `{"type":"object","properties":{}}`, `{"x":1}`, `{"x":1}`),
		Entry("a list of two types", `{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"]}`,
			`{"a":null}`, `{"a":null}`),
		Entry("anyOf with two types",
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"string"}]}},"required":["a"]}`,
			`{"a":"x"}`, `{"a":"x"}`),
		Entry("a reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/day"}},"required":["a"],"$defs":{"day":{"type":"string","format":"date"}}}`, `{}`, `{"a":"2026-01-01"}`),
		Entry("lists with limits",
			`{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":3}},"required":["a"]}`, `{"a":[1,"x",3,4]}`, `{"a":[1,0,3]}`),
		Entry("a list that requires more items",
			`{"type":"object","properties":{"a":{"type":"array","items":{"const":7},"minItems":2}},"required":["a"]}`,
			`{}`, `{"a":[7,7]}`),
		Entry("texts with minimum and maximum lengths",
			`{"type":"object","properties":{"a":{"type":"string","maxLength":2},"b":{"type":"string","minLength":6}},"required":["a","b"]}`, `{"a":"日本語","b":"ab"}`, `{"a":"日本","b":"ab...."}`),
		Entry("exclusive bounds of numbers",
			`{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":4},"b":{"type":"number","exclusiveMaximum":-1}},"required":["a","b"]}`, `{}`, `{"a":5,"b":-2}`),
		Entry("a number that is not an integer",
			`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`,
			`{"a":1.5}`, `{"a":0}`),
		Entry("values of another type",
			`{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"array"}},"required":["a"]}`,
			`{"a":"yes","b":{}}`, `{"a":false,"b":["text"]}`),
	)

	It("that refers to itself gives a finite value", func() {
		endless := parse(`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}`)
		_, err := jsontext.Parse([]byte(endless.Coerce("x")))
		Expect(err).NotTo(HaveOccurred())
	})

	DescribeTable("of a malicious client uses limited time and memory", func(text string) {
		began := time.Now()
		if s, err := schema.Parse([]byte(text)); err == nil {
			Expect(len(s.Coerce("x"))).To(BeNumerically("<", 100<<10))
			s.StrictViolation()
		}
		Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
	},
		Entry("20,000 nested lists", strings.Repeat(`{"items":`, 20000)+`1`+strings.Repeat(`}`, 20000)),
		Entry("50,001 required properties",
			`{"type":"object","required":[`+strings.Repeat(`"a",`, 50000)+`"b"],"properties":{`+
				strings.Repeat(`"a":{},`, 5000)+`"b":{}}}`),
		Entry("5,000 references to itself in each object",
			`{"type":"object","properties":{`+strings.Repeat(`"x":{"$ref":"#"},`, 5000)+
				`"y":{"type":"array","minItems":1e9,"items":{"$ref":"#"}}},"required":["x","y"]}`),
		Entry("long lists of long texts",
			`{"type":"object","properties":{"a":{"type":"array","minItems":1e300,"items":{"type":"string","minLength":1e300}}},"required":["a"]}`),
		Entry("9,000 alternatives",
			`{"type":"object","properties":{"a":{"anyOf":[`+strings.Repeat(`{"$ref":"#"},`, 9000)+
				`{"type":"null"}]}},"required":["a"]}`),
		Entry("3,000 long texts", `{"type":"object","required":[`+numbered(3000, `"p%d"`)+`],"properties":{`+
			numbered(3000, `"p%d":{"type":"string","minLength":1e9}`)+`}}`),
		Entry("a long text for each of 3,000 properties",
			`{"type":"object","required":[`+numbered(3000, `"p%d"`)+`],"properties":{`+
				numbered(3000, `"p%d":{"$ref":"#/$defs/w"}`)+`},"$defs":{"w":{"const":"`+
				strings.Repeat("x", 4000)+`"}}}`),
		Entry("long keys in 64 items", `{"type":"array","minItems":64,"items":{"type":"object","required":["`+
			strings.Repeat("k", 20000)+`"],"properties":{"`+strings.Repeat("k", 20000)+`":{"type":"null"}}}}`),
		Entry("a reference to itself", `{"$ref":"#"}`),
		Entry("a schema longer than the limit", `{"description":"`+strings.Repeat("x", schema.MaxBytes)+`"}`),
	)

	DescribeTable("is checked by the rules of the strict mode, with OpenAI's message for a violation",
		func(text, want string) {
			Expect(parse(text).StrictViolation()).To(Equal(want))
		},
		Entry("a valid schema: no message", strictSchema, ""),
		Entry("a schema of a list", `{"type":"array","items":{}}`,
			`schema must be a JSON Schema of 'type: "object"', got 'type: "array"'.`),
		Entry("a schema without a type", `{}`, `schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`),
		Entry("an object that allows additional properties", `{"type":"object","properties":{}}`,
			`In context=(), 'additionalProperties' is required to be supplied and to be false.`),
		Entry("a nested object that allows additional properties",
			`{"type":"object","properties":{"a":{"type":"object"}},"required":["a"],"additionalProperties":false}`,
			`In context=('properties', 'a'), 'additionalProperties' is required to be supplied and to be false.`),
		Entry("a property that is not required",
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
			`In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.`),
		Entry("a list without items",
			`{"type":"object","properties":{"a":{"type":"array"}},"required":["a"],"additionalProperties":false}`,
			`In context=('properties', 'a'), array schema missing items.`),
		Entry("a property without a type",
			`{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}`,
			`In context=('properties', 'a'), schema must have a 'type' key.`),
		Entry("a reference to a missing definition",
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"],"additionalProperties":false}`,
			`In context=('properties', 'a'), reference to component '#/$defs/x' which was not found in the schema.`),
		Entry("an invalid definition",
			`{"type":"object","properties":{},"additionalProperties":false,"$defs":{"x":{"type":"object"}}}`,
			`In context=('$defs', 'x'), 'additionalProperties' is required to be supplied and to be false.`),
		Entry("an invalid alternative",
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"object"}]}},"required":["a"],"additionalProperties":false}`, `In context=('properties', 'a', 'anyOf', '1'), 'additionalProperties' is required to be supplied and to be false.`),
		Entry("too many nested objects", strings.Repeat(
			`{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":`,
			12)+`{"type":"null"}`+strings.Repeat(`}}`, 12),
			`In context=(`+strings.TrimSuffix(strings.Repeat(`'properties', 'a', `, 11), ", ")+
				`), 11 levels of nesting exceeds limit of 10.`),
	)
})

// FuzzFit checks that Coerce returns JSON that matches the schema, for any schema and text.
func FuzzFit(f *testing.F) {
	f.Add(strictSchema, `{"route":"draw"}`)
	f.Add(`{"$ref":"#/a","a":[]}`, `x`)
	f.Fuzz(func(t *testing.T, text, given string) {
		s, err := schema.Parse([]byte(text))
		if err != nil {
			return
		}
		s.StrictViolation()
		if _, err := jsontext.Parse([]byte(s.Coerce(given))); err != nil && !strings.Contains(err.Error(), "deeper") {
			t.Fatalf("Fit made no JSON: %v", err)
		}
	})
}

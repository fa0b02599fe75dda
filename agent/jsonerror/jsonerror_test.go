package jsonerror_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/jsonerror"
)

func TestJSONError(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "jsonerror")
}

type order struct {
	Text  string   `json:"text"`
	Sure  bool     `json:"sure"`
	Score *float64 `json:"score"`
	List  []order  `json:"list"`
}

func mistakeIn(text string) (jsonerror.Error, bool) {
	var o order
	return jsonerror.FromError(json.Unmarshal([]byte(text), &o, json.RejectUnknownMembers(true)))
}

var _ = Describe("The error of a JSON decoder", func() {
	DescribeTable("is converted to a kind, a path and a reason in terms of the text",
		func(text string, kind jsonerror.Kind, at jsontext.Pointer, reason string) {
			e, found := mistakeIn(text)
			Expect(found).To(BeTrue())
			Expect(e.Kind).To(Equal(kind))
			Expect(e.Path).To(Equal(at))
			Expect(e.Reason).To(Equal(reason))
		},
		Entry(nil, `{"text":x}`, jsonerror.Syntax, jsontext.Pointer("/text"),
			"invalid character 'x' at start of value at byte 9"),
		Entry(nil, `{"text":"a`, jsonerror.Truncated, jsontext.Pointer("/text"), ""),
		Entry(nil, `{"text":"a","text":"b"}`, jsonerror.Duplicate, jsontext.Pointer("/text"), ""),
		Entry(nil, `{"list":[{"colour":1}]}`, jsonerror.UnknownField, jsontext.Pointer("/list/0/colour"), ""),
		Entry(nil, `{"score":1e999}`, jsonerror.OutOfRange, jsontext.Pointer("/score"),
			"must be a number, got a number"),
		Entry(nil, `{"score":"1"}`, jsonerror.WrongType, jsontext.Pointer("/score"), "must be a number, got a string"),
		Entry(nil, `{"sure":[]}`, jsonerror.WrongType, jsontext.Pointer("/sure"), "must be a boolean, got a list"),
		Entry(nil, `{"text":{}}`, jsonerror.WrongType, jsontext.Pointer("/text"), "must be a string, got an object"),
		Entry(nil, `{"list":true}`, jsonerror.WrongType, jsontext.Pointer("/list"), "must be a list, got a boolean"),
		Entry(nil, `7`, jsonerror.WrongType, jsontext.Pointer(""), "must be an object, got a number"),
	)

	It("is found in an error chain", func() {
		_, found := jsonerror.FromError(fmt.Errorf("line 3: %w", json.Unmarshal([]byte(`[`), new(any))))
		Expect(found).To(BeTrue())
	})

	It("is also found if it comes from encoding/json", func() {
		var o struct {
			List []struct {
				Count int `json:"count"`
			} `json:"list"`
		}
		e, found := jsonerror.FromError(stdjson.Unmarshal([]byte(`{"list":[{"count":"1"}]}`), &o))
		Expect(found).To(BeTrue())
		Expect(e.Kind).To(Equal(jsonerror.WrongType))
		Expect(e.Path).To(Equal(jsontext.Pointer("/list/count")))
		Expect(e.Reason).To(Equal("must be a whole number, got a string"))
	})

	It("is not found in another error, such as a failed read", func() {
		_, found := jsonerror.FromError(errors.New("connection reset"))
		Expect(found).To(BeFalse())
	})
})

var _ = Describe("A name in an error message", func() {
	It("is a path in the notation of code", func() {
		Expect(jsonerror.FormatPath("/turns/0/input/text", strings.ToUpper)).To(Equal("TURNS[0].INPUT.TEXT"))
		Expect(jsonerror.FormatPath("", strings.ToUpper)).To(BeEmpty())
	})

	It("is truncated if it is a long index", func() {
		Expect(jsonerror.FormatPath(jsontext.Pointer("/"+strings.Repeat("0", 500)), strings.ToUpper)).
			To(Equal("[" + strings.Repeat("0", 40) + "]"))
	})

	It("is the word null for the JSON type of null", func() {
		Expect(jsonerror.KindName(jsontext.Value(`null`).Kind())).To(Equal("null"))
	})

	It("is the word string for the Go type of a duration", func() {
		Expect(jsonerror.TypeName(reflect.TypeFor[time.Duration]())).To(Equal("a string"))
	})
})

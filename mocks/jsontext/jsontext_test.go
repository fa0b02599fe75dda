package jsontext_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/jsontext"
)

func TestJSONText(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "jsontext")
}

var _ = Describe("JSON", func() {
	It("is parsed and written again without changing the order of keys", func() {
		const text = `{"b":[1.50,"x",null,true,false,{}],"a":{"c":1e3,"b":[]}}`
		v, err := jsontext.Parse([]byte(text))
		Expect(err).NotTo(HaveOccurred())
		o := v.(jsontext.Object)
		Expect(o[0].Key).To(Equal("b"))
		Expect(o.Find("a").(jsontext.Object).Find("c")).To(Equal(json.Number("1e3")))
		Expect(o.Find("z")).To(BeNil())
		Expect(o.Index("z")).To(Equal(-1))
		Expect(string(jsontext.AppendValue(nil, v))).To(Equal(text))
	})

	DescribeTable("is rejected by Parse if it is invalid", func(text string) {
		_, err := jsontext.Parse([]byte(text))
		Expect(err).To(HaveOccurred())
	},
		Entry(nil, ``), Entry(nil, `{`), Entry(nil, `{"a"`), Entry(nil, `{1:2}`), Entry(nil, `[1,]`), Entry(nil, `1 2`),
		Entry(nil, `{}x`), Entry(nil, `]`),
		Entry("lists that are nested too deeply",
			strings.Repeat("[", jsontext.MaxDepth+1)+strings.Repeat("]", jsontext.MaxDepth+1)),
	)
})

// FuzzParse checks that Parse accepts only JSON, and that AppendValue writes JSON with the same
// meaning.
func FuzzParse(f *testing.F) {
	f.Add(`{"a":[1,"\ud800",null]}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := jsontext.Parse([]byte(text))
		if err != nil {
			return
		}
		if !json.Valid([]byte(text)) {
			t.Fatalf("%q is not JSON", text)
		}
		again, err := jsontext.Parse(jsontext.AppendValue(nil, v))
		if err != nil || !reflect.DeepEqual(v, again) {
			t.Fatalf("%q became %v: %v", text, again, err)
		}
	})
}

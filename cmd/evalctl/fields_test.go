package main

import (
	"reflect"
	"regexp"
	"strings"

	"evalctl/docs"
	"evalctl/eval"
	"evalctl/eval/journal"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// fieldsOf collects the JSON names of all fields of a type and its nested types.
func fieldsOf(t reflect.Type, names map[string]bool, seen map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		fieldsOf(t.Elem(), names, seen)
	case reflect.Struct:
		if seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case name == "-" || !f.IsExported():
				continue
			case name != "":
				names[name] = true
			}
			fieldsOf(f.Type, names, seen)
		}
	}
}

var _ = Describe("the documentation page about the files of a run", func() {
	page, _ := docs.Find("files")

	DescribeTable("28.2: documents every field of", func(_ string, value any) {
		names := map[string]bool{}
		fieldsOf(reflect.TypeOf(value), names, map[reflect.Type]bool{})
		Expect(len(names)).To(BeNumerically(">", 5))
		var missing []string
		for name := range names {
			if !regexp.MustCompile("[`., ]" + regexp.QuoteMeta(name) + "[`.,\\[ ]").MatchString(page.Text) {
				missing = append(missing, name)
			}
		}
		Expect(missing).To(BeEmpty())
	},
		Entry(nil, "manifest.json", journal.Manifest{}),
		Entry(nil, "results.jsonl", eval.Result{}),
		Entry(nil, "traces.jsonl", eval.Outcome{}),
		Entry(nil, "summary.json", eval.Summary{}))
})

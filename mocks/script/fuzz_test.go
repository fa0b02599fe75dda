package script_test

import (
	"strings"
	"testing"

	"evalctl/mocks/component"
	"evalctl/mocks/model"
	"evalctl/mocks/script"
)

// FuzzParse checks that a script either answers requests or is rejected with its name and a line.
func FuzzParse(f *testing.F) {
	for _, s := range []string{rules, "default: {json: [1, {a: b}]}", "rules: [", "a: &a [*a]",
		"default: {content: \"\\xff\"}", "rules:\n- match: {regex: '('}\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := script.Parse("f.yaml", strings.NewReader(text), nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml:") {
				t.Fatalf("no file and line: %v", err)
			}
			return
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		s.Answer(model.Request{Role: component.Router, Text: "画", CallNumber: 1})
	})
}

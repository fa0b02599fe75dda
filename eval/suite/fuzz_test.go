package suite_test

import (
	"strings"
	"testing"

	"evalctl/eval/suite"
)

// FuzzReadLabels checks that every label that ReadLabels accepts can be printed on one line.
func FuzzReadLabels(f *testing.F) {
	for _, s := range []string{"a\nb", "退款\t要退钱\n\n其他", "\ufeffa\tb\tc", "a\na", "\x1b[31m", strings.Repeat("x", 300),
		"a\r\nb\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := suite.ReadLabels("l.txt", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "l.txt:") {
				t.Fatalf("an error without its file: %v", err)
			}
			return
		}
		for _, l := range list {
			if suite.CheckLabel(l.Name) != nil || strings.ContainsAny(l.Name+l.Description, "\n\r\x1b") {
				t.Fatalf("%q is not a label", l)
			}
		}
	})
}

// FuzzParse checks that Parse either accepts a suite or returns a one-line error that names the
// file.
func FuzzParse(f *testing.F) {
	for _, s := range []string{small, small + "labels: [a, {name: b}]\n", "variants: [1]", "variants: [{a: [1]}]",
		"variants: {}", "- a", "name: &a x\ntarget: *a", "variants:\n  - <<: {router: llm}\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := suite.Parse("s.yaml", []byte(text))
		if err != nil && !strings.HasPrefix(err.Error(), "s.yaml") {
			t.Fatalf("an error without its file: %v", err)
		}
	})
}

package classifier_test

import (
	"strings"
	"testing"

	"evalctl/agent/classifier"
)

// FuzzPrompt checks that any text is either a valid prompt or an error that names the file.
func FuzzPrompt(f *testing.F) {
	for _, s := range []string{"{{text}}", "a {{labels}} b {{- history -}}", "{{if .examples}}{{examples}}{{end}}",
		"{{", "{{range .labels}}{{end}}", "{{text | printf}}", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := classifier.ParseTemplate("p.md", []byte(text))
		switch {
		case err != nil && !strings.Contains(err.Error(), "p"):
			t.Fatalf("an error without its file: %v", err)
		case err == nil && p.Text == "":
			t.Fatal("an empty prompt is taken")
		}
	})
}

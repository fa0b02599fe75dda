package reports_test

import (
	"slices"
	"strings"
	"testing"

	"evalctl/reports"
)

func FuzzParseFormat(f *testing.F) {
	for _, seed := range []string{"table", "json=x", "csv=", "=", "xml", "markdown=a=b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		format, path, err := reports.ParseFormat(text)
		if err != nil {
			return
		}
		back := string(format)
		if path != "" {
			back += "=" + path
		}
		if !slices.Contains(reports.Formats(), format) || back != text {
			t.Errorf("ParseFormat(%q) = %q, %q", text, format, path)
		}
	})
}

func FuzzTimeline(f *testing.F) {
	f.Add("\x1b[2J你好\n\n…", "a\xff\u202eb", 61)
	f.Fuzz(func(t *testing.T, question, answer string, width int) {
		trace := trial()
		trace.Outcome.Turns[0].Input.Text, trace.Outcome.Turns[0].Reply.Content = question, answer
		trace.Outcome.Turns[0].Events[0].Span.Message = answer
		var out strings.Builder
		if err := reports.Timeline(&out, trace, width); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(out.String(), "\x1b\r\x07\u009b\u202e") {
			t.Errorf("something steers the terminal in %q", out.String())
		}
	})
}

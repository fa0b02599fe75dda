package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"

	"evalctl/eval"
	"evalctl/reports/visible"
)

// jsonText is the summary as it stands in summary.json. Characters that could
// steer a terminal are written as \u escapes: they can only stand in strings,
// where the escape means the same.
func jsonText(s eval.Summary) ([]byte, error) {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		return nil, fmt.Errorf("encode summary: %w", err)
	}
	var out bytes.Buffer
	for _, r := range raw.String() {
		if r != '\n' && visible.Steers(r) {
			for _, half := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, `\u%04x`, half)
			}
			continue
		}
		out.WriteRune(r)
	}
	return out.Bytes(), nil
}

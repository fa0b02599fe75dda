package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"

	"evalctl/reports/visible"
)

// jsonText is a summary as it stands in summary.json, or a comparison. Characters that could
// steer a terminal are written as \u escapes: they can only stand in strings,
// where the escape means the same.
func jsonText(v any) ([]byte, error) {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	var out bytes.Buffer
	for _, r := range raw.String() {
		if r != '\n' && visible.IsControl(r) {
			for _, half := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, `\u%04x`, half)
			}
			continue
		}
		out.WriteRune(r)
	}
	return out.Bytes(), nil
}

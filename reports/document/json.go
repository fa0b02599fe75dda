package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"

	"evalctl/agent/text"
)

// JSON encodes a value as indented JSON. It writes control characters that could affect a
// terminal as \u escapes. They occur only in strings, so the value does not change.
func JSON(v any) ([]byte, error) {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	var out bytes.Buffer
	for _, r := range raw.String() {
		if r != '\n' && text.IsControl(r) {
			for _, half := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&out, `\u%04x`, half)
			}
			continue
		}
		out.WriteRune(r)
	}
	return out.Bytes(), nil
}

package reports

import "strings"

// ascii replaces each non-ASCII symbol of a report by one ASCII character, so widths do not change.
var ascii = strings.NewReplacer("−", "-", "–", "-", "—", "-", "─", "-", "·", "-", "…", "~", "✓", "+", "✗", "x", "●", "o", "×", "x", "→", ">", "◌", "o", "≥", ">", "≤", "<", "µ", "u", "κ", "k",
	"│", "|", "▁", "_", "▂", ".", "▃", ":", "▄", "-", "▅", "=", "▆", "+", "▇", "*", "█", "#")

// signs replaces the report's symbols by ASCII if plain is set. Other non-ASCII text, such as
// names, is not changed.
func signs(text []byte, plain bool) []byte {
	if !plain {
		return text
	}
	return []byte(ascii.Replace(string(text)))
}

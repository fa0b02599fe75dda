package reports

import "strings"

// asciiReplacer replaces each non-ASCII symbol of a report by one ASCII character, so widths do not
// change.
var asciiReplacer = strings.NewReplacer("−", "-", "–", "-", "—", "-", "─", "-", "·", "-", "…", "~", "✓", "+", "✗", "x",
	"●", "o", "×", "x", "→", ">", "◌", "o", "≥", ">", "≤", "<", "µ", "u", "κ", "k",
	"│", "|", "▁", "_", "▂", ".", "▃", ":", "▄", "-", "▅", "=", "▆", "+", "▇", "*", "█", "#")

// toASCII replaces the report's symbols by ASCII if plain is set. Other non-ASCII text, such as
// names, is not changed.
func toASCII(text []byte, plain bool) []byte {
	if !plain {
		return text
	}
	return []byte(asciiReplacer.Replace(string(text)))
}

package document

import "strings"

// asciiReplacer replaces each non-ASCII symbol that reports draw with one ASCII character, so that
// columns stay aligned.
var asciiReplacer = strings.NewReplacer("−", "-", "–", "-", "—", "-", "─", "-", "·", "-", "…", "~", "✓", "+", "✗", "x",
	"●", "o", "×", "x", "→", ">", "◌", "o", "≥", ">", "≤", "<", "µ", "u", "κ", "k",
	"│", "|", "▁", "_", "▂", ".", "▃", ":", "▄", "-", "▅", "=", "▆", "+", "▇", "*", "█", "#")

// toASCII replaces the symbols that reports draw with ASCII if plain is set. Names and case texts
// stay unchanged.
func toASCII(text []byte, plain bool) []byte {
	if !plain {
		return text
	}
	return []byte(asciiReplacer.Replace(string(text)))
}

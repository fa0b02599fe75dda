package reports

import "strings"

// ascii has a sign of the oldest set for each of ours, one for one.
var ascii = strings.NewReplacer("−", "-", "–", "-", "—", "-", "─", "-", "·", "-", "…", "~", "✓", "+", "✗", "x", "●", "o", "×", "x", "→", ">", "◌", "o", "≥", ">", "≤", "<", "µ", "u", "κ", "k",
	"│", "|", "▁", "_", "▂", ".", "▃", ":", "▄", "-", "▅", "=", "▆", "+", "▇", "*", "█", "#")

// signs are those that the reader's terminal has. Names from outside stay.
func signs(text []byte, plain bool) []byte {
	if !plain {
		return text
	}
	return []byte(ascii.Replace(string(text)))
}

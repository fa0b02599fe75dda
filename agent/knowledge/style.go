// Package knowledge is a library of picture styles: for each style the words
// that make an image model paint so, found by the names that people use for
// it. The library is a SQLite file with a vector for every name; what turns
// names into vectors is an Embedder.
package knowledge

import (
	"bytes"
	_ "embed"
)

//go:embed styles.jsonl
var shipped []byte

// Style is a way to paint.
type Style struct {
	ID      string   `json:"id"`                // kebab-case
	ZH      string   `json:"zh"`                // its usual Chinese name, without 风格
	EN      string   `json:"en"`                // its usual English name, without "style"
	Aliases []string `json:"aliases,omitempty"` // other names, in either language
	Prompt  string   `json:"prompt"`            // English words that make an image model paint so
}

// ShippedStyles are the styles that come with the program.
func ShippedStyles() ([]Style, error) {
	return ReadStyles("styles.jsonl", bytes.NewReader(shipped))
}

// Names are all the names by which the style is found.
func (s Style) Names() []string {
	return append([]string{s.ZH, s.EN}, s.Aliases...)
}

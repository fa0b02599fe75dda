// Package knowledge is a library of picture styles: for each style, prompt words for an image
// model, found by the names that people use. The library is a SQLite file with a vector for every
// name. An Embedder converts names to vectors.
package knowledge

import (
	"bytes"
	_ "embed"
)

//go:embed styles.jsonl
var shipped []byte

// Style is a picture style.
type Style struct {
	ID      string   `json:"id"`                // kebab-case
	ZH      string   `json:"zh"`                // the usual Chinese name, without 风格
	EN      string   `json:"en"`                // the usual English name, without "style"
	Aliases []string `json:"aliases,omitempty"` // other names, in either language
	Prompt  string   `json:"prompt"`            // English prompt words for an image model
}

// ShippedStyles returns the styles that come with the program.
func ShippedStyles() ([]Style, error) {
	return ReadStyles("styles.jsonl", bytes.NewReader(shipped))
}

// Names returns all names of the style.
func (s Style) Names() []string {
	return append([]string{s.ZH, s.EN}, s.Aliases...)
}

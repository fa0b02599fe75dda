// Package knowledge is a library of visual styles for image generation. It finds a style by the
// names that people use, and provides prompt words for an image model. A library is a SQLite file
// with a vector for every name, which an Embedder computes.
package knowledge

import (
	"bytes"
	_ "embed"
)

//go:embed styles.jsonl
var shipped []byte

// Style is a visual style of images, such as watercolor or cyberpunk.
type Style struct {
	ID      string   `json:"id"`                // kebab-case
	ZH      string   `json:"zh"`                // the usual Chinese name, without 风格
	EN      string   `json:"en"`                // the usual English name, without "style"
	Aliases []string `json:"aliases,omitempty"` // other names, in either language
	Prompt  string   `json:"prompt"`            // English words that describe the style to an image model
}

// ShippedStyles returns the styles that ship with the program.
func ShippedStyles() ([]Style, error) {
	return ReadStyles("styles.jsonl", bytes.NewReader(shipped))
}

// Names returns the Chinese name, the English name and the aliases.
func (s Style) Names() []string {
	return append([]string{s.ZH, s.EN}, s.Aliases...)
}

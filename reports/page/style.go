package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
)

//go:embed style/*.css
var styleSheets embed.FS

// style returns the style sheet of a page, joined from the embedded files in alphabetical order.
func style() (string, error) {
	list, err := fs.ReadDir(styleSheets, "style")
	if err != nil {
		return "", fmt.Errorf("styles: %w", err)
	}
	var b strings.Builder
	for _, one := range list {
		text, err := styleSheets.ReadFile(path.Join("style", one.Name()))
		if err != nil {
			return "", fmt.Errorf("styles: %w", err)
		}
		b.Write(text)
	}
	return b.String(), nil
}

// code is the text of a style sheet or a script in a page. Its hash is part of the content security
// policy.
type code struct {
	text string
}

// CSS returns the text as a style sheet for the template. It is embedded, so it contains no text of
// a run.
func (c code) CSS() template.CSS { return template.CSS(c.text) } //nolint:gosec // embedded

// JS returns the text as a script for the template.
func (c code) JS() template.JS { return template.JS(c.text) } //nolint:gosec // embedded

// Source returns the hash of the text as a source expression for the content security policy. For
// an empty text, it returns 'none'.
func (c code) Source() string {
	if c.text == "" {
		return "'none'"
	}
	sum := sha256.Sum256([]byte(c.text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// policy returns the content security policy of a page. It allows only the page's own style sheet
// and script. A served page may also connect to its server and send forms to it.
func policy(style, script code, served bool) string {
	rest := "; img-src data:; base-uri 'none'; form-action 'none'"
	if served {
		rest = "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'"
	}
	return "default-src 'none'; style-src " + style.Source() + "; script-src " + script.Source() + rest
}

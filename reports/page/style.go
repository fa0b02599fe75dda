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

	"evalctl/reports/page/app"
)

//go:embed style/*.css
var sheets embed.FS

// style is all that the file has of it, in the order of the sheets' names.
func style() (string, error) {
	list, err := fs.ReadDir(sheets, "style")
	if err != nil {
		return "", fmt.Errorf("styles: %w", err)
	}
	var b strings.Builder
	for _, one := range list {
		text, err := sheets.ReadFile(path.Join("style", one.Name()))
		if err != nil {
			return "", fmt.Errorf("styles: %w", err)
		}
		b.Write(text)
	}
	return b.String() + app.Style(), nil
}

// code is a style or a script, and the source by which the policy lets it in.
type code struct {
	text string
}

// CSS is the style as an element; it is ours, and no text of a run is in it.
func (c code) CSS() template.CSS { return template.CSS(c.text) } //nolint:gosec // embedded

// JS is the script.
func (c code) JS() template.JS { return template.JS(c.text) } //nolint:gosec // embedded

// Source is the hash of exactly what stands between the tags.
func (c code) Source() string {
	if c.text == "" {
		return "'none'"
	}
	sum := sha256.Sum256([]byte(c.text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// policy lets in what the file has itself, and nothing else; of a server's page that it
// asks that server, and sends forms to it.
func policy(style, script code, served bool) string {
	rest := "; img-src data:; base-uri 'none'; form-action 'none'"
	if served {
		rest = "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'"
	}
	return "default-src 'none'; style-src " + style.Source() + "; script-src " + script.Source() + rest
}

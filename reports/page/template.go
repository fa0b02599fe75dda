package page

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"evalctl/agent/text"
)

// templateFuncs returns the template functions that format values: name for names, text for longer
// texts.
func templateFuncs() template.FuncMap {
	return template.FuncMap{"name": shortName, "text": excerpt}
}

const maxName = 80

// shortName returns a name, which can contain any characters, as one short line. The empty name
// becomes "(none)".
func shortName(name string) string {
	return text.Excerpt(cmp.Or(name, "(none)"), maxName)
}

const maxText = 2_000

// excerpt returns a text, which can contain any characters, as one line of at most maxText
// characters.
func excerpt(s string) string { return text.Excerpt(s, maxText) }

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
// and scripts. A served page may also connect to its server and send forms to it.
func policy(style code, scripts []code, served bool) string {
	rest := "; img-src data:; base-uri 'none'; form-action 'none'"
	if served {
		rest = "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'"
	}
	sources := code{}.Source()
	if len(scripts) > 0 {
		sources = ""
		for _, script := range scripts {
			sources += " " + script.Source()
		}
	}
	return "default-src 'none'; style-src " + style.Source() + "; script-src " + strings.TrimSpace(sources) + rest
}

// The script of a page shows the view that the address in the browser selects, lists cases, and
// shows single cases. The figures of a page work without it. The script expects these elements on
// the page:
//
//   - Views: elements with the attribute data-view. The id is the address without #.
//   - Sections: elements within the view of their suite, with their address as id.
//   - Views "cases" and "case": created if they do not exist. Their content is replaced.
//   - One <nav> with links to addresses. The link of the current view gets aria-current.
//   - <main>, and <button id="theme">, which is hidden without the script.
//   - The data: <script type="text/plain" id="d-NAME">, see [Packer].
//
// If Meta.TraceURL is set, the script requests traces that the file does not contain from
// TraceURL?suite=NAME&case=ID. The response is a [Case] as JSON.

//go:embed script/*.js
var scriptFiles embed.FS

// scriptOrder lists the files of the script in the order in which they are joined. Each file comes
// after the files that it uses.
var scriptOrder = []string{
	"text", "element", "address", "data", "filter", "verdict", "list", "filters",
	"difference", "timeline", "conversation", "prompts", "conditions", "case", "cases", "theme", "start",
}

//go:embed early.js
var earlyScript string

// Script returns the script of a report page. It joins all files, without indentation and comments,
// in a function so that they declare no global names.
func Script() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range scriptOrder {
		text, err := scriptFiles.ReadFile(path.Join("script", name+".js"))
		if err != nil {
			panic(err) // the files are embedded, and a test checks that they exist
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimLeft(line, " "); line != "\n" && !strings.HasPrefix(line, "//") {
				b.WriteString(line)
			}
		}
	}
	b.WriteString("})();\n")
	return b.String()
}

// followScript is the script on the page of a run in progress. It shows the progress and offers to
// load new results. It receives server-sent events:
//
//	event: progress   {"done":N,"planned":N,"errors":N,"rate":trials per second,"seconds_since_write":N,
//	                   "conditions":[{"suite","variant","fault","correct":N,"scored":N}, …]}
//	event: end        {"why":text}; the last event
//
//go:embed follow.js
var followScript string

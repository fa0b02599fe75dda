// Package figure draws the figures and tables of a report's page, as HTML and SVG that
// stand without a script. Each function gives a fragment, or nothing where a run has
// nothing of the kind. Positions are percentages, colours are classes, and a value
// always stands in text beside what it looks like.
package figure

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"strings"

	"evalctl/eval/number"
	"evalctl/reports/visible"
)

//go:embed *.gohtml
var files embed.FS

var templates = template.Must(template.New("").Funcs(Words()).ParseFS(files, "*.gohtml"))

// Words are what templates write with: name for all that comes from outside and is to
// be one line, text for what is longer, count and share for figures.
func Words() template.FuncMap {
	return template.FuncMap{"name": Name, "text": text, "count": number.Thousands, "plural": number.Plural, "nb": noBreak}
}

// fragment is one of the templates. That they fit what they show is for tests to say.
func fragment(name string, data any) template.HTML {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Errorf("figure %s: %w", name, err))
	}
	return template.HTML(b.String()) //nolint:gosec // escaped by the template
}

// longestName is how many characters of a name are shown.
const longestName = 80

// Name is what comes from outside as one short line: what is nameless can be seen.
func Name(text string) string {
	return visible.Excerpt(cmp.Or(text, "(none)"), longestName)
}

// longestText is how many characters of a text are shown.
const longestText = 2_000

// text is what comes from outside and may be longer.
func text(text string) string { return visible.Excerpt(text, longestText) }

// noBreak keeps a figure and its unit on one line.
func noBreak(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

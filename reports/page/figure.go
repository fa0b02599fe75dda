package page

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval/metric"
)

// templateFuncs returns the template functions that format values: name for names, text for longer
// texts, count for numbers, plural for a number with a noun, nb to avoid line breaks.
func templateFuncs() template.FuncMap {
	return template.FuncMap{"name": ShortName, "text": excerpt, "count": metric.FormatInteger, "plural": metric.Plural,
		"nb": noBreak}
}

// fragment executes a template and returns its HTML. It panics on errors, because the templates are
// embedded and tested.
func fragment(name string, data any) template.HTML {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Errorf("figure %s: %w", name, err))
	}
	return template.HTML(b.String()) //nolint:gosec // escaped by the template
}

const maxName = 80

// ShortName returns a name, which can contain any characters, as one short line. The empty name
// becomes "(none)".
func ShortName(name string) string {
	return text.Excerpt(cmp.Or(name, "(none)"), maxName)
}

const maxText = 2_000

// excerpt returns a text, which can contain any characters, as one line of at most maxText
// characters.
func excerpt(s string) string { return text.Excerpt(s, maxText) }

// noBreak prevents a line break between a number and its unit.
func noBreak(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

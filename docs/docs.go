// Package docs embeds the guides and reference pages of evalctl, one Markdown file per page.
package docs

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.md
var files embed.FS

// Page is one page of the documentation, from the file docs/NAME.md.
type Page struct {
	Name  string
	Title string // heading in the first line of Text
	Text  string // Markdown text, including the heading
}

// guides lists the names of the guides in the order in which `evalctl help topics` shows them.
var guides = []string{
	"gate", "prompts", "labels", "agent", "classifier", "real-models", "reports", "critic", "recordings",
	"shards", "fleet", "serving", "system", "install",
}

// reference returns the names of all pages that are not guides.
func reference() (names []string) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // reading an embedded directory cannot fail
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".md"); ok && !slices.Contains(guides, name) {
			names = append(names, name)
		}
	}
	return names
}

// Guides returns the pages that explain how to do a task.
func Guides() []Page { return pages(guides) }

// Reference returns the pages that are not guides: terms, metrics, systems, file formats.
func Reference() []Page { return pages(reference()) }

// Pages returns all pages: first the guides, then the reference pages.
func Pages() []Page { return append(Guides(), Reference()...) }

func pages(names []string) []Page {
	list := make([]Page, 0, len(names))
	for _, name := range names {
		text, err := files.ReadFile(name + ".md")
		if err != nil {
			panic(err) // guides contains a name without a file
		}
		first, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Page{Name: name, Title: strings.TrimPrefix(first, "# "), Text: string(text)})
	}
	return list
}

// Names returns the names of all pages, in the same order as [Pages].
func Names() []string { return slices.Concat(guides, reference()) }

// Find returns the page with this name. ok is false if there is none.
func Find(name string) (Page, bool) {
	if !slices.Contains(guides, name) && !slices.Contains(reference(), name) {
		return Page{}, false
	}
	return pages([]string{name})[0], true
}

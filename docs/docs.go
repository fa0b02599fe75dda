// Package docs embeds the guides and reference pages of evalctl, one Markdown file per page.
package docs

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.md
var files embed.FS

// Page is one page of the documentation. Its file is docs/NAME.md.
type Page struct {
	Name  string
	Title string // the heading in the first line
	Text  string // Markdown, including the heading
}

// order lists the pages as evalctl help topics prints them: guides, then reference.
var order = [...]string{
	"gate", "prompts", "labels", "agent", "external-agents", "faults", "recordings", "limits", "critic",
	"simulation", "metrics", "system", "shards", "fleet", "windows",
}

// Pages returns all pages in the order of the list of topics.
func Pages() []Page {
	list := make([]Page, 0, len(order))
	for _, name := range order {
		text, err := files.ReadFile(name + ".md")
		if err != nil {
			panic(err) // a name without a file
		}
		first, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Page{Name: name, Title: strings.TrimPrefix(first, "# "), Text: string(text)})
	}
	return list
}

// Names returns the names of all pages, in the same order as Pages.
func Names() []string { return slices.Clone(order[:]) }

// Find returns the page with this name; the result is false if there is none.
func Find(name string) (Page, bool) {
	list := Pages()
	i := slices.IndexFunc(list, func(p Page) bool { return p.Name == name })
	if i < 0 {
		return Page{}, false
	}
	return list[i], true
}

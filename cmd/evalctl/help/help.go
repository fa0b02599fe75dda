// Package help has the pages of evalctl help TOPIC: one a job, in Markdown beside the
// command, and drawn for a terminal.
package help

import (
	"embed"
	"slices"
	"strings"
)

//go:embed pages/*.md
var pages embed.FS

// Topic is a page.
type Topic struct {
	Name  string
	Title string // the heading of its first line
	Text  string // Markdown, the heading included
}

// names are the pages in the order in which one is likely to need them.
var names = [...]string{"gate", "prompts", "labels", "agent", "targets", "faults", "recordings", "limits", "critic", "simulated", "system", "shards", "fleet"}

// Topics lists all pages.
func Topics() (list []Topic) {
	for _, name := range names {
		text, err := pages.ReadFile("pages/" + name + ".md")
		if err != nil {
			panic(err) // the list and the folder differ
		}
		first, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Topic{Name: name, Title: strings.TrimPrefix(first, "# "), Text: string(text)})
	}
	return list
}

// Names are the topics' names.
func Names() []string { return slices.Clone(names[:]) }

// Find finds a page by its name.
func Find(name string) (Topic, bool) {
	list := Topics()
	at := slices.IndexFunc(list, func(t Topic) bool { return t.Name == name })
	if at < 0 {
		return Topic{}, false
	}
	return list[at], true
}

package search

import (
	"context"
	"time"
)

// Engine is a web search engine. Search returns ErrNoResults if there are no results; other errors
// are *llm.Error.
type Engine interface {
	// Search returns up to most results, best first. If most is 0, the engine's default applies.
	Search(ctx context.Context, query string, most int) (Results, error)
}

// Pages contains the web pages that a search engine found, and its own summary.
type Results struct {
	Answer string   // the engine's own answer to the query; "": none
	Pages  []Result // the web pages, best first
}

// Result is a web page that a search engine found.
type Result struct {
	Title   string
	URL     string
	Content string    // the part of the page that matches the query
	Date    time.Time // date of publication; zero: unknown
}

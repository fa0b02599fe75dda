package search

import (
	"context"
	"time"
)

// Engine is a web search engine. Its error is ErrEmpty if it found nothing, otherwise an
// *llm.Error.
type Engine interface {
	// Search returns at most this number of results, best first; 0: the default of the engine.
	Search(ctx context.Context, query string, most int) (Results, error)
}

// Results is the result of a search.
type Results struct {
	Answer  string // the engine's own summary; "": none
	Results []Result
}

// Result is a web page.
type Result struct {
	Title   string
	URL     string
	Content string    // the part that matches the query
	Date    time.Time // of publication; zero: unknown
}

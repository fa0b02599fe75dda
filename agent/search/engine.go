package search

import (
	"context"
	"time"
)

// Engine is a search engine of the web. Its error is ErrEmpty where it found
// nothing, else an *llm.Error.
type Engine interface {
	// Search gives the results that fit query best, best first, and no more than most;
	// 0 leaves their number to the engine.
	Search(ctx context.Context, query string, most int) (Results, error)
}

// Results is what an engine found.
type Results struct {
	Answer  string // what the engine itself makes of the results; "": nothing
	Results []Result
}

// Result is a page of the web.
type Result struct {
	Title   string
	URL     string
	Content string    // what of it fits the query
	Date    time.Time // of publication; zero where it is not told
}

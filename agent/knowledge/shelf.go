package knowledge

import (
	"context"
	"slices"
	"sync"
)

// Shelf is a library in a file, which whoever searches first opens. A file that
// is missing or corrupt is the error of every search.
type Shelf struct {
	Path string

	once    sync.Once
	library *Library
	err     error
}

// Search is as Library's.
func (s *Shelf) Search(ctx context.Context, e Embedder, q Query) ([]Hit, error) {
	s.once.Do(s.open)
	if s.err != nil {
		return nil, s.err
	}
	return s.library.Search(ctx, e, q)
}

// Styles are those of the library, none where it cannot be opened.
func (s *Shelf) Styles() []Style {
	s.once.Do(s.open)
	if s.err != nil {
		return nil
	}
	return slices.Clone(s.library.styles)
}

func (s *Shelf) open() { s.library, s.err = Open(s.Path) }

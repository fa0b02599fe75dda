package service

import (
	"errors"
	"io"
	"sync"
)

// errNoShare ends a request for which there is no room beside the others.
var errNoShare = errors.New("the requests under way have too many bytes together")

// budget is how many bytes all requests that are read or answered may have.
type budget struct {
	most int64

	mu    sync.Mutex
	taken int64
}

func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken+n > b.most {
		return false
	}
	b.taken += n
	return true
}

// share is what one request has taken of the budget: what has come, not what it
// announces, so that a slow one costs no more than it is.
type share struct {
	budget *budget
	taken  int64
}

// reader counts what is read.
func (s *share) reader(r io.Reader) io.Reader { return counted{r, s} }

func (s *share) take(n int64) bool {
	if !s.budget.take(n) {
		return false
	}
	s.taken += n
	return true
}

func (s *share) giveBack() { s.budget.take(-s.taken) }

type counted struct {
	io.Reader
	share *share
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if !c.share.take(int64(n)) {
		return 0, errNoShare
	}
	return n, err
}

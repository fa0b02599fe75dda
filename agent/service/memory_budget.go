package service

import (
	"errors"
	"io"
	"sync"
)

// errBudgetUsed rejects a request if the requests in progress have used the budget.
var errBudgetUsed = errors.New("the requests under way have too many bytes together")

// budget limits the bytes of all requests in progress.
type budget struct {
	max int64

	mu   sync.Mutex
	used int64
}

func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.max {
		return false
	}
	b.used += n
	return true
}

// share is the part of the budget that one request uses. It counts received bytes, not the
// announced length, so a slow request reserves nothing in advance.
type share struct {
	budget *budget
	used   int64
}

// reader counts the bytes that are read.
func (s *share) reader(r io.Reader) io.Reader { return countingReader{r, s} }

func (s *share) take(n int64) bool {
	if !s.budget.take(n) {
		return false
	}
	s.used += n
	return true
}

func (s *share) release() { s.budget.take(-s.used) }

type countingReader struct {
	io.Reader
	share *share
}

func (c countingReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if !c.share.take(int64(n)) {
		return 0, errBudgetUsed
	}
	return n, err
}

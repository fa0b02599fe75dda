package service

import (
	"errors"
	"io"
	"sync"
)

// errBudgetUsed rejects a request because the requests in progress use all of the memory budget.
var errBudgetUsed = errors.New("the requests under way have too many bytes together")

// memoryBudget limits the memory of all requests in progress, in bytes.
type memoryBudget struct {
	max int64

	mu   sync.Mutex
	used int64
}

func (b *memoryBudget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.max {
		return false
	}
	b.used += n
	return true
}

// memoryShare is the part of the memory budget that one request uses. It grows as bytes arrive. The
// announced length is not reserved, so slow requests do not block others.
type memoryShare struct {
	budget *memoryBudget
	used   int64
}

// reader returns a reader that counts the bytes it reads as memory of the request.
func (s *memoryShare) reader(r io.Reader) io.Reader { return countingReader{r, s} }

func (s *memoryShare) take(n int64) bool {
	if !s.budget.take(n) {
		return false
	}
	s.used += n
	return true
}

func (s *memoryShare) release() { s.budget.take(-s.used) }

type countingReader struct {
	io.Reader
	share *memoryShare
}

func (c countingReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if !c.share.take(int64(n)) {
		return 0, errBudgetUsed
	}
	return n, err
}

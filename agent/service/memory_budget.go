package service

import (
	"errors"
	"io"
	"sync"
)

// errNoShare rejects a request if the requests in progress have used the budget.
var errNoShare = errors.New("the requests under way have too many bytes together")

// budget limits the bytes of all requests in progress.
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

// share is the part of the budget that one request uses. It counts received bytes, not the
// announced length, so a slow request reserves nothing in advance.
type share struct {
	budget *budget
	taken  int64
}

// reader counts the bytes that are read.
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

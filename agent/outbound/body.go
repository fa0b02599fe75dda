package outbound

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// ResponseTooLargeError is the error of an answer past its bound.
type ResponseTooLargeError struct {
	Max   int64
	Total bool // the answers under way, together
}

func (e *ResponseTooLargeError) Error() string {
	if e.Total {
		return fmt.Sprintf("the answers under way are longer than %d bytes together", e.Max)
	}
	return fmt.Sprintf("the answer is longer than %d bytes", e.Max)
}

// budget is what answers share.
type budget struct {
	Config
	taken atomic.Int64
}

// body counts what is read of an answer. Not before Close is it given back:
// till then somebody keeps what was read.
type body struct {
	inner  io.ReadCloser
	budget *budget
	err    error

	mu          sync.Mutex // a reader may be closed by another
	read, taken int64
	closed      bool
}

// Read reads; its errors are the body's, or *ResponseTooLargeError.
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.inner.Read(p)
	if b.err = b.count(int64(n)); b.err != nil {
		return 0, b.err
	}
	return n, err
}

// count takes what was read from the budgets.
func (b *body) count(n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read += n
	if b.read > b.budget.MaxAnswer {
		return &ResponseTooLargeError{Max: b.budget.MaxAnswer}
	}
	more := b.read - free - b.taken
	if more <= 0 || b.closed {
		return nil
	}
	b.taken += more
	if b.budget.taken.Add(more) > b.budget.MaxAll {
		return &ResponseTooLargeError{Max: b.budget.MaxAll, Total: true}
	}
	return nil
}

// Close closes the body and gives back what it took.
func (b *body) Close() error {
	b.mu.Lock()
	b.budget.taken.Add(-b.taken)
	b.taken, b.closed = 0, true
	b.mu.Unlock()
	return b.inner.Close()
}

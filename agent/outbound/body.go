package outbound

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// ResponseTooLargeError is the error of a response that exceeds a limit.
type ResponseTooLargeError struct {
	Max   int64
	Total bool // limit of all responses in progress together
}

func (e *ResponseTooLargeError) Error() string {
	if e.Total {
		return fmt.Sprintf("the answers under way are longer than %d bytes together", e.Max)
	}
	return fmt.Sprintf("the answer is longer than %d bytes", e.Max)
}

// budget is shared by all responses.
type budget struct {
	Config
	used atomic.Int64
}

// body counts the read bytes of a response. They are returned to the budget by Close, because the
// caller holds the data until then.
type body struct {
	inner  io.ReadCloser
	budget *budget
	err    error

	mu            sync.Mutex // Close may be called concurrently with Read
	read, charged int64
	closed        bool
}

// Read returns the errors of the body, or *ResponseTooLargeError.
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

// count charges the read bytes to the budgets.
func (b *body) count(n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read += n
	if b.read > b.budget.MaxAnswer {
		return &ResponseTooLargeError{Max: b.budget.MaxAnswer}
	}
	more := b.read - exemptBytes - b.charged
	if more <= 0 || b.closed {
		return nil
	}
	b.charged += more
	if b.budget.used.Add(more) > b.budget.MaxAll {
		return &ResponseTooLargeError{Max: b.budget.MaxAll, Total: true}
	}
	return nil
}

// Close closes the body and returns its bytes to the budget.
func (b *body) Close() error {
	b.mu.Lock()
	b.budget.used.Add(-b.charged)
	b.charged, b.closed = 0, true
	b.mu.Unlock()
	return b.inner.Close()
}

package outbound

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// ResponseTooLargeError is the error of reading a response that exceeds a size limit.
type ResponseTooLargeError struct {
	Limit   int64 // the exceeded limit, in bytes
	IsTotal bool  // Limit applies to all responses in progress together, not to this response alone
}

func (e *ResponseTooLargeError) Error() string {
	if e.IsTotal {
		return fmt.Sprintf("the answers under way are longer than %d bytes together", e.Limit)
	}
	return fmt.Sprintf("the answer is longer than %d bytes", e.Limit)
}

// budget contains the size limits and the number of bytes that all responses in progress currently
// use.
type budget struct {
	Config
	used atomic.Int64
}

// limitedBody is a response body that counts the bytes read from it. Close subtracts them from the
// shared budget; until then the caller may still hold the data.
type limitedBody struct {
	inner  io.ReadCloser
	budget *budget
	err    error

	mu            sync.Mutex // protects the fields below, because Close may run concurrently with Read
	read, charged int64
	closed        bool
}

// Read reads from the underlying body. It returns a *ResponseTooLargeError if a limit is exceeded.
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.inner.Read(p)
	if b.err = b.count(int64(n)); b.err != nil {
		return 0, b.err
	}
	return n, err
}

// count adds n bytes to the size of this response and to the shared budget. It returns an error if
// a limit is exceeded.
func (b *limitedBody) count(n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read += n
	if b.read > b.budget.MaxResponseBytes {
		return &ResponseTooLargeError{Limit: b.budget.MaxResponseBytes}
	}
	more := b.read - exemptBytes - b.charged
	if more <= 0 || b.closed {
		return nil
	}
	b.charged += more
	if b.budget.used.Add(more) > b.budget.MaxTotalBytes {
		return &ResponseTooLargeError{Limit: b.budget.MaxTotalBytes, IsTotal: true}
	}
	return nil
}

// Close closes the underlying body and subtracts the bytes of this response from the budget.
func (b *limitedBody) Close() error {
	b.mu.Lock()
	b.budget.used.Add(-b.charged)
	b.charged, b.closed = 0, true
	b.mu.Unlock()
	return b.inner.Close()
}

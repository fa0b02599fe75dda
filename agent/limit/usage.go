package limit

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// usageTail is the number of bytes stored from the end of an answer. The token usage is there, both
// in JSON and in a stream.
const usageTail = 4 << 10

// maxEstimate limits the estimated tokens of a request.
const maxEstimate = 1 << 24

// estimate returns the estimated tokens of a request: one for every four bytes, plus the maximum
// length of the answer.
func estimate(req *http.Request) int {
	n := int(min(max(req.ContentLength, 0)/4, maxEstimate))
	if req.GetBody == nil {
		return n
	}
	b, err := req.GetBody()
	if err != nil {
		return n
	}
	defer b.Close() // closes a copy of the body
	text, err := io.ReadAll(io.LimitReader(b, 1<<20))
	if err != nil {
		return n
	}
	for _, name := range []string{`"max_tokens":`, `"max_completion_tokens":`} {
		n += min(max(numberAfter(text, name), 0), maxEstimate)
	}
	return min(n, maxEstimate)
}

// numberAfter returns the integer after the last occurrence of name; -1: none.
func numberAfter(text []byte, name string) int {
	at := bytes.LastIndex(text, []byte(name))
	if at < 0 {
		return -1
	}
	digits := bytes.TrimLeft(text[at+len(name):], " \t\r\n")
	end := 0
	for end < len(digits) && digits[end] >= '0' && digits[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(string(digits[:end]))
	if err != nil {
		return -1
	}
	return n
}

// body is the body of an answer. When it ends or is closed, the request is no longer in progress
// and its tokens are charged.
type body struct {
	io.ReadCloser
	ctx      context.Context
	ticket   ticket
	endpoint *endpoint

	mu    sync.Mutex
	ended bool
	tail  []byte
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.endpoint.tokens != nil {
		b.appendTail(p[:n])
	}
	if err != nil {
		b.end()
	}
	return n, err
}

func (b *body) Close() error {
	b.end()
	return b.ReadCloser.Close()
}

func (b *body) appendTail(p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tail = append(b.tail, p[max(0, len(p)-usageTail):]...)
	if len(b.tail) > 2*usageTail {
		b.tail = append(b.tail[:0], b.tail[len(b.tail)-usageTail:]...)
	}
}

func (b *body) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ended {
		b.ended = true
		b.endpoint.leave(b.ctx, b.ticket, numberAfter(b.tail, `"total_tokens":`))
	}
}

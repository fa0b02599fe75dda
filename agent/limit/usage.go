package limit

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// usageTail is how much of an answer's end is kept: its usage stands there, in JSON as in
// the last frames of a stream.
const usageTail = 4 << 10

// maxEstimate bounds what a request is thought to need, in tokens.
const maxEstimate = 1 << 24

// estimate reckons with a token for every four bytes of a request and with all that it
// lets its answer have.
func estimate(req *http.Request) int {
	n := int(min(max(req.ContentLength, 0)/4, maxEstimate))
	if req.GetBody == nil {
		return n
	}
	b, err := req.GetBody()
	if err != nil {
		return n
	}
	defer b.Close() // a copy
	text, err := io.ReadAll(io.LimitReader(b, 1<<20))
	if err != nil {
		return n
	}
	for _, name := range []string{`"max_tokens":`, `"max_completion_tokens":`} {
		n += min(max(numberAfter(text, name), 0), maxEstimate)
	}
	return min(n, maxEstimate)
}

// numberAfter is the whole number behind the last such name; -1 without one.
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

// body is that of an answer; at its end, or when nobody reads on, the request is over.
type body struct {
	io.ReadCloser
	ctx      context.Context
	ticket   ticket
	endpoint *endpoint

	mu   sync.Mutex
	over bool
	tail []byte
}

// Read is part of io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.endpoint.tokens != nil {
		b.keep(p[:n])
	}
	if err != nil {
		b.end()
	}
	return n, err
}

// Close is part of io.Closer.
func (b *body) Close() error {
	b.end()
	return b.ReadCloser.Close()
}

func (b *body) keep(p []byte) {
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
	if !b.over {
		b.over = true
		b.endpoint.leave(b.ctx, b.ticket, numberAfter(b.tail, `"total_tokens":`))
	}
}

package cache

import (
	"bytes"
	"fmt"
	"net"
	"strconv"

	"evalctl/agent/llm"
)

// Limits on the lengths in a Redis reply. The client library allocates the announced length before
// the data arrives.
const (
	maxDepth    = 8       // nesting of arrays
	maxLine     = 4 << 10 // bytes
	maxOverhead = 1 << 20 // bytes in addition to the values, and for a value that is too long to be stored
)

// limitedConn is a connection that fails if the server announces more than any reply needs.
type limitedConn struct {
	net.Conn
	max int // bytes of a reply

	line      []byte // current line
	skip      int    // remaining bytes of a bulk string
	remaining []int  // remaining elements of each open array
	size      int    // bytes of the current reply
	refusal   error
}

// Read is part of net.Conn. It returns no data from a read with a rejected header.
func (b *limitedConn) Read(p []byte) (int, error) {
	if b.refusal != nil {
		return 0, b.refusal
	}
	n, err := b.Conn.Read(p)
	if b.refusal = b.follow(p[:n]); b.refusal != nil {
		return 0, b.refusal
	}
	return n, err
}

// follow parses the data from the server.
func (b *limitedConn) follow(p []byte) error {
	for len(p) > 0 {
		if b.skip > 0 {
			n := min(b.skip, len(p))
			b.skip, p = b.skip-n, p[n:]
			if b.skip == 0 {
				b.element()
			}
			continue
		}
		part := p
		if end := bytes.IndexByte(p, '\n'); end >= 0 {
			part = p[:end+1]
		}
		if b.line, p = append(b.line, part...), p[len(part):]; len(b.line) > maxLine {
			return announcedError("a line of more than %d bytes", maxLine)
		}
		if part[len(part)-1] != '\n' {
			return nil
		}
		if err := b.header(string(bytes.TrimRight(b.line, "\r\n"))); err != nil {
			return err
		}
		b.line = b.line[:0]
	}
	return nil
}

// header parses a complete line.
func (b *limitedConn) header(line string) error {
	b.size += len(line)
	if line == "" {
		return announcedError("an empty line")
	}
	n, err := strconv.Atoi(line[1:])
	switch kind := line[0]; {
	case kind != '$' && kind != '*':
		if kind != '+' && kind != '-' && kind != ':' { // not part of RESP2
			return announcedError("%.20q", line)
		}
	case err != nil || n < -1:
		return announcedError("a length of %.20q", line[1:])
	case kind == '$' && n >= 0:
		if b.size += n; n > b.max || b.size > b.max {
			return announcedError("%d bytes, and takes at most %d", n, b.max)
		}
		b.skip = n + len("\r\n")
		return nil
	case kind == '*' && n > 0:
		if n > keysAtOnce || len(b.remaining) == maxDepth {
			return announcedError("%d values, %d lists deep", n, len(b.remaining))
		}
		b.remaining = append(b.remaining, n)
		return nil
	}
	if b.size > b.max {
		return announcedError("more than %d bytes", b.max)
	}
	b.element()
	return nil
}

// element records a complete element, which may complete its array.
func (b *limitedConn) element() {
	for last := len(b.remaining) - 1; last >= 0; last-- {
		if b.remaining[last]--; b.remaining[last] > 0 {
			return
		}
		b.remaining = b.remaining[:last]
	}
	b.size = 0
}

func announcedError(format string, a ...any) error {
	return &llm.Error{Kind: llm.KindMalformedResponse, Provider: "redis",
		Message: "the server announces " + fmt.Sprintf(format, a...)}
}

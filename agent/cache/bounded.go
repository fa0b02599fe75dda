package cache

import (
	"bytes"
	"fmt"
	"net"
	"strconv"

	"evalctl/agent/llm"
)

// Limits on a reply of the Redis server. They exist because the client library allocates memory for
// an announced length before the data arrives.
const (
	maxDepth = 8       // nesting of arrays
	maxLine  = 4 << 10 // bytes of a line
	// allowed beyond the largest permitted values, so that a value that is too long can still be
	// read
	maxOverhead = 1 << 20
)

// limitedConn is a connection to Redis that fails if the server announces too large a reply.
type limitedConn struct {
	net.Conn
	maxReply int // maximum size of a reply in bytes

	line      []byte // incomplete header line
	skip      int    // remaining bytes of the current bulk string
	remaining []int  // remaining elements of each open array, the outermost first
	size      int    // bytes of the current reply so far
	refusal   error
}

// Read implements net.Conn. It fails without data as soon as the server announces too much.
func (b *limitedConn) Read(p []byte) (int, error) {
	if b.refusal != nil {
		return 0, b.refusal
	}
	n, err := b.Conn.Read(p)
	if b.refusal = b.parse(p[:n]); b.refusal != nil {
		return 0, b.refusal
	}
	return n, err
}

// parse parses the reply headers in received data and returns an error for a length that is too
// large.
func (b *limitedConn) parse(p []byte) error {
	for len(p) > 0 {
		if b.skip > 0 {
			n := min(b.skip, len(p))
			b.skip, p = b.skip-n, p[n:]
			if b.skip == 0 {
				b.completeElement()
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

// header parses one complete header line of the Redis protocol (RESP2).
func (b *limitedConn) header(line string) error {
	b.size += len(line)
	if line == "" {
		return announcedError("an empty line")
	}
	n, err := strconv.Atoi(line[1:])
	switch kind := line[0]; {
	case kind != '$' && kind != '*':
		if kind != '+' && kind != '-' && kind != ':' { // unknown type in RESP2
			return announcedError("%.20q", line)
		}
	case err != nil || n < -1:
		return announcedError("a length of %.20q", line[1:])
	case kind == '$' && n >= 0:
		if b.size += n; n > b.maxReply || b.size > b.maxReply {
			return announcedError("%d bytes, and takes at most %d", n, b.maxReply)
		}
		b.skip = n + len("\r\n")
		return nil
	case kind == '*' && n > 0:
		if n > maxKeysPerCommand || len(b.remaining) == maxDepth {
			return announcedError("%d values, %d lists deep", n, len(b.remaining))
		}
		b.remaining = append(b.remaining, n)
		return nil
	}
	if b.size > b.maxReply {
		return announcedError("more than %d bytes", b.maxReply)
	}
	b.completeElement()
	return nil
}

// completeElement counts a complete element. An array whose last element it is becomes complete,
// too.
func (b *limitedConn) completeElement() {
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

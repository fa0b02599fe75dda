package transport

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"evalctl/agent/clock"
)

// window is how many bytes a handler can write before the client must read.
const window = 64 << 10

// errClientGone is the error of a write after the client has closed the response body.
var errClientGone = errors.New("client closed the connection")

// pipe transfers a response from the handler to the client in the same process.
type pipe struct {
	mu      sync.Mutex // protects the other fields; never held during a wait
	ctx     context.Context
	header  bool // the headers have been sent to the client
	data    bytes.Buffer
	endErr  error // why the data has ended; io.EOF: complete; nil: more may follow
	changed *clock.Chan[struct{}]
}

// await calls try, at once and after every change of the pipe, until try returns true. It returns
// an error if ctx ends first. what describes the wait, for reports of a deadlock.
func (p *pipe) await(ctx context.Context, what string, try func() bool) error {
	for {
		p.mu.Lock()
		if try() {
			p.mu.Unlock()
			return nil
		}
		if p.changed == nil {
			p.changed = clock.NewChan[struct{}](p.ctx, what, 0)
		}
		changed := p.changed
		p.mu.Unlock()
		if _, _, err := changed.Recv(ctx); err != nil {
			return err
		}
	}
}

// notify wakes all goroutines that wait in await. The caller holds the lock.
func (p *pipe) notify() {
	if p.changed != nil {
		p.changed.Close()
		p.changed = nil
	}
}

// awaitHeader waits until the handler has sent the headers. It returns an error if the handler
// failed before.
func (p *pipe) awaitHeader(ctx context.Context) (failed error) {
	err := p.await(ctx, "the response's headers", func() bool {
		if !p.header {
			failed = p.endErr
		}
		return p.header || p.endErr != nil
	})
	return cmp.Or(err, failed)
}

func (p *pipe) sendHeader() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.header = true
	p.notify()
}

// send transfers b to the client. It blocks while the client is more than window bytes behind.
func (p *pipe) send(ctx context.Context, b []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var gone error
	err := p.await(ctx, "the client to read", func() bool {
		if gone = p.endErr; gone != nil {
			return true
		}
		if n := min(window-p.data.Len(), len(b)); n > 0 {
			p.data.Write(b[:n])
			b = b[n:]
			p.notify()
		}
		return len(b) == 0
	})
	return cmp.Or(err, gone)
}

func (p *pipe) receive(ctx context.Context, b []byte) (n int, err error) {
	var over error
	err = p.await(ctx, "the response's body", func() bool {
		if p.data.Len() > 0 {
			n, _ = p.data.Read(b)
			p.notify()
			return true
		}
		over = p.endErr
		return over != nil
	})
	return n, cmp.Or(err, over)
}

// end ends the data. err is io.EOF if the response is complete, else the reason. Only the first
// call has an effect.
func (p *pipe) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.endErr == nil {
		p.endErr = err
	}
	p.notify()
}

// body is the response body that the client reads.
type body struct {
	ctx       context.Context
	pipe      *pipe
	cancel    func()
	remaining int64 // bytes left to read; negative: unknown
	closed    atomic.Bool
}

var _ io.ReadCloser = (*body)(nil)

func (b *body) Read(p []byte) (int, error) {
	if b.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	if b.ctx.Err() != nil {
		b.cancel()
		return 0, context.Cause(b.ctx)
	}
	if b.remaining == 0 { // a body of known length ends even if its handler still runs
		return 0, io.EOF
	}
	n, err := b.pipe.receive(b.ctx, p)
	switch {
	case b.closed.Load():
		return n, http.ErrBodyReadAfterClose
	case b.ctx.Err() != nil && n == 0:
		b.cancel()
		return 0, context.Cause(b.ctx)
	case b.remaining > 0:
		b.remaining -= int64(n)
	}
	return n, err
}

// Close ends the response and cancels the handler's context.
func (b *body) Close() error {
	b.closed.Store(true)
	b.cancel()
	b.pipe.end(errClientGone)
	return nil
}

package outbound

import (
	"context"
	"io"
	"time"

	"evalctl/agent/clock"
)

// Limits of Drain: the number of bytes and the time. The time is part of the measured latency of a
// call.
const (
	drainBytes   = 4 << 10
	drainTimeout = 10 * time.Millisecond
)

// Drain reads what follows the last event of a stream, so that net/http can reuse the connection.
// rest is the reader of the remaining body.
func Drain(ctx context.Context, body io.Closer, rest io.Reader) {
	if clock.IsSimulated(ctx) { // a simulated service has no connection to reuse
		return
	}
	// closing twice is harmless; the caller closes it again
	stop := clock.AfterFunc(ctx, drainTimeout, func() { _ = body.Close() })
	defer stop()
	_, _ = io.CopyN(io.Discard, rest, drainBytes) // neither the data nor an error matters here
}

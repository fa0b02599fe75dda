package outbound

import (
	"context"
	"io"
	"time"

	"evalctl/agent/clock"
)

// Limits of size and time for reading the end of a stream. The wait counts as latency.
const (
	drainBytes   = 4 << 10
	drainTimeout = 10 * time.Millisecond
)

// Drain reads the rest of a stream after its last event, so that net/http can reuse the connection.
// rest contains the unread part of body.
func Drain(ctx context.Context, body io.Closer, rest io.Reader) {
	if clock.IsSimulated(ctx) { // there are no connections
		return
	}
	stop := clock.AfterFunc(ctx, drainTimeout, func() { _ = body.Close() }) // may be closed again later
	defer stop()
	_, _ = io.CopyN(io.Discard, rest, drainBytes) // the data is not used
}

package outbound

import (
	"context"
	"io"
	"time"

	"evalctl/agent/clock"
)

// How much is read, and how long is waited, for the end of a stream. What is waited counts
// as the latency of who streams.
const (
	drainBytes    = 4 << 10
	drainPatience = 10 * time.Millisecond
)

// Drain reads what stands behind the last event of a stream, as a rule nothing but the end:
// only then can net/http use the connection again. What is left of body comes from rest.
func Drain(ctx context.Context, body io.Closer, rest io.Reader) {
	if clock.IsSimulated(ctx) { // which has no connections
		return
	}
	stop := clock.AfterFunc(ctx, drainPatience, func() { _ = body.Close() }) // closed once more later
	defer stop()
	_, _ = io.CopyN(io.Discard, rest, drainBytes) // what comes here is of no use
}

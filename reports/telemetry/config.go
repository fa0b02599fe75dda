package telemetry

import (
	"context"
	"net/http"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// Limits of an export, for any behavior of the collector.
const (
	attemptTimeout = 10 * time.Second // the default of OTLP exporters
	wholeTimeout   = 5 * time.Minute
	attempts       = 5
	firstWait      = time.Second
	maxWait        = 30 * time.Second // longest accepted Retry-After
	maxAnswer      = 64 << 10
)

// Config configures the export of a run.
type Config struct {
	Endpoint Endpoint
	Content  bool         // also exports the texts of turns and replies
	Secrets  *secret.Set  // redacted in error messages
	HTTP     *http.Client // nil: a client that does not follow redirects

	Timeout time.Duration                              // of one attempt; 0: 10 s
	Wait    func(context.Context, time.Duration) error // waits between attempts; nil: for the given time
}

// ExportResult counts what was sent to the collector.
type ExportResult struct {
	Trials, Spans, Points int64
	WithoutTrace          int64  // trials without a trace; their calls were not exported
	Rejected              int64  // spans and points that the collector rejected
	Reason                string // the collector's reason
}

func (c Config) client() *http.Client {
	if c.HTTP != nil {
		return c.HTTP
	}
	return outbound.New(outbound.Config{MaxAnswer: maxAnswer})
}

func (c Config) wait(ctx context.Context, d time.Duration) error {
	if c.Wait != nil {
		return c.Wait(ctx, d)
	}
	return clock.Sleep(ctx, d)
}

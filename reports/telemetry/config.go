package telemetry

import (
	"context"
	"net/http"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// Limits for an export. They hold for any behavior of the collector.
const (
	attemptTimeout = 10 * time.Second // default of OTLP exporters
	wholeTimeout   = 5 * time.Minute
	attempts       = 5
	firstWait      = time.Second
	maxWait        = 30 * time.Second // a collector that requests a longer wait (Retry-After) fails the export
	maxAnswer      = 64 << 10
)

// Config contains the settings for an export of a run.
type Config struct {
	Endpoint     Endpoint
	IncludeTexts bool         // also export the texts of turns and replies
	Secrets      *secret.Set  // values that error messages must not contain
	HTTP         *http.Client // nil: a client that does not follow redirects

	Timeout time.Duration                              // maximum duration of one request; 0: 10 s
	Wait    func(context.Context, time.Duration) error // waits before a retry; nil: clock.Sleep
}

// ExportResult counts what an export sent to the collector.
type ExportResult struct {
	Trials, Spans, MetricPoints int64  // numbers of exported items
	WithoutTrace                int64  // number of trials without a trace, whose calls were not exported
	Rejected                    int64  // number of spans and points that the collector rejected
	RejectReason                string // why the collector rejected them
}

func (c Config) client() *http.Client {
	if c.HTTP != nil {
		return c.HTTP
	}
	return outbound.New(outbound.Config{MaxResponseBytes: maxAnswer})
}

func (c Config) wait(ctx context.Context, d time.Duration) error {
	if c.Wait != nil {
		return c.Wait(ctx, d)
	}
	return clock.Sleep(ctx, d)
}

package telemetry

import (
	"context"
	"net/http"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// Bounds of what a collector may cost, whatever it does.
const (
	attemptTimeout = 10 * time.Second // as OTLP's own exporters
	wholeTimeout   = 5 * time.Minute
	attempts       = 5
	firstWait      = time.Second
	maxWait        = 30 * time.Second // that it may ask for
	maxAnswer      = 64 << 10
)

// Config says where a run goes and how.
type Config struct {
	Endpoint Endpoint
	Content  bool         // also what was asked and answered
	Secrets  *secret.Set  // are taken out of what is told of a failure
	HTTP     *http.Client // nil: one that follows no redirect

	Timeout time.Duration                              // of an attempt; 0: 10 s
	Wait    func(context.Context, time.Duration) error // between attempts; nil: that long
}

// ExportResult is what the collector was given.
type ExportResult struct {
	Trials, Spans, Points int64
	WithoutTrace          int64  // trials without a trace: their calls are lacking
	Rejected              int64  // spans and points that the collector did not take
	Reason                string // in its own words
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

// Package telemetry hands a run that is over to a collector of OpenTelemetry, over
// OTLP/HTTP in protobuf: a trace for each trial, and metrics, under the semantic
// conventions for generative AI (v1.41.1, in development).
//
// A trial is a span invoke_agent with a child for each call to the outside. Its
// times are the run's start plus the offsets that the trial recorded, for a trial's
// own start is nowhere kept: traces of one run lie on top of each other. Ids follow
// from the run's start and the trial's key, so that a run that is sent twice is one.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
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

// Sent is what the collector was given.
type Sent struct {
	Trials, Spans, Points int64
	Traceless             int64  // trials without a trace: their calls are lacking
	Rejected              int64  // spans and points that the collector did not take
	Why                   string // in its own words
}

// Export sends a run, and the figures of its summary. What was sent before a failure
// stays sent.
func Export(ctx context.Context, run *runs.Run, summary eval.Summary, cfg Config) (Sent, error) {
	r, err := resourceOf(run.Manifest)
	if err != nil {
		return Sent{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, wholeTimeout)
	defer cancel()
	var sent Sent
	p := newPoster(cfg, &sent)
	calls := newCallMetrics()
	if err := exportTrials(ctx, run, r, cfg.Content, p, calls); err != nil {
		return sent, p.failure(ctx, err)
	}
	m := points{poster: p, resource: r}
	if err := errors.Join(calls.write(ctx, &m), m.summary(ctx, summary)); err != nil {
		return sent, p.failure(ctx, err)
	}
	return sent, p.failure(ctx, m.flush(ctx))
}

// exportTrials sends a trace for each result, one batch after another.
func exportTrials(ctx context.Context, run *runs.Run, r resource, content bool, p *poster, calls *callMetrics) (err error) {
	found, err := run.Lookup()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	b := spans{poster: p, resource: r}
	systems := systemsOf(run)
	for res, err := range run.Results() {
		if err != nil {
			return err
		}
		line, err := found.Trace(res.Key)
		if errors.Is(err, runs.ErrNoTrace) {
			p.sent.Traceless++
			line, err = journal.Trace{}, nil
		}
		if err != nil {
			return err
		}
		res.Outcome = line.Outcome
		t := newTrial(r, res, systems[res.Suite], content)
		p.sent.Trials++
		if err := t.write(func(s *span) error { calls.see(t, s.call); return b.add(ctx, s) }); err != nil {
			return err
		}
	}
	return b.flush(ctx)
}

// failure says in one line, without secrets, why the collector has not got all.
func (p *poster) failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		err = fmt.Errorf("the collector took longer than %s in all", wholeTimeout)
	}
	return &told{text: p.cfg.Secrets.Replace(err.Error()), err: err}
}

// told is an error whose text has no secrets.
type told struct {
	text string
	err  error
}

func (t *told) Error() string { return t.text }
func (t *told) Unwrap() error { return t.err }

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

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

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// Export sends a run, and the figures of its summary. What was sent before a failure
// stays sent.
func Export(ctx context.Context, run *runs.Run, summary eval.Summary, cfg Config) (ExportResult, error) {
	r, err := resourceOf(run.Manifest)
	if err != nil {
		return ExportResult{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, wholeTimeout)
	defer cancel()
	var sent ExportResult
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
			p.sent.WithoutTrace++
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
	return &told{text: p.cfg.Secrets.Redact(err.Error()), err: err}
}

// told is an error whose text has no secrets.
type told struct {
	text string
	err  error
}

func (t *told) Error() string { return t.text }
func (t *told) Unwrap() error { return t.err }

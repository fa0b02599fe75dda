// Package telemetry exports a finished run to an OpenTelemetry collector, over OTLP/HTTP in
// protobuf. It sends a trace for each trial, and metrics. They follow the semantic conventions for
// generative AI (v1.41.1, in development).
//
// A trial is a span invoke_agent with a child span for each call. Results do not contain when a
// trial started. Its times are therefore the start of the run plus the offsets in the trial, and
// the traces of a run overlap. IDs are derived from the start of the run and the trial's key, so
// that a second export creates no duplicates.
package telemetry

import (
	"context"
	"errors"
	"fmt"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// Export sends the traces of a run's trials and the metrics of its summary. If it fails, the data
// sent before remain at the collector.
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
	if err := exportTrials(ctx, run, r, cfg.IncludeTexts, p, calls); err != nil {
		return sent, p.exportError(ctx, err)
	}
	m := pointBatch{poster: p, resource: r}
	if err := errors.Join(calls.write(ctx, &m), m.summary(ctx, summary)); err != nil {
		return sent, p.exportError(ctx, err)
	}
	return sent, p.exportError(ctx, m.flush(ctx))
}

func exportTrials(ctx context.Context, run *runs.Run, r resource, content bool, p *poster,
	calls *callMetrics) (err error) {
	found, err := run.IndexTrials()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	b := spanBatch{poster: p, resource: r}
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
		if err := t.write(func(s *span) error { calls.add(t, s.call); return b.add(ctx, s) }); err != nil {
			return err
		}
	}
	return b.flush(ctx)
}

// exportError returns an error that states in one line why the export is incomplete. It contains no
// secrets.
func (p *poster) exportError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		err = fmt.Errorf("the collector took longer than %s in all", wholeTimeout)
	}
	return &redactedError{text: p.cfg.Secrets.Redact(err.Error()), err: err}
}

type redactedError struct {
	text string
	err  error
}

func (t *redactedError) Error() string { return t.text }
func (t *redactedError) Unwrap() error { return t.err }

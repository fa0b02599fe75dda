package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
)

// trialTimeout bounds a trial on its own clock: a picture may take 120 s of
// polling, and each model call some retries.
const trialTimeout = 10 * time.Minute

// session is one run under way.
type session struct {
	dir      string
	plan     *plan
	manifest *manifest
	log      *journal.Writer
	table    *metric.Table
	done     map[string]struct{} // keys that a resumed run has
	formats  []output
}

// play runs the trials, then writes the summary and the reports, also of a run
// that was cut short.
func (s *session) play(ctx context.Context, f *runFlags, stdout, stderr io.Writer) error {
	began := time.Now()
	bar := newProgress(stderr, s.plan.total(), int64(len(s.done)), f.quiet)
	runner := eval.Runner{
		Parallel: f.workers(s.plan.simulated), Timeout: trialTimeout, Simulated: s.plan.simulated,
		Warn: func(text string) { bar.warn(text) },
		Skip: func(key string) bool { _, ok := s.done[key]; return ok },
	}
	played := runner.Run(ctx, s.plan.trials(), eval.SinkFunc(func(r eval.Result) error {
		bar.step(r.Error != nil)
		if err := s.log.Add(r); err != nil {
			return err
		}
		return s.table.Add(r)
	}))
	bar.finish()
	sum := s.table.Close()
	sum.Partial = played != nil
	s.judge(&sum)
	if err := s.finish(ctx, sum, played); err != nil {
		return incomplete(err)
	}
	fmt.Fprintf(stderr, "results in %s\n", s.dir)
	if err := s.report(stdout, sum, time.Since(began), f.verbose); err != nil {
		return incomplete(err)
	}
	return s.verdict(ctx, sum, played, stderr)
}

// finish makes the run's files whole.
func (s *session) finish(ctx context.Context, sum eval.Summary, played error) error {
	now := time.Now()
	s.manifest.Finished, s.manifest.Status = &now, statusDone
	if played != nil {
		s.manifest.Status, s.manifest.Error = statusFailed, played.Error()
	}
	if interrupted(ctx, played) {
		s.manifest.Status, s.manifest.Error = statusInterrupted, ""
	}
	return errors.Join(s.log.Close(), writeJSON(filepath.Join(s.dir, summaryFile), sum), s.manifest.write(s.dir))
}

// verdict is the run's exit: incomplete beats a failed gate.
func (s *session) verdict(ctx context.Context, sum eval.Summary, played error, stderr io.Writer) error {
	switch {
	case interrupted(ctx, played):
		return &exitError{exitInterrupted, fmt.Errorf("interrupted: go on with evalctl run --resume %s", s.dir)}
	case played != nil:
		return incomplete(fmt.Errorf("run stopped: %w", played))
	}
	for _, suite := range sum.Suites {
		for _, c := range suite.Variants {
			if v := c.Metrics["missing.rate"].Value; v == nil || *v == 1 {
				return incomplete(fmt.Errorf("suite %s, variant %s, fault %s: no trial of %d has an answer", suite.Name, c.Name, c.Fault, c.Trials))
			}
			if v := c.Metrics["errors.harness"].Value; v != nil && *v > 0 {
				return incomplete(fmt.Errorf("suite %s, variant %s: %v trials were lost by the harness", suite.Name, c.Name, *v))
			}
		}
	}
	for _, g := range sum.Gates {
		if !g.Passed {
			return errGate
		}
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
)

// trialTimeout bounds a trial on its own clock: a picture may take 120 s of
// polling, and each model call some retries.
const trialTimeout = 10 * time.Minute

// gcPercent trades memory that a run does not need for a fifth of its time: the
// live heap is a few MiB, however many trials there are.
const gcPercent = 400

// session is one run under way.
type session struct {
	dir      string
	plan     *plan
	manifest *manifest
	resumed  bool
	outputs  []output

	log   *journal.Writer
	table *metric.Table
	reach *reach
	done  map[string]struct{} // keys that a resumed run has
}

func newSession(dir string, p *plan, m *manifest) *session {
	return &session{dir: dir, plan: p, manifest: m, table: metric.NewTable(p.summaries()),
		reach: newReach(p), done: map[string]struct{}{}}
}

// play runs the trials, then writes the summary and the reports, also of a run
// that was cut short.
func (s *session) play(ctx context.Context, f *runFlags, stdout, stderr io.Writer) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	began := time.Now()
	bar := newProgress(stderr, s.plan.total(), int64(len(s.done)), f.quiet)
	played := s.trials(ctx, f.workers(s.plan.simulated), bar)
	bar.finish()
	sum := s.table.Close()
	sum.Partial = played != nil
	if len(s.plan.gates) > 0 {
		sum.Gates = gate.Check(s.plan.gates, sum)
	}
	wrote := s.finish(ctx, sum, played)
	if !f.quiet {
		fmt.Fprintf(stderr, "results in %s\n", s.dir)
	}
	told := s.report(stdout, sum, time.Since(began), f.verbose)
	if !s.showsGates() {
		for _, g := range sum.Gates {
			if !g.Passed {
				fmt.Fprintf(stderr, "evalctl: gate failed: %s — %s\n", g.Rule, g.Reason)
			}
		}
	}
	if err := errors.Join(wrote, told); err != nil {
		return incomplete(errors.Join(played, err))
	}
	return s.verdict(ctx, sum, played)
}

// trials plays what is not done yet, unless no real model can be reached.
func (s *session) trials(ctx context.Context, parallel int, bar *progress) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var gaveUp error
	runner := eval.Runner{
		Parallel: parallel, Timeout: trialTimeout, Simulated: s.plan.simulated, Warn: bar.warn,
		Skip: func(key string) bool { _, ok := s.done[key]; return ok },
	}
	err := runner.Run(ctx, s.plan.trials(), eval.SinkFunc(func(r eval.Result) error {
		bar.step(r.Error != nil)
		if err := s.log.Add(r); err != nil {
			return err
		}
		if gaveUp == nil {
			if gaveUp = s.reach.play(r); gaveUp != nil {
				stop()
			}
		}
		return s.table.Add(r)
	}))
	if gaveUp != nil {
		return gaveUp
	}
	return err
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
func (s *session) verdict(ctx context.Context, sum eval.Summary, played error) error {
	switch {
	case interrupted(ctx, played):
		return &exitError{exitInterrupted, fmt.Errorf("interrupted: go on with evalctl run --resume %s", s.dir)}
	case played != nil:
		return incomplete(fmt.Errorf("run stopped: %w; go on with evalctl run --resume %s", played, s.dir))
	}
	for _, suite := range sum.Suites {
		for _, c := range suite.Variants {
			if err := s.reach.verdict(suite.Name, c); err != nil {
				return incomplete(err)
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

// interrupted tells an interruption from a failure.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled)
}

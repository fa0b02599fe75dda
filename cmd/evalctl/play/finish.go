package play

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
)

// verifyFiles returns an error if results are missing or the directory belongs to another run.
func (r *Run) verifyFiles() error {
	if err := r.log.SyncAndVerify(); err != nil {
		return err
	}
	if ours, err := r.hasManifest(); err != nil {
		return fmt.Errorf("%w: %w", err, journal.ErrChanged)
	} else if !ours {
		return fmt.Errorf("%s is of another run: %w", filepath.Join(r.Dir, journal.ManifestFile), journal.ErrChanged)
	}
	return nil
}

// hasManifest reports whether the manifest in the run directory is the manifest of this run.
func (r *Run) hasManifest() (bool, error) {
	m, err := journal.ReadManifest(r.Dir)
	return err == nil && m.ManifestHash == r.manifest.ManifestHash && m.Started.Equal(r.manifest.Started), err
}

// ownsFolder reports whether the run directory still belongs to this run and may be written to.
func (r *Run) ownsFolder() bool {
	if r.log.OwnsDir() {
		return true
	}
	ours, _ := r.hasManifest() // an unreadable manifest is not ours
	return ours
}

// recount computes the metrics again from the results file, after that file has lost results of
// this process.
func (r *Run) recount() error {
	r.table = metric.NewCollector(r.plan.summaries(), r.plan.gateChecker.tags()...)
	if err := r.plan.gateChecker.compare(r.plan.gates, r.plan.fingerprint()); err != nil {
		return err
	}
	if !r.log.OwnsDir() {
		return nil
	}
	held, err := runs.Open(r.resultsPath())
	if errors.Is(err, runs.ErrNoResult) {
		return nil
	}
	if err == nil {
		err = held.ReadInto(r.table)
	}
	if err == nil {
		err = r.plan.gateChecker.addRun(held)
	}
	return err
}

// finish writes the summary and the final manifest, and closes the journal. The manifest gets the
// status done only if the results and the summary were written.
func (r *Run) finish(ctx context.Context, sum eval.Summary, runErr, exitErr error) error {
	now := time.Now()
	if !r.plan.simulated {
		spent := r.spend.spent(r.plan.limits.RequestsSent())
		for _, e := range r.plan.limits.Stats() {
			spent.RateLimitedRequests += e.RateLimited
		}
		r.manifest.Spent = &spent
	}
	r.manifest.Finished, r.manifest.Status = &now, journal.StatusDone
	if runErr == nil && exit.Code(exitErr) == exit.Incomplete {
		r.manifest.IncompleteMetrics = r.plan.secrets.Redact(exitErr.Error())
	}
	switch {
	case interrupted(ctx, runErr):
		r.manifest.Status = journal.StatusInterrupted
	case runErr != nil:
		r.setFailed(runErr)
	}
	if !r.ownsFolder() {
		return r.log.Close()
	}
	stored := sum
	stored.FormatVersion = journal.FormatVersion
	writeErr := errors.Join(r.log.Sync(),
		journal.WriteJSON(filepath.Join(r.Dir, journal.SummaryFile), r.plan.secrets.MarshalRedacted(stored)))
	if writeErr != nil {
		r.setFailed(writeErr)
	}
	return errors.Join(writeErr, r.manifest.Write(r.Dir), r.log.Close())
}

func (r *Run) setFailed(why error) {
	r.manifest.Status, r.manifest.Error = journal.StatusFailed, r.plan.secrets.Redact(why.Error())
}

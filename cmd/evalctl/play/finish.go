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

// verifyFiles reports rows that did not reach the run's files or are no longer in them,
// and a folder that is no longer this run's.
func (r *Run) verifyFiles() error {
	if err := r.log.Verify(); err != nil {
		return err
	}
	if ours, err := r.hasManifest(); err != nil {
		return fmt.Errorf("%w: %w", err, journal.ErrChanged)
	} else if !ours {
		return fmt.Errorf("%s is of another run: %w", filepath.Join(r.Dir, journal.ManifestFile), journal.ErrChanged)
	}
	return nil
}

// hasManifest reports whether the manifest in the folder is of this run.
func (r *Run) hasManifest() (bool, error) {
	m, err := journal.ReadManifest(r.Dir)
	return err == nil && m.ManifestHash == r.manifest.ManifestHash && m.Started.Equal(r.manifest.Started), err
}

// ownsFolder reports whether the folder is still the run's: nothing is written to another's.
func (r *Run) ownsFolder() bool {
	if r.log.HoldsFolder() {
		return true
	}
	ours, _ := r.hasManifest() // one that cannot be read is not ours
	return ours
}

// recount counts anew, of the rows that the file of results holds, what the trials of this
// process came to: some of their rows are not there.
func (r *Run) recount() error {
	r.table = metric.NewTable(r.plan.summaries(), r.plan.judge.tags()...)
	if err := r.plan.judge.compare(r.plan.gates, r.plan.asked()); err != nil {
		return err
	}
	if !r.log.HoldsFolder() {
		return nil
	}
	held, err := runs.Open(r.resultsPath())
	if errors.Is(err, runs.ErrNoResult) {
		return nil
	}
	if err == nil {
		err = held.Read(r.table)
	}
	if err == nil {
		err = r.plan.judge.seeAll(held)
	}
	return err
}

// finish writes the summary and the last manifest, and closes the journal. The manifest
// says that the run is done only if everything before it was written.
func (r *Run) finish(ctx context.Context, sum eval.Summary, played, judged error) error {
	now := time.Now()
	if !r.plan.simulated {
		spent := r.purse.spent(r.plan.limits.RequestsSent())
		for _, e := range r.plan.limits.Stats() {
			spent.RateLimited += e.RateLimited
		}
		r.manifest.Spent = &spent
	}
	r.manifest.Finished, r.manifest.Status = &now, journal.Done
	if played == nil && exit.Code(judged) == exit.Incomplete {
		r.manifest.Incomplete = r.plan.secrets.Redact(judged.Error())
	}
	switch {
	case interrupted(ctx, played):
		r.manifest.Status = journal.Interrupted
	case played != nil:
		r.fail(played)
	}
	if !r.ownsFolder() {
		return r.log.Close()
	}
	stored := sum
	stored.FormatVersion = journal.FormatVersion
	wrote := errors.Join(r.log.Sync(), journal.WriteJSON(filepath.Join(r.Dir, journal.SummaryFile), r.plan.secrets.MarshalRedacted(stored)))
	if wrote != nil {
		r.fail(wrote)
	}
	return errors.Join(wrote, r.manifest.Write(r.Dir), r.log.Close())
}

// fail has the manifest say why the run did not end as it should.
func (r *Run) fail(why error) {
	r.manifest.Status, r.manifest.Error = journal.Failed, r.plan.secrets.Redact(why.Error())
}

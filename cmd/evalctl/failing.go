package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports"
)

// list prints the failing trials of the run in dir that the selection includes.
func (s trialSelection) list(cmd *cobra.Command, dir string) error {
	out := cmd.OutOrStdout()
	width := terminal.Width(out)
	text, err := exit.CallInterruptible(cmd.Context(), func() ([]byte, error) {
		f, err := s.failing(cmd.Context(), dir)
		if err != nil {
			return nil, err
		}
		f.Width = width
		var b bytes.Buffer
		err = f.Write(&b)
		return b.Bytes(), err
	})
	if err != nil {
		return err
	}
	if _, err := terminal.StyledWriter(out).Write(text); err != nil {
		return exit.InternalError(fmt.Errorf("write the list: %w", err))
	}
	return nil
}

// failing returns the failing trials of a run, complete or not, from its results file.
func (s trialSelection) failing(ctx context.Context, dir string) (reports.FailedTrials, error) {
	f := reports.FailedTrials{Dir: dir, Fault: s.fault}
	run, err := runs.Open(filepath.Join(dir, journal.ResultsFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, fmt.Errorf("show: %s contains no run: it has no %s", dir, journal.ResultsFile)
	case err != nil:
		return f, fmt.Errorf("show: %w", err)
	}
	if f.Partial, err = isIncomplete(dir); err != nil {
		return f, fmt.Errorf("show: %w", err)
	}
	conditions := map[string]struct{}{}
	for r, err := range run.Results() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return f, err
		}
		conditions[r.Variant+" under "+r.Fault] = struct{}{}
		if !s.has(r) {
			continue
		}
		f.Trials++
		switch {
		case r.IsWrong():
			f.WrongCount++
			f.Wrong = s.dropExcess(append(f.Wrong, r))
		case r.IsUnscored():
			f.UnscoredCount++
			f.Unscored = s.dropExcess(append(f.Unscored, r))
		case r.FailedChecks() != nil:
			f.PartlyWrongCount++
			f.PartlyWrong = s.dropExcess(append(f.PartlyWrong, r))
		}
	}
	if f.Trials == 0 {
		return f, fmt.Errorf("show: no such trial; there are: %s",
			strings.Join(slices.Sorted(maps.Keys(conditions)), "; "))
	}
	f.Wrong, f.Unscored, f.PartlyWrong = s.sortAndLimit(f.Wrong), s.sortAndLimit(f.Unscored),
		s.sortAndLimit(f.PartlyWrong)
	return f, nil
}

// dropExcess drops results beyond the number that is shown. It bounds memory, because a run can
// have a million failing trials.
func (s trialSelection) dropExcess(rows []eval.Result) []eval.Result {
	if s.limit == 0 || len(rows) < 2*s.limit {
		return rows
	}
	return s.sortAndLimit(rows)
}

// sortAndLimit sorts results by suite and case and returns the first limit of them.
func (s trialSelection) sortAndLimit(rows []eval.Result) []eval.Result {
	slices.SortFunc(rows, inOrder)
	if s.limit > 0 && len(rows) > s.limit {
		clear(rows[s.limit:])
		rows = rows[:s.limit]
	}
	return rows
}

func inOrder(a, b eval.Result) int {
	return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Case, b.Case), cmp.Compare(a.Variant, b.Variant),
		cmp.Compare(a.Fault, b.Fault), cmp.Compare(a.Epoch, b.Epoch))
}

// isIncomplete reports whether the run in dir is incomplete: it has no summary, or only a partial
// one.
func isIncomplete(dir string) (bool, error) {
	if _, err := os.Stat(filepath.Join(dir, journal.ManifestFile)); errors.Is(err, fs.ErrNotExist) {
		return false, nil // results without a manifest are complete
	}
	text, err := journal.ReadFile(dir, journal.SummaryFile, maxSummary)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	}
	var s struct {
		Partial bool        `json:"partial"`
		Shard   *eval.Shard `json:"shard"` // set in the results of a shard, which count as complete
	}
	err = json.Unmarshal(text, &s)
	return s.Partial && s.Shard == nil, err
}

// maxSummary is the maximum size of a summary file, in bytes.
const maxSummary = 256 << 20

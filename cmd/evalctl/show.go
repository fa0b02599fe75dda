package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/reports"
	"evalctl/reports/document"
)

// trialSelection selects the trials that evalctl show prints.
type trialSelection struct {
	variant, fault string
	epoch          int
	failingOnly    bool
	limit          int  // maximum for each kind of failing trial; 0: all
	sent           bool // print sent messages in full
}

func (s trialSelection) has(r eval.Result) bool {
	return (s.variant == "" || r.Variant == s.variant) && r.Fault == s.fault && (s.epoch == 0 || r.Epoch == s.epoch)
}

func showCommand() *cobra.Command {
	var s trialSelection
	cmd := &cobra.Command{
		Use:   "show DIR [CASE]",
		Short: "Show the trials of one case, or list failing cases",
		Long: `Show the trials of a case in the run in DIR: the expected and the actual label, the
models' own answers, the conversation, the timeline, and what was sent to the models. With --failing, list the trials
that are wrong and those without an answer. Both show trials without an injected fault,
unless --fault names one.`,
		Example: examples("show") + "\n  evalctl show results --failing --variant llm",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case s.failingOnly && len(args) != 1:
				return fmt.Errorf("show: --failing requires one run directory and no case, got %d arguments", len(args))
			case !s.failingOnly && len(args) != 2:
				return fmt.Errorf("show: requires a run directory and a case, or a run directory and --failing, got %d arguments", len(args))
			}
			return atLeast(0, s.limit)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.failingOnly {
				return s.list(cmd, args[0])
			}
			trials, err := s.find(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			return trials.write(cmd.OutOrStdout(), args[0], s.sent)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&s.failingOnly, "failing", false, "list the failing trials")
	cmd.Flags().StringVar(&s.variant, "variant", "", "only this `VARIANT`")
	cmd.Flags().StringVar(&s.fault, "fault", eval.NoFault, "only trials under this `FAULT`")
	cmd.Flags().BoolVar(&s.sent, "sent", false, "print in full what was sent to the models")
	cmd.Flags().IntVar(&s.epoch, "epoch", 0, "only epoch `N`")
	cmd.Flags().IntVar(&s.limit, "limit", 50,
		"with --failing, list the first `N` wrong trials and the first N without an answer; 0: all")
	return cmd
}

// find returns the selected trials of a case in the run in dir, in a stable order. It returns an
// error if there is none.
func (s trialSelection) find(ctx context.Context, dir, id string) (found shownTrials, err error) {
	all, err := exit.CallInterruptible(ctx, func() ([]eval.Result, error) {
		traced, untraced, err := journal.CaseTrials(dir, id)
		found.untraced = untraced
		return slices.Concat(traced, untraced), err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found, fmt.Errorf("show: %s contains no run: it has no %s", dir, journal.TracesFile)
	case err != nil:
		return found, err
	case len(all) == 0:
		return found, fmt.Errorf("show: %s has no case %q", dir, id)
	}
	slices.SortFunc(all, inOrder)
	var conditions []string
	for _, r := range all {
		if name := r.Variant + " under " + r.Fault; !slices.Contains(conditions, name) {
			conditions = append(conditions, name)
		}
	}
	found.list = slices.DeleteFunc(all, func(r eval.Result) bool { return !s.has(r) })
	if len(found.list) == 0 {
		return found, fmt.Errorf("show: no such trial of case %s; there are: %s", id, strings.Join(conditions, "; "))
	}
	return found, nil
}

// shownTrials contains the trials to show, and the trials of the same case that have no trace.
type shownTrials struct{ list, untraced []eval.Result }

func (t shownTrials) write(out io.Writer, dir string, fullSent bool) error {
	prompt := func(id string) (string, bool) {
		text, err := journal.ReadPrompt(dir, id)
		return text, err == nil
	}
	for _, r := range t.list {
		trial := reports.TrialReport{
			Trial:    r,
			Prompt:   prompt,
			FullSent: fullSent,
			Options:  document.Options{Width: terminal.Width(out)},
		}
		if slices.ContainsFunc(t.untraced, func(u eval.Result) bool { return u.Key == r.Key }) {
			trial.NoTraceReason = journal.NoTraceReason(dir)
		}
		if err := trial.Write(terminal.StyledWriter(out)); err != nil {
			return exit.InternalError(err)
		}
	}
	return nil
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/curve"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/reports"
)

// curveFlags are the flags of evalctl curve: those of run that say what is asked, and
// its own.
type curveFlags struct {
	runFlags
	train   []int
	setting string
	format  string
}

func curveCommand(line []string, secrets *secret.Set, settings []suite.Setting) *cobra.Command {
	f := curveFlags{runFlags: runFlags{endpointFlags: endpointFlags{secrets: secrets}}}
	cmd := &cobra.Command{
		Use:   "curve [SUITE…|DIR]",
		Short: "Plot accuracy over training-set size or a numeric setting",
		Long: `Plot accuracy over the number of training texts. The baseline model linear is trained on nested,
stratified parts of the train split and scored on the suite's cases (by default the test split).
It sees only the text of each turn, and no settings of the system.

With several values of a setting` + asWith(suite.Systems()...) + `,
the suite runs on the same cases and the curve is over the setting. With a finished run DIR, the
curve is over the one numeric setting in which its variants differ.

Intervals are by case and differences are paired. Nothing is extrapolated.`,
		Example: "  evalctl curve\n" + curveExamples() + "  evalctl curve runs/1",
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, line) },
	}
	inner := &cobra.Command{}
	f.runFlags.register(inner, settings)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntSliceVar(&f.train, "train-sizes", nil, "learn `N,N,…` texts (from a sixteenth of them on, doubled, to all)")
	flags.StringVar(&f.setting, "setting", "", "`NAME` of the setting to follow, where variants of a run differ in several")
	registerFormat(cmd, &f.format)
	for _, flag := range flagsOf(inner) {
		if !isDecided(flag, notOfCurve) {
			flags.AddFlag(flag)
		}
	}
	return cmd
}

func (f *curveFlags) run(cmd *cobra.Command, args, line []string) error {
	if err := f.check(cmd, args); err != nil {
		return err
	}
	if err := suggest.CheckWord("format", f.format, play.TableFormats()); err != nil {
		return flagError("format", err)
	}
	list, failed := f.curves(cmd, args, line)
	if list == nil {
		return failed
	}
	out := cmd.OutOrStdout()
	shown := reports.Curves{Curves: list, Width: terminal.Width(out), Color: terminal.HasColor(out), ASCII: !terminal.UTF8()}
	text, err := rendered(shown, f.format)
	if err == nil {
		err = printAnswer(out, f.format, "curve", text)
	}
	return cmp.Or(err, failed)
}

// curves are what was asked for. There may be some of a run that came to an error.
func (f *curveFlags) curves(cmd *cobra.Command, args, line []string) ([]curve.Curve, error) {
	played := len(f.axes()) > 0
	switch dir := folderOf(args); {
	case dir != "":
		if flag := otherThan(cmd, "format", "setting"); flag != "" {
			return nil, flagError(flag, errors.New("cannot be combined with a finished run"))
		}
		return exit.Await(cmd.Context(), func() ([]curve.Curve, error) { return f.ofRun(dir, f.setting) })
	case isResults(args):
		return nil, fmt.Errorf("curve: %s: give the run's folder, %s: results alone do not tell the settings of variants", args[0], filepath.Dir(args[0]))
	case played && f.train != nil:
		return nil, flagError("train-sizes", errors.New("cannot be combined with settings: a baseline model has none"))
	case played:
		return f.play(cmd, args, line)
	}
	if flag := otherThan(cmd, learningFlags...); flag != "" {
		return nil, flagError(flag, errors.New("goes with a setting to follow"+asWith(f.systems(args)...)))
	}
	return exit.Await(cmd.Context(), func() ([]curve.Curve, error) { return f.learned(cmd.Context(), args) })
}

// play plays the suites and has the curves of the run.
func (f *curveFlags) play(cmd *cobra.Command, args, line []string) ([]curve.Curve, error) {
	f.notices = cmd.ErrOrStderr()
	f.faults = []string{} // a curve is of the cells without one
	f.bases = f.toFollow
	f.setting = cmp.Or(f.setting, f.given())
	r, err := exit.Await(cmd.Context(), func() (*play.Run, error) {
		if err := f.hasCurve(args); err != nil {
			return nil, err
		}
		return f.begin(cmd.Context(), args, line, nil, false)
	})
	if err != nil {
		return nil, err
	}
	failed := r.Execute(cmd.Context(), f.Options, io.Discard, cmd.ErrOrStderr())
	if code := exit.Code(failed); code != exit.Passed && code != exit.GateFailed && code != exit.Incomplete {
		return nil, failed
	}
	list, err := f.ofRun(r.Dir, f.setting)
	return list, errors.Join(failed, err)
}

// hasCurve refuses, before anything is played, suites of which none would have a curve.
func (f *curveFlags) hasCurve(args []string) error {
	suites, err := f.suites(args)
	if err != nil {
		return err
	}
	for _, s := range suites {
		if _, err = curve.FindAxis(s, f.setting); !errors.Is(err, curve.ErrNone) {
			break
		}
	}
	if single := f.single(suites); single != nil && errors.Is(err, curve.ErrNone) {
		return single
	}
	if err != nil {
		return fmt.Errorf("curve: %w", err)
	}
	return nil
}

// ofRun has the curves of all suites of a run that have one.
func (f *curveFlags) ofRun(dir, setting string) (list []curve.Curve, err error) {
	_, suites, err := play.ReadFinishedRun(dir, f.outside())
	if err != nil {
		return nil, fmt.Errorf("curve: %w", err)
	}
	run, err := runs.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("curve: %w", err)
	}
	sum, err := run.Recompute()
	if err != nil {
		return nil, fmt.Errorf("curve: %w", err)
	}
	var none error
	for i, s := range suites {
		found, err := curve.FromRun(s, sum.Suites[i], setting)
		if errors.Is(err, curve.ErrNone) {
			none = err
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("curve: %w", err)
		}
		list = append(list, found...)
	}
	if list == nil {
		return nil, fmt.Errorf("curve: %s: %w", dir, none)
	}
	return list, nil
}

// isResults tells the results of a run that are named without their folder.
func isResults(args []string) bool {
	return len(args) == 1 && filepath.Base(args[0]) == journal.ResultsFile
}

// folderOf is the one argument that is a run's folder, or "".
func folderOf(args []string) string {
	if len(args) != 1 || slices.Contains(suite.Targets(), args[0]) {
		return ""
	}
	if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
		return ""
	}
	return args[0]
}

// otherThan names a given flag that is none of these, "" where there is none.
func otherThan(cmd *cobra.Command, names ...string) (found string) {
	for _, flag := range flagsOf(cmd) {
		if found == "" && flag.Changed && !slices.Contains(names, flag.Name) {
			found = flag.Name
		}
	}
	return found
}

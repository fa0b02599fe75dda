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
	"evalctl/eval/curve"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/reports"
)

// curveFlags are the flags of evalctl curve. They are the flags of run that select cases and
// settings, and a few that only curve has.
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

With several values of a setting` + flagExample(suite.Systems()...) + `,
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
	flags.IntSliceVar(&f.train, "train-sizes", nil,
		"learn `N,N,…` texts (from a sixteenth of them on, doubled, to all)")
	flags.StringVar(&f.setting, "setting", "",
		"`NAME` of the setting to follow, where variants of a run differ in several")
	registerFormat(cmd, &f.format)
	for _, flag := range flagsOf(inner) {
		if !hasTrait(flag, notForCurve) {
			flags.AddFlag(flag)
		}
	}
	return cmd
}

func (f *curveFlags) run(cmd *cobra.Command, args, line []string) error {
	if err := f.check(cmd, args); err != nil {
		return err
	}
	if err := suggest.CheckKnown("format", f.format, play.TableFormats()); err != nil {
		return flagError("format", err)
	}
	list, failed := f.curves(cmd, args, line)
	if list == nil {
		return failed
	}
	out := cmd.OutOrStdout()
	shown := reports.CurveReport{
		Curves:  list,
		Options: outputOptions(out),
	}
	text, err := render(shown, f.format)
	if err == nil {
		err = printAnswer(out, f.format, "curve", text)
	}
	return cmp.Or(err, failed)
}

// curves returns the curves that the arguments request: of a finished run, over a setting, or over
// training-set size. It returns curves and an error together if a run was incomplete or failed a
// gate.
func (f *curveFlags) curves(cmd *cobra.Command, args, line []string) ([]curve.Curve, error) {
	runsTrials := len(f.axes()) > 0
	switch dir := runDirArg(args); {
	case dir != "":
		if flag := firstOtherFlag(cmd, "format", "setting"); flag != "" {
			return nil, flagError(flag, errors.New("cannot be combined with a finished run"))
		}
		return exit.CallInterruptible(cmd.Context(),
			func() ([]curve.Curve, error) { return f.curvesOfRun(dir, f.setting) })
	case isResults(args):
		return nil, fmt.Errorf("curve: %s: give the run's folder, %s: results alone do not tell the settings of variants", args[0], filepath.Dir(args[0]))
	case runsTrials && f.train != nil:
		return nil, flagError("train-sizes", errors.New("cannot be combined with settings: a baseline model has none"))
	case runsTrials:
		return f.runSuites(cmd, args, line)
	}
	if flag := firstOtherFlag(cmd, learningFlags...); flag != "" {
		return nil, flagError(flag, errors.New("goes with a setting to follow"+flagExample(f.systems(args)...)))
	}
	return exit.CallInterruptible(cmd.Context(),
		func() ([]curve.Curve, error) { return f.learningCurves(cmd.Context(), args) })
}

// runSuites runs the suites with all values of the settings. It returns the curves of that run.
func (f *curveFlags) runSuites(cmd *cobra.Command, args, line []string) ([]curve.Curve, error) {
	f.notices = cmd.ErrOrStderr()
	f.faults = []string{} // no faults are injected for curves
	f.suitePreparer = f.prepareSuite
	f.setting = cmp.Or(f.setting, f.multiValueSetting())
	r, err := exit.CallInterruptible(cmd.Context(), func() (*play.Run, error) {
		if err := f.checkHasCurve(args); err != nil {
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
	list, err := f.curvesOfRun(r.Dir, f.setting)
	return list, errors.Join(failed, err)
}

// checkHasCurve returns an error, before any trial runs, if no suite would have a curve.
func (f *curveFlags) checkHasCurve(args []string) error {
	suites, err := f.suites(args)
	if err != nil {
		return err
	}
	for _, s := range suites {
		if _, err = curve.FindNumericSetting(s, f.setting); !errors.Is(err, curve.ErrNoCurve) {
			break
		}
	}
	if single := f.singleValueError(suites); single != nil && errors.Is(err, curve.ErrNoCurve) {
		return single
	}
	if err != nil {
		return fmt.Errorf("curve: %w", err)
	}
	return nil
}

// curvesOfRun returns the curves of the finished run in dir. It returns an error if no suite has
// one.
func (f *curveFlags) curvesOfRun(dir, setting string) (list []curve.Curve, err error) {
	_, suites, err := play.ReadFinishedRun(dir, f.endpoints())
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
		if errors.Is(err, curve.ErrNoCurve) {
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

// isResults reports whether the only argument is a results file rather than a run directory.
func isResults(args []string) bool {
	return len(args) == 1 && filepath.Base(args[0]) == journal.ResultsFile
}

// runDirArg returns the only argument if it is the directory of a run, or else "".
func runDirArg(args []string) string {
	if len(args) != 1 || slices.Contains(suite.Targets(), args[0]) {
		return ""
	}
	if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
		return ""
	}
	return args[0]
}

// firstOtherFlag returns the first flag on the command line that is not in names, or "".
func firstOtherFlag(cmd *cobra.Command, names ...string) (found string) {
	for _, flag := range flagsOf(cmd) {
		if found == "" && flag.Changed && !slices.Contains(names, flag.Name) {
			found = flag.Name
		}
	}
	return found
}

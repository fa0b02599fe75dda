package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/eval/tune"
	"evalctl/reports"
)

const (
	maxFolds         = 100
	defaultObjective = "accuracy"
)

type tuneFlags struct {
	setting, suite, variant, fault string
	objective, prior, oosLabel     string
	folds                          int
	seed                           uint64
	format                         string

	goal       tune.Objective // parsed objective
	priorLabel string         // label of prior; "": there is no prior
	priorShare float64
}

func tuneCommand() *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune DIR",
		Short: "Choose a confidence threshold from a finished run",
		Long: `Compute what every confidence threshold would have scored in the run in DIR (or a results.jsonl).
This is exact: the results store the model's decision and the fallback's. The best threshold has
the best --objective; ties go to the one nearest to the current threshold.

A target without a threshold of its own, such as http or exec, needs only to report a confidence.
Below the threshold, the out-of-scope label then replaces its answer. Apply the threshold in your agent.

--objective is one of these measures, optionally with a limit on another one:
  accuracy                 correct trials
  balanced_accuracy        mean of OOS recall and in-scope accuracy;
                           without an OOS label, mean recall of all labels
  oos.recall, oos.precision, oos.f1, oos.in_scope_accuracy, oos.false_rejection
  cost                     US dollars per 1,000 trials
  oos.recall at in_scope_accuracy >= 90%
                           a limit; it is written <= for cost and oos.false_rejection

The cases often have another share of out-of-scope messages than production. --prior oos=18% weights
both classes, out of scope and in scope, to the share that you expect. It changes accuracy, precision,
F1 and cost. Recall and in-scope accuracy do not depend on it. A threshold at which no message gets
the out-of-scope label has no precision and is never the best.

The best threshold looks too good on its own data. Cross-validation with --folds folds, stratified
by label, estimates its real gain. Another --seed draws other folds; if p is near 0.05, try several.

Later turns of a conversation, and decisions without a confidence, are taken as they ran. Cost and
calls of changed decisions are estimates, marked with ~.`,
		Example: "  evalctl tune runs/1\n  evalctl tune runs/1 --objective \"oos.recall at in_scope_accuracy >= 90%\"\n" +
			"  evalctl tune runs/1 --prior oos=18% --variant llm-first --format csv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("tune: requires one run directory, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.setting, "setting", defaultThreshold(),
		"the `SETTING` to choose: "+suggest.JoinWords(thresholds()))
	flags.StringVar(&f.oosLabel, "oos-label", "",
		"out-of-scope `LABEL`, the answer below the threshold of an agent without one (that of the run)")
	flags.StringVar(&f.objective, "objective", defaultObjective,
		"choose the threshold with the best `MEASURE`; see above")
	flags.StringVar(&f.prior, "prior", "",
		"share of out-of-scope messages to expect in production, as `LABEL=SHARE`: oos=18%")
	flags.StringVar(&f.suite, "suite", "", "only this `SUITE`")
	flags.StringVar(&f.variant, "variant", "", "only this `VARIANT` (all that make use of the setting)")
	flags.StringVar(&f.fault, "fault", eval.NoFault, "the trials under this `FAULT`")
	flags.IntVar(&f.folds, "folds", tune.DefaultFolds, "hold out the cases in `K` parts")
	flags.Uint64Var(&f.seed, "seed", 1, "`SEED` of the parts and of the interval")
	registerFormat(cmd, &f.format)
	addCompletions(cmd, map[string][]string{"setting": thresholds(), "objective": tune.ObjectiveNames()})
	return cmd
}

// thresholds returns the names of all settings, in any system, that are a confidence threshold.
func thresholds() (names []string) {
	for _, set := range suite.Settings() {
		for _, of := range set.Systems {
			if s, _ := of.Setting(set.Name); s.IsThreshold {
				names = append(names, set.Name)
				break
			}
		}
	}
	return names
}

// defaultThreshold returns the name of the threshold if all systems have the same; otherwise "".
func defaultThreshold() string {
	if names := thresholds(); len(names) == 1 {
		return names[0]
	}
	return ""
}

func (f *tuneFlags) check() error {
	if f.setting == "" {
		return fmt.Errorf("tune: requires --setting, one of %s", suggest.JoinWords(thresholds()))
	}
	if err := suggest.CheckKnown("threshold on a confidence", f.setting, thresholds()); err != nil {
		return flagError("setting", err)
	}
	var err error
	if f.goal, err = tune.ParseObjective(f.objective); err != nil {
		return flagError("objective", err)
	}
	if f.prior != "" {
		if f.priorLabel, f.priorShare, err = tune.ParsePrior(f.prior); err != nil {
			return flagError("prior", err)
		}
	}
	if err := errors.Join(atLeast(2, f.folds), atMost(maxFolds, f.folds)); err != nil {
		return flagError("folds", err)
	}
	if err := suggest.CheckKnown("format", f.format, play.TableFormats()); err != nil {
		return flagError("format", err)
	}
	return nil
}

// checkOOSLabel returns an error if a flag names an out-of-scope label that no case expects.
func (f *tuneFlags) checkOOSLabel(labels []string) error {
	if f.oosLabel == "" || len(labels) == 0 {
		return nil
	}
	if err := suggest.CheckKnown("label", f.oosLabel, labels); err != nil {
		return flagError("oos-label", err)
	}
	return nil
}

func (f *tuneFlags) run(cmd *cobra.Command, path string) error {
	if err := f.check(); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	shown := reports.TuningReport{
		Setting: f.setting,
		Options: outputOptions(out),
	}
	text, err := exit.CallInterruptible(cmd.Context(), func() ([]byte, error) {
		if err := f.tune(&shown, path); err != nil {
			return nil, err
		}
		return render(shown, f.format)
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("tune: %s contains no run: %w", path, err)
	case err != nil:
		return fmt.Errorf("tune: %w", err)
	}
	return printAnswer(out, f.format, "tuning", text)
}

// tune chooses a threshold for each variant of the run at path that uses the setting, and adds the
// results to shown.
func (f *tuneFlags) tune(shown *reports.TuningReport, path string) error {
	run, err := runs.Open(path)
	if err != nil {
		return err
	}
	picked, err := f.pick(run)
	if err != nil {
		return err
	}
	shown.Notes = picked.notes()
	counted, err := run.Recompute()
	if err != nil {
		return err
	}
	shown.Partial = counted.Partial
	for r, err := range run.Results() {
		if err == nil {
			err = picked.add(r)
		}
		if err != nil {
			return err
		}
	}
	var problems []error
	for i, c := range picked.conditions {
		if err := f.checkOOSLabel(c.tuner.Labels()); err != nil {
			return err
		}
		c.tuned.Tuning, err = c.tuner.Finish()
		if err != nil {
			problems = append(problems, fmt.Errorf("suite %s, variant %s: %w", c.tuned.Suite, c.tuned.Variant, err))
			shown.Notes = append(shown.Notes, problems[len(problems)-1].Error())
			continue
		}
		c.tuned.NextCommands = f.nextCommands(run, c, i)
		shown.Variants = append(shown.Variants, c.tuned)
	}
	switch {
	case shown.Variants == nil &&
		tune.IsThresholdUnsupported(problems[0]): // a property of the run, not an internal error
		return problems[0]
	case shown.Variants == nil:
		return exit.InternalError(problems[0])
	}
	return nil
}

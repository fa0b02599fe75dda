package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/suggest"
)

// gateFlags are the flags that run, merge and gate share to evaluate gates.
type gateFlags struct {
	play.Gates
	undecided string
	junit     play.JUnitOptions
}

func (f *gateFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Baseline, "baseline", "", "baseline run for drop, ratio and new_failures: `DIR|FILE`")
	flags.StringVar(&f.undecided, "undecided", "warn", "effect of an undecided gate: `warn|fail`")
	addCompletions(cmd, map[string][]string{"undecided": undecidedChoices()})
}

func undecidedChoices() []string { return []string{"warn", "fail"} }

func (f *gateFlags) check() error {
	return suggest.CheckKnown("answer", f.undecided, undecidedChoices())
}

func (f *gateFlags) isStrict() bool { return f.undecided == "fail" }

func gateCommand(secrets *secret.Set) *cobra.Command {
	var f gateFlags
	var formats, rules []string
	cmd := &cobra.Command{
		Use:   "gate DIR|FILE RULE…",
		Short: "Evaluate gate rules on a finished run",
		Long: `Recompute the run in DIR (or a results.jsonl) and evaluate each RULE:

  route.accuracy{variant=llm, fault=none} >= 90%    a metric of the selected conditions
  [tag=zh] route.macro_f1 >= 0.9                    only cases with a tag
  latency.p95 < 8s at 95%                           the interval must satisfy it, too
  cost.usd_per_1000 <= 2 missing <= 1%              allows this share of missing data
  drop(route.accuracy) <= 1pp                       compared with --baseline, case by case
  ratio(cost.total_usd) <= 1.1                      also compared with --baseline
  new_failures <= 0                                 cases that were correct and are wrong now
  drop(route.accuracy) <= 1pp common_cases          only cases that both runs have
  fault.correct >= 100% triggered                  only where the fault was triggered

The gates are listed on stdout, failed ones first, unless --format writes a report there.
Example: --format junit=gates.xml --format github

A rule fails if its selection is empty or a metric has no value. Missing data fails a rate
only if it could change the verdict. For means, quantiles, precision, F1 and cost, any
missing data fails, unless "missing <= 2%" allows it.

A drop or a ratio fails if its whole 90 % interval is above the limit and passes if it is
all below. Otherwise it is undecided, which is a warning. The message has the number of
cases that the limit needs, if as many cases differ as in these two runs. It also names
the smallest limit that these cases can decide: an unchanged agent passes it with a
probability of 80 %. If no case differs, a drop passes with at least 299 cases for a limit
of 1pp, 149 for 2pp and 59 for 5pp.

cost.total_usd, tokens.in_total and tokens.out_total are totals of all trials and grow
with their number. To gate on cost, use the means cost.usd_per_1000 (USD of 1,000 cases),
tokens.in_mean and tokens.out_mean (of a trial). route.macro_f1 is the mean over the labels that have cases,
and its interval is corrected for bias. The verdict has the number of labels without a case.

Exit codes: 0 passed, 1 a gate failed, 2 invalid usage, 3 the run is incomplete, 4 undecided,
and either --undecided fail is set or there are too few cases to detect three times the limit.`,
		Example: `  evalctl gate results 'route.accuracy >= 90%' 'drop(route.accuracy) <= 1pp' --baseline main/results`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args)+len(rules) < 2 || len(args) < 1 {
				return errors.New("gate: requires a run directory or results.jsonl, and a rule")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, append(args, rules...), formats, secrets)
		},
	}
	cmd.Flags().SortFlags = false
	f.register(cmd)
	cmd.Flags().StringArrayVar(&rules, "gate", nil, "gate `RULE`, the same as an argument; repeatable")
	registerFormats(cmd, &formats)
	registerJUnit(cmd, &f.junit)
	return cmd
}

func (f *gateFlags) run(cmd *cobra.Command, args, formats []string, secrets *secret.Set) error {
	if err := f.check(); err != nil {
		return flagError("undecided", err)
	}
	outputs, err := outputsOf(formats, f.junit)
	if err != nil {
		return err
	}
	if outputs, err = play.CheckOutputs(outputs, args[0], f.Baseline); err != nil {
		return err
	}
	f.Rules = args[1:]
	judged, err := exit.CallInterruptible(cmd.Context(), func() (play.GateResult, error) { return f.Evaluate(args[0]) })
	if err != nil {
		return err
	}
	for _, text := range judged.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "evalctl: %s\n", text)
	}
	ends := judged.ExitError(f.isStrict())
	var shown error
	if !play.WritesToStdout(outputs) {
		shown = judged.Print(cmd.OutOrStdout(), secrets)
	}
	if err := errors.Join(judged.Write(outputs, cmd.OutOrStdout(), secrets), shown); err != nil {
		return exit.InternalError(err)
	}
	return ends
}

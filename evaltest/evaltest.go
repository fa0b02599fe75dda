// Package evaltest runs evaluations inside go test, in any module that requires evalctl, and checks
// the results with Gomega matchers:
//
//	func TestPrompt(t *testing.T) {
//		g := NewWithT(t)
//		report := evaltest.Run(t, evaltest.Suite{From: "evals/suite.yaml"})
//		g.Expect(report).To(evaltest.HaveMetric("route.accuracy{fault=none}", BeNumerically(">=", .95)))
//		g.Expect(report).To(evaltest.PassGate("latency.p95 <= 3s"))
//		g.Expect(report).To(evaltest.HaveNoNewFailures("testdata/main"))
//	}
//
// A [Suite] is a shipped suite, a suite file, a shipped system with your own cases, or your own
// agent. Unless [Options.AllowNetwork] is set, no request leaves the machine, no command runs, and
// the run uses simulated time. In Ginkgo, pass GinkgoTB() as t.
//
// Matchers fail if the metric has no data, also when they are negated. Rates are from 0 to 1,
// durations in milliseconds. The package evalctl/eval/gate and the command evalctl help gate
// describe the metrics and the gate syntax.
package evaltest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// Options configure a test run. The zero Options are the defaults of the command evalctl run.
type Options struct {
	Seed uint64 // seed of everything random; 0: 1
	// directory for the files of the run, which must not contain a run; "": a temporary directory,
	// which remains if the test fails
	OutDir   string
	Baseline string // directory of an earlier run; gates with drop, ratio or new_failures compare with it
	// gate rules such as route.accuracy >= 90%, in addition to those of the suites; a failed gate
	// fails the test
	Gates        []string
	Strict       bool // an undecided gate also fails the test
	AllowNetwork bool // suites may contact their endpoints, use their API keys and run their commands
	Parallel     int  // number of trials that run at a time; 0: the default of evalctl run
}

// Run runs suites with the default [Options] and returns the results.
func Run(t testing.TB, suites ...Suite) *Report {
	t.Helper()
	return Options{}.Run(t, suites...)
}

// Run runs suites and returns the results. An invalid configuration ends the test; the message
// names file and line. Too few results, for example because a provider is down, also end the test.
// A failed gate marks the test as failed, and the test continues.
func (o Options) Run(t testing.TB, suites ...Suite) *Report {
	t.Helper()
	if o.OutDir == "" {
		dir, err := os.MkdirTemp("", "evaltest-")
		if err != nil {
			t.Fatal(err)
		}
		o.OutDir = dir
		t.Cleanup(func() { removeUnlessFailed(t, dir) })
	}
	report, err := o.run(t.Context(), t.Name(), suites)
	var failed *Error
	switch {
	case err == nil:
	case errors.As(err, &failed) && failed.Kind == GateNotPassed:
		t.Error(err)
	default:
		t.Fatal(err)
	}
	for _, v := range report.Summary.Gates {
		if v.Verdict == eval.GateUndecided {
			t.Logf("evaltest: gate undecided: %s — %s", v.Rule, v.Reason)
		}
	}
	return report
}

// removeUnlessFailed removes the directory of the run when the test has passed. After a failure it
// remains for evalctl show and evalctl report.
func removeUnlessFailed(t testing.TB, dir string) {
	if t.Failed() {
		t.Logf("evaltest: results in %s", dir)
		return
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Logf("evaltest: %v", err)
	}
}

// RunContext runs suites outside a test and writes the run to the directory Out. The error is an
// [*Error]. If its kind is [GateNotPassed], the report is also returned.
func (o Options) RunContext(ctx context.Context, suites ...Suite) (*Report, error) {
	return o.run(ctx, "", suites)
}

func (o Options) run(ctx context.Context, name string, list []Suite) (*Report, error) {
	temp, err := os.MkdirTemp("", "evaltest-cases-")
	if err != nil {
		return nil, &Error{Kind: TooFewResults, Err: err}
	}
	defer os.RemoveAll(temp)
	var secrets secret.Set
	run, err := o.start(temp, name, list, &secrets)
	if err != nil {
		return nil, runError(inGoTerms(err, temp, &secrets), nil)
	}
	_, ended := run.RunTrials(ctx, play.Options{
		Parallel:               o.Parallel,
		MaxConsecutiveFailures: 20,
		MaxMissing:             0.05,
		Strict:                 o.Strict,
	})
	report, err := Open(run.Dir)
	if err != nil {
		return nil, runError(errors.Join(ended, err), nil)
	}
	return report, runError(inGoTerms(ended, temp, &secrets), report)
}

func (o Options) start(temp, name string, list []Suite, secrets *secret.Set) (*play.Run, error) {
	switch {
	case len(list) == 0:
		return nil, errors.New("no suite is named")
	case o.OutDir == "":
		return nil, fieldError("Out", "is missing, the folder for the run's files")
	}
	var suites []suite.Suite
	for i, one := range list {
		s, err := one.resolve(filepath.Join(temp, strconv.Itoa(i), "cases.jsonl"))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(suites, func(other suite.Suite) bool { return other.Name == s.Name }) {
			return nil, fmt.Errorf("suite %s: is named twice", s.Name)
		}
		if at := s.Endpoints(); len(at) > 0 && !o.AllowNetwork {
			return nil, fmt.Errorf("suite %s: reaches %s: to allow this, set AllowNetwork", s.Name,
				secret.RedactURL(at[0].BaseURL))
		}
		if runs := s.Commands(); len(runs) > 0 && !o.AllowNetwork {
			return nil, fmt.Errorf("suite %s: runs %s, which can reach anything: to allow that, set AllowNetwork",
				s.Name, secret.Mask(runs[0]))
		}
		suites = append(suites, s)
	}
	gates := play.Gates{Rules: o.Gates, Baseline: o.Baseline}
	plan, err := play.NewPlan(play.Config{
		Suites:          suites,
		Seed:            max(o.Seed, 1),
		Gates:           gates,
		EndpointOptions: play.EndpointOptions{Secrets: secrets},
	})
	if err != nil {
		return nil, err
	}
	identity, err := build.Identity()
	if err != nil {
		return nil, errors.Join(err, plan.Close())
	}
	return play.StartOptions{Dir: o.OutDir, Version: identity, Args: []string{"go", "test", name}}.Start(plan)
}

// runError converts the error of a run to an [*Error] with its kind; nil if the run passed.
func runError(err error, r *Report) error {
	if err == nil {
		return nil
	}
	switch exit.Code(err) {
	case exit.GateFailed, exit.Undecided:
		return &Error{Kind: GateNotPassed, Err: r.failedGates(err)}
	case exit.Incomplete:
		return r.incomplete(err)
	case exit.Interrupted:
		return &Error{Kind: Interrupted, Err: err}
	}
	return &Error{Kind: InvalidConfig, Err: err}
}

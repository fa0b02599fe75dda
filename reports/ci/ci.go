// Package ci reports a run to CI services in their own formats: WriteJUnit XML, WriteGitHub workflow
// commands, WriteGitLab metrics, and a badge.
package ci

import (
	"cmp"
	"fmt"
	"io"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/eval/runs"
)

// Report contains the run to report. All formats of the package use it.
type Report struct {
	Summary     eval.Summary
	Run         *runs.Run       // files of the run; nil: the formats report no single trials
	Trials      *TrialCollector // trials that were collected while the run was read; nil: the formats read them from Run
	BaselineRun *runs.Run       // earlier run, to find cases that fail only now; nil: none
	// earlier run with known failures; WriteJUnit reports cases that failed in it as skipped; nil: none
	KnownFailuresRun *runs.Run
	// WriteJUnit represents the passed cases of a condition by one test case
	FailuresOnly bool
}

// condition identifies one combination of suite, variant and fault.
type condition struct{ suite, variant, fault string }

func conditionOf(r eval.Result) condition {
	return condition{suite: r.Suite, variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}
}

// String returns the condition for use in a sentence: "suite · variant + fault".
func (c condition) String() string { return c.suite + " · " + c.variantAndFault() }

// variantAndFault returns the variant, followed by "+" and the fault if there is one.
func (c condition) variantAndFault() string {
	if c.fault == eval.NoFault {
		return c.variant
	}
	return c.variant + " + " + c.fault
}

// eachCondition calls see for each condition of a summary, in the order of the summary.
func eachCondition(s eval.Summary, see func(condition, eval.ConditionSummary)) {
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			see(condition{suite: suite.Name, variant: c.Variant, fault: cmp.Or(c.Fault, eval.NoFault)}, c)
		}
	}
}

// tally counts gates by verdict. It counts an unknown verdict as failed.
type tally struct{ passed, failed, undecided int }

func tallyOf(gates []eval.GateVerdict) (t tally) {
	for _, g := range gates {
		switch g.Verdict {
		case eval.GatePassed:
			t.passed++
		case eval.GateUndecided:
			t.undecided++
		default:
			t.failed++
		}
	}
	return t
}

// String returns how many gates passed, failed and are undecided, for example "2 of 3 gates passed,
// 1 failed".
func (t tally) String() string {
	all := int64(t.passed + t.failed + t.undecided)
	text := fmt.Sprintf("%d of %s passed", t.passed, number.Plural(all, "gate"))
	if t.failed > 0 {
		text += ", " + number.Integer(int64(t.failed)) + " failed"
	}
	if t.undecided > 0 {
		text += ", " + number.Integer(int64(t.undecided)) + " undecided"
	}
	return text
}

func write(w io.Writer, format string, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s report: %w", format, err)
	}
	return nil
}

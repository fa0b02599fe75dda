// Package ci reports a run to CI services in their native formats: JUnit XML, GitHub workflow
// commands, GitLab metrics, and a badge.
package ci

import (
	"cmp"
	"fmt"
	"io"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/eval/runs"
)

// Report is the input of all formats.
type Report struct {
	Summary     eval.Summary
	Run         *runs.Run // source of the trials; nil: there are none
	Trials      *Trials   // trials of Run if they were read already; nil: Run is read
	BaselineRun *runs.Run // baseline run for new failures; nil: none
	// JUnit XML reports no failure for cases that are wrong in this run too; nil: all wrong cases
	// are failures
	Known *runs.Run
}

// condition is a condition of the summary.
type condition struct{ suite, variant, fault string }

func conditionOf(r eval.Result) condition {
	return condition{suite: r.Suite, variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}
}

// String describes the condition in a sentence.
func (c condition) String() string { return c.suite + " · " + c.variantAndFault() }

// variantAndFault is the variant, and the fault if there is one.
func (c condition) variantAndFault() string {
	if c.fault == eval.NoFault {
		return c.variant
	}
	return c.variant + " + " + c.fault
}

// eachCondition iterates over the conditions of a summary in order.
func eachCondition(s eval.Summary, see func(condition, eval.ConditionSummary)) {
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			see(condition{suite: suite.Name, variant: c.Name, fault: cmp.Or(c.Fault, eval.NoFault)}, c)
		}
	}
}

// tally counts gates by verdict. An unknown verdict counts as failed.
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

// String states how many gates passed, failed and are undecided.
func (t tally) String() string {
	all := int64(t.passed + t.failed + t.undecided)
	text := fmt.Sprintf("%d of %s passed", t.passed, number.Plural(all, "gate"))
	if t.failed > 0 {
		text += ", " + number.Thousands(int64(t.failed)) + " failed"
	}
	if t.undecided > 0 {
		text += ", " + number.Thousands(int64(t.undecided)) + " undecided"
	}
	return text
}

// write writes a rendered report.
func write(w io.Writer, format string, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s report: %w", format, err)
	}
	return nil
}

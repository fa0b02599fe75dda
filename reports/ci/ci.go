// Package ci tells CI services of a run, each in the format that it reads by
// itself: JUnit XML, GitHub's workflow commands, GitLab's metrics and a badge.
package ci

import (
	"cmp"
	"fmt"
	"io"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/eval/runs"
)

// Report is what CI services are told of.
type Report struct {
	Summary     eval.Summary
	Run         *runs.Run // has the trials; nil: there are none
	Trials      *Trials   // of the run, where its results are read for others, too; nil: it is read
	BaselineRun *runs.Run // that the run is held against; nil: none
	Known       *runs.Run // cases that are wrong there, too, are no failures in JUnit XML; nil: all wrong cases are
}

// condition is a variant of a suite under a fault.
type condition struct{ suite, variant, fault string }

func conditionOf(r eval.Result) condition {
	return condition{suite: r.Suite, variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}
}

// String names a cell in a sentence.
func (c condition) String() string { return c.suite + " · " + c.way() }

// way is the variant, and the fault if there is one.
func (c condition) way() string {
	if c.fault == eval.NoFault {
		return c.variant
	}
	return c.variant + " + " + c.fault
}

// eachCondition goes through a summary's cells in their order.
func eachCondition(s eval.Summary, see func(condition, eval.ConditionSummary)) {
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			see(condition{suite: suite.Name, variant: c.Name, fault: cmp.Or(c.Fault, eval.NoFault)}, c)
		}
	}
}

// tally counts what gates came to; what is neither passed nor undecided failed.
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

// String says how many gates passed, and what became of the others.
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

// write puts out a rendered report.
func write(w io.Writer, format string, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write %s report: %w", format, err)
	}
	return nil
}

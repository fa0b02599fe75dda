package runs

import (
	"cmp"
	"fmt"

	"evalctl/eval"
	"evalctl/eval/journal"
)

// trials stores which line of a results file is the last one of each trial, because a trial may
// have been run again.
type trials struct {
	conditions map[condition]int
	last       map[trial]resultLine
}

type condition struct{ suite, variant, fault string }

type trial struct {
	condition int
	caseID    string // ID of the case
	epoch     int
}

// resultLine is the line number of a result, and the key of its trial.
type resultLine struct {
	line int
	key  string
}

func newTrials() trials { return trials{conditions: map[condition]int{}, last: map[trial]resultLine{}} }

// add adds the result on a line. If the same trial has another key on an earlier line, the file
// contains results of two runs, which is an error.
func (t trials) add(r journal.TrialName, line int) error {
	if r.Epoch < 1 {
		return fmt.Errorf("epoch is %d, which is invalid: expected 1 or more", r.Epoch)
	}
	in := conditionOf(r)
	if _, known := t.conditions[in]; !known {
		t.conditions[in] = len(t.conditions)
	}
	of := t.trial(r)
	if before, again := t.last[of]; again && before.key != r.Key {
		return fmt.Errorf("case %q has another key here than on line %d, in suite %s, variant %s, fault %s, epoch %d: results of two runs",
			r.Case, before.line, in.suite, in.variant, in.fault, r.Epoch)
	}
	t.last[of] = resultLine{line: line, key: r.Key}
	return nil
}

func (t trials) isLast(r journal.TrialName, line int) bool { return t.last[t.trial(r)].line == line }

func (t trials) trial(r journal.TrialName) trial {
	return trial{condition: t.conditions[conditionOf(r)], caseID: r.Case, epoch: r.Epoch}
}

func conditionOf(r journal.TrialName) condition {
	return condition{suite: r.Suite, variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}
}

package ci

import (
	"fmt"
	"strings"
	"time"

	"evalctl/eval"
	"evalctl/eval/number"
)

// outcome is what a trial, or a test case, came to; of a case's epochs the worst
// counts.
type outcome int

const (
	passed  outcome = iota
	skipped         // unscored
	errored         // without an answer
	failed          // wrong
	outcomes
)

// element is what JUnit calls it.
func (o outcome) element() string { return [outcomes]string{"", "skipped", "error", "failure"}[o] }

// testcase is a case in a cell, all epochs of it.
type testcase struct {
	duration time.Duration // of all epochs
	epochs   int64
	hash     eval.CaseHash

	outcome outcome
	times   int64 // so many epochs came to that
	epoch   int   // of the first of these the next three tell
	kind    string
	message string
	text    string
}

// add takes a trial of the case, in any order.
func (t *testcase) add(r eval.Result) {
	t.duration += time.Duration(max(r.Duration, 0))
	t.epochs++
	t.hash = r.CaseHash
	o := outcomeOf(r)
	switch {
	case t.epochs > 1 && o < t.outcome:
		return
	case t.epochs == 1 || o > t.outcome:
		t.times = 0
	case r.Epoch > t.epoch:
		t.times++
		return
	}
	t.times++
	t.outcome, t.epoch = o, r.Epoch
	t.kind, t.message = reason(o, r)
	t.text = account(o, r)
}

// mean is how long an epoch took: a case takes as long however often it is played.
func (t *testcase) mean() time.Duration { return t.duration / time.Duration(max(t.epochs, 1)) }

// headline is the message, with how often it came to that.
func (t *testcase) headline() string {
	if t.epochs < 2 {
		return t.message
	}
	return fmt.Sprintf("%s (%d of %s)", t.message, t.times, number.Plural(t.epochs, "epoch"))
}

func outcomeOf(r eval.Result) outcome {
	switch {
	case r.IsWrong():
		return failed
	case r.IsUnscored() && (r.Error != nil || r.ErrorReply != "" || r.AnsweredBy == ""):
		return errored
	case r.IsUnscored() || r.Correct == nil:
		return skipped
	}
	return passed
}

// reason is why it is no pass, with its kind.
func reason(o outcome, r eval.Result) (kind, message string) {
	switch {
	case o == failed:
		return "wrong", "expected " + wanted(r) + ", got " + name(r.Actual())
	case o == errored && r.Error != nil:
		return string(r.Error.Kind), name(string(r.Error.Kind) + " error: " + r.Error.Message)
	case o == errored:
		return "no_answer", "no answer: " + name(r.Actual())
	case o == skipped && len(r.Expected) > 0:
		return "unscored", "unscored: no decision to score"
	case o == skipped:
		return "unscored", "unscored: the case has no expected outcome"
	}
	return "", ""
}

func wanted(r eval.Result) string {
	if len(r.Expected) == 0 {
		return "another answer"
	}
	return name(strings.Join(r.Expected, " or "))
}

// account tells of a trial in lines.
func account(o outcome, r eval.Result) string {
	list := []string{"asked: " + name(r.Text)}
	if len(r.Expected) > 0 {
		list = append(list, "expected: "+wanted(r))
	}
	list = append(list, "got: "+name(r.Actual()))
	if r.DecidedBy != "" {
		by := "decided by: " + name(r.DecidedBy)
		if r.Confidence != nil {
			by += ", confidence " + number.Factor(*r.Confidence)
		}
		list = append(list, by)
	}
	for _, f := range r.Fallbacks[:min(len(r.Fallbacks), mostFallbacks)] {
		list = append(list, "fallback: "+name(f.From)+" to "+name(f.To)+", "+name(f.Reason))
	}
	if lacks := r.FailedChecks(); o == passed && len(lacks) > 0 {
		list = append(list, "lacks: "+name(strings.Join(lacks, "; ")))
	}
	if r.Error != nil {
		list = append(list, "error: "+oneLine(r.Error.Error(), longText))
	}
	return strings.Join(list, "\n")
}

// mostFallbacks bounds the steps down that are told of a trial.
const mostFallbacks = 10

package ci

import (
	"fmt"
	"strings"
	"time"

	"evalctl/eval"
	"evalctl/eval/number"
)

// outcome is the outcome of a trial or a test case. Later values are worse.
type outcome int

const (
	passed  outcome = iota
	skipped         // the decision is unscored
	errored         // there is no answer
	failed          // the decision is wrong
	outcomes
)

// element returns the name of the JUnit element for the outcome; "" for passed.
func (o outcome) element() string { return [outcomes]string{"", "skipped", "error", "failure"}[o] }

// testcase is a case in a condition. It combines the results of all epochs into their worst
// outcome.
type testcase struct {
	duration time.Duration // total duration of all epochs
	epochs   int64
	hash     eval.CaseHash

	outcome        outcome
	matchingEpochs int64 // number of epochs with the worst outcome
	epoch          int   // first epoch with the worst outcome; kind, message and text describe it
	kind           string
	message        string
	text           string
}

// add adds a trial of the case. The order in which trials are added does not matter.
func (t *testcase) add(r eval.Result) {
	t.duration += time.Duration(max(r.Duration, 0))
	t.epochs++
	t.hash = r.CaseHash
	o := outcomeOf(r)
	switch {
	case t.epochs > 1 && o < t.outcome:
		return
	case t.epochs == 1 || o > t.outcome:
		t.matchingEpochs = 0
	case r.Epoch > t.epoch:
		t.matchingEpochs++
		return
	}
	t.matchingEpochs++
	t.outcome, t.epoch = o, r.Epoch
	t.kind, t.message = reason(o, r)
	t.text = trialText(o, r)
}

// mean returns the mean duration of an epoch, so that test times do not depend on the number of
// epochs.
func (t *testcase) mean() time.Duration { return t.duration / time.Duration(max(t.epochs, 1)) }

// headline returns the message of the test case. With several epochs, it adds the number of epochs
// with this outcome.
func (t *testcase) headline() string {
	if t.epochs < 2 {
		return t.message
	}
	return fmt.Sprintf("%s (%d of %s)", t.message, t.matchingEpochs, number.Plural(t.epochs, "epoch"))
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

// reason returns the kind of a failure and a message that explains it. Both are "" if the trial
// passed.
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

// trialText describes a trial in several lines: input, expected and actual label, fallbacks and
// errors.
func trialText(o outcome, r eval.Result) string {
	list := []string{"asked: " + name(r.Text)}
	if len(r.Expected) > 0 {
		list = append(list, "expected: "+wanted(r))
	}
	list = append(list, "got: "+name(r.Actual()))
	if r.DecidedBy != "" {
		by := "decided by: " + name(r.DecidedBy)
		if r.Confidence != nil {
			by += ", confidence " + number.Ratio(*r.Confidence)
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

const mostFallbacks = 10

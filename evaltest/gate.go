package evaltest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/gate"
)

// PassGate returns a matcher that succeeds if a run passes a gate rule, as with the command evalctl
// gate:
//
//	PassGate("route.accuracy{fault=none} >= 90% at 95%")
//	PassGate("drop(route.accuracy) <= 1pp", "testdata/main")
//
// A rule with drop, ratio or new_failures requires a baseline: the directory of an earlier run. The
// matcher also fails when negated if the rule is undecided, or if the run has too few results.
func PassGate(rule string, baseline ...string) types.GomegaMatcher {
	return &gateMatcher{rule: rule, baseline: strings.Join(baseline, " ")}
}

type gateMatcher struct {
	rule, baseline string

	report  *Report
	verdict eval.GateVerdict
	notes   []string
}

// Match checks the gate rule on the run.
func (m *gateMatcher) Match(actual any) (bool, error) {
	r, err := reportOf(actual)
	if err != nil {
		return false, fmt.Errorf("PassGate: %w", err)
	}
	judged, err := r.judge(m.rule, m.baseline)
	if err != nil {
		return false, fmt.Errorf("PassGate: %w", err)
	}
	m.report = r
	m.verdict = judged.Verdicts[0]
	m.notes = judged.Notes
	switch {
	case m.verdict.NoData:
		return false, fmt.Errorf("PassGate: %s cannot be decided: %s%s", m.verdict.Rule, m.verdict.Reason,
			notesText(m.notes))
	case m.verdict.Verdict == eval.GateUndecided:
		return false, fmt.Errorf("PassGate: %s is undecided: %s", m.verdict.Rule, m.verdict.Reason)
	}
	return m.verdict.Passed, nil
}

// judge evaluates a gate rule on the run. It returns an error if the run has too few results.
func (r *Report) judge(rule, baseline string) (play.GateResult, error) {
	judged, err := play.Gates{Rules: []string{rule}, Baseline: baseline}.Evaluate(r.Dir)
	switch {
	case err != nil:
		return judged, inGoTerms(err, r.Dir, &secret.Set{})
	case judged.Incomplete != nil:
		return judged, r.incomplete(judged.Incomplete)
	}
	return judged, nil
}

// FailureMessage returns the rule, the reason of the verdict and the worst cases.
func (m *gateMatcher) FailureMessage(any) string {
	text := fmt.Sprintf("Expected the run to pass the gate\n    %s\nbut %s", m.verdict.Rule, m.verdict.Reason)
	if rule, err := gate.Parse(m.verdict.Rule); err == nil && !rule.NeedsBaseline() {
		text += casesText(m.report.worstCases(rule))
	}
	return text + notesText(m.notes)
}

// NegatedFailureMessage returns the rule and the reason of the verdict.
func (m *gateMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected the run not to pass the gate\n    %s\nbut %s", m.verdict.Rule, m.verdict.Reason) +
		notesText(m.notes)
}

func notesText(notes []string) (text string) {
	for _, n := range notes {
		text += "\nmind: " + n
	}
	return text
}

func casesText(cases string) string {
	if cases == "" {
		return ""
	}
	return "\n" + cases
}

// HaveNoNewFailures returns a matcher that fails if a case is wrong that was correct in the
// baseline run, in the same suite, variant and fault. baseline is the directory of an earlier run.
// The matcher also fails when negated if cases cannot be compared, because they differ or have no
// answer.
func HaveNoNewFailures(baseline string) types.GomegaMatcher {
	return &failuresMatcher{baseline: baseline}
}

type failuresMatcher struct {
	baseline string

	report      *Report
	reason      string
	notes       []string
	newFailures []gate.NewlyFailedCase
}

// Match compares the run with the baseline run.
func (m *failuresMatcher) Match(actual any) (bool, error) {
	r, err := reportOf(actual)
	if err == nil && m.baseline == "" {
		err = errors.New("names no baseline")
	}
	if err != nil {
		return false, fmt.Errorf("HaveNoNewFailures: %w", err)
	}
	judged, err := r.judge(string(gate.NewFailures)+" <= 0", m.baseline)
	if err != nil {
		return false, fmt.Errorf("HaveNoNewFailures: %w", err)
	}
	v := judged.Verdicts[0]
	m.report = r
	m.reason = v.Reason
	m.notes = judged.Notes
	m.newFailures = judged.NewFailures
	if v.NoData {
		return false, fmt.Errorf("HaveNoNewFailures: %s cannot be compared with %s: %s%s", r.Dir, m.baseline, v.Reason,
			notesText(m.notes))
	}
	return v.Passed, nil
}

// FailureMessage lists the cases that are newly wrong.
func (m *failuresMatcher) FailureMessage(any) string {
	return fmt.Sprintf("Expected no case to fail that was right in %s\nbut %s%s%s", m.baseline, m.reason,
		casesText(m.report.newFailures(m.newFailures)), notesText(m.notes))
}

// NegatedFailureMessage states that the run has no new failures.
func (m *failuresMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected a case to fail that was right in %s\nbut %s%s", m.baseline, m.reason,
		notesText(m.notes))
}

package ci

import (
	"fmt"
	"io"
	"time"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// maxJUnit is the maximum size of a JUnit XML file, in bytes. GitLab accepts 30 MB.
const maxJUnit = 29_000_000

// WriteJUnit writes a JUnit XML file with one test suite for each condition and one test case for
// each case. Wrong cases are failures, cases without an answer are errors, and unscored cases are
// skipped. For several epochs, the worst outcome counts, and the time is the mean. Gates are a
// separate suite. An interrupted run and a condition without a trial are errors.
//
// The class name is SUITE.VARIANT, followed by + FAULT. GitLab shows it as the suite, and Jenkins
// splits it at its last dot. The file is not larger than maxJUnit.
func WriteJUnit(w io.Writer, r Report) error { return junit(w, r, maxJUnit) }

func junit(w io.Writer, r Report, most int) error {
	conditions, err := collect(r, most)
	if err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	known := map[conditionCase]*record{}
	if r.KnownFailuresRun != nil {
		if known, err = recordsOf(r.KnownFailuresRun, func(conditionCase) bool { return true }); err != nil {
			return fmt.Errorf("junit: %w", err)
		}
	}
	suites := suitesOf(r.Summary, conditions, known)
	first := conditions.shape
	if r.FailuresOnly {
		first = max(first, foldedPasses)
	}
	for s := first; s < shapes; s++ {
		if text, fits := render(suites, s, most); fits {
			return write(w, "junit", text)
		}
	}
	return fmt.Errorf("junit: %s do not go into %s bytes", number.Plural(int64(len(suites)), "suite"),
		number.Integer(int64(most)))
}

// suite is a <testsuite> element.
type suite struct {
	name, class string
	// whether test cases may be omitted if the file gets too large: true for conditions, false for
	// the gates
	canFold bool
	metrics map[string]eval.Estimate
	tests   []test
}

// test is a <testcase> element.
type test struct {
	name     string
	duration time.Duration
	outcome  outcome
	kind     string
	message  string
	text     string
}

// suitesOf returns the test suites: one for problems of the whole run if there are any, one for the
// gates, then one for each condition.
func suitesOf(s eval.Summary, conditions *TrialCollector, known map[conditionCase]*record) (list []suite) {
	if about := aboutRun(s); len(about) > 0 {
		list = append(list, suite{name: "run", class: "run", tests: about})
	}
	if len(s.Gates) > 0 {
		list = append(list, suite{name: "gates", class: "gates", tests: gateTests(s.Gates)})
	}
	classes, titles := names{}, names{}
	for _, one := range list {
		classes.of(one.class)
		titles.of(one.name)
	}
	for _, of := range conditions.list {
		list = append(list, suite{
			name:    titles.of(of.suite + "/" + of.variant + "/" + of.fault),
			class:   classes.of(of.suite + "." + of.variantAndFault()),
			canFold: true,
			metrics: of.metrics,
			tests:   of.tests(known),
		})
	}
	return list
}

func aboutRun(s eval.Summary) (list []test) {
	switch {
	case s.Shard != nil:
		list = append(list, test{
			name:    s.Shard.Describe(),
			outcome: skipped,
			kind:    "shard",
			message: "no gate is judged: evalctl merge makes one run of all shards",
		})
	case s.Partial:
		list = append(list, test{
			name:    "the run ended",
			outcome: errored,
			kind:    "partial",
			message: "PARTIAL: " + finding.IncompleteNote(s, "this report"),
		})
	}
	if len(s.Suites) == 0 {
		list = append(list, test{
			name:    "a suite ran",
			outcome: errored,
			kind:    "nothing",
			message: "no suite ran: nothing was measured",
		})
	}
	return list
}

func gateTests(gates []eval.GateVerdict) (list []test) {
	rules := names{}
	for _, g := range gates {
		t := test{
			name:    rules.of(g.Rule),
			outcome: failed,
			kind:    "gate",
			message: oneLine(g.Reason, longText),
		}
		switch g.Verdict {
		case eval.GatePassed:
			t = test{name: t.name}
		case eval.GateUndecided:
			t.outcome, t.kind, t.message = skipped, "undecided", "undecided: "+t.message
		}
		list = append(list, t)
	}
	return list
}

// tests returns the test cases of a condition. A wrong case is skipped if it was also wrong in the
// run with known failures, with the same turns and labels.
func (s *conditionCases) tests(known map[conditionCase]*record) []test {
	if len(s.cases) == 0 {
		return []test{{name: "at least one trial ran", outcome: errored, kind: "nothing",
			message: "no trial of this condition is available"}}
	}
	ids := names{}
	list := make([]test, 0, len(s.cases))
	for _, id := range s.ids() {
		c := s.cases[id]
		t := test{
			name:     ids.of(id),
			duration: c.mean(),
			outcome:  c.outcome,
			kind:     c.kind,
			message:  c.headline(),
			text:     c.text,
		}
		if was := known[conditionCase{condition: s.condition, id: id}]; t.outcome == failed && was != nil &&
			was.wrong > was.right && was.hash == c.hash {
			t.outcome, t.kind, t.message = skipped, "known_failure", "already wrong in the baseline run: "+t.message
		}
		list = append(list, t)
	}
	return list
}

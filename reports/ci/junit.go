package ci

import (
	"fmt"
	"io"
	"time"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// maxJUnit is how many bytes of JUnit XML there are at most: GitLab takes 30 MB.
const maxJUnit = 29_000_000

// JUnit writes a test suite for every cell and a test case for every case: wrong
// ones are failures, those without an answer errors, unjudged ones skipped. Of a
// case that is played several times the worst epoch counts, and the time is the
// mean. Gates are a suite of their own. A run that did not end, and a cell without
// a trial, are errors.
//
// The class name, which GitLab shows as the suite and Jenkins splits at its last
// dot, is SUITE.VARIANT, with + FAULT behind it. No file is larger than maxJUnit.
func JUnit(w io.Writer, r Report) error { return junit(w, r, maxJUnit) }

func junit(w io.Writer, r Report, most int) error {
	conditions, err := collect(r, most)
	if err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	known := map[place]*record{}
	if r.Known != nil {
		if known, err = recordsOf(r.Known, func(place) bool { return true }); err != nil {
			return fmt.Errorf("junit: %w", err)
		}
	}
	suites := suitesOf(r.Summary, conditions, known)
	for s := conditions.left; s < shapes; s++ {
		if text, fits := render(suites, s, most); fits {
			return write(w, "junit", text)
		}
	}
	return fmt.Errorf("junit: %s do not go into %s bytes", number.Plural(int64(len(suites)), "suite"), number.Thousands(int64(most)))
}

// suite is a <testsuite>.
type suite struct {
	name, class string
	folds       bool // it is of a cell: gates are told whatever room there is
	metrics     map[string]eval.Estimate
	tests       []test
}

// test is a <testcase>.
type test struct {
	name     string
	duration time.Duration
	outcome  outcome
	kind     string
	message  string
	text     string
}

// suitesOf has the run first, where something is wrong with it, then the gates,
// then the cells.
func suitesOf(s eval.Summary, conditions *Trials, known map[place]*record) (list []suite) {
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
			class:   classes.of(of.suite + "." + of.way()),
			folds:   true,
			metrics: of.metrics, tests: of.tests(known),
		})
	}
	return list
}

func aboutRun(s eval.Summary) (list []test) {
	switch {
	case s.Shard != nil:
		list = append(list, test{name: s.Shard.Describe(), outcome: skipped, kind: "shard", message: "no gate is judged: evalctl merge makes one run of all shards"})
	case s.Partial:
		list = append(list, test{name: "the run ended", outcome: errored, kind: "partial", message: "PARTIAL: " + finding.IncompleteNote(s, "this report")})
	}
	if len(s.Suites) == 0 {
		list = append(list, test{name: "a suite ran", outcome: errored, kind: "nothing", message: "no suite ran: nothing was measured"})
	}
	return list
}

func gateTests(gates []eval.GateVerdict) (list []test) {
	rules := names{}
	for _, g := range gates {
		t := test{name: rules.of(g.Rule), outcome: failed, kind: "gate", message: oneLine(g.Reason, longText)}
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

// tests are the cases of a condition. A case that is wrong in known, too, and still has the
// same turns and labels, is skipped.
func (s *sheet) tests(known map[place]*record) []test {
	if len(s.cases) == 0 {
		return []test{{name: "a trial was played", outcome: errored, kind: "nothing", message: "no trial of this condition is available"}}
	}
	ids := names{}
	list := make([]test, 0, len(s.cases))
	for _, id := range s.ids() {
		c := s.cases[id]
		t := test{name: ids.of(id), duration: c.mean(), outcome: c.outcome, kind: c.kind, message: c.headline(), text: c.text}
		if was := known[place{condition: s.condition, id: id}]; t.outcome == failed && was != nil && was.wrong > was.right && was.hash == c.hash {
			t.outcome, t.kind, t.message = skipped, "known_failure", "already wrong in the baseline run: "+t.message
		}
		list = append(list, t)
	}
	return list
}

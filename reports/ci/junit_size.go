package ci

import (
	"time"

	"evalctl/eval/number"
)

// shape says how much a file tells; the later the less.
type shape int

const (
	whole        shape = iota
	plainPasses        // cases that passed have no text
	foldedPasses       // but are one test case a suite
	headlines          // those that did not pass have no more than a message
	foldedRest         // and of them the first of each suite stand for the others
	bareSuites         // which have no metrics either
	shapes
)

// leftOut says so in the file.
func (s shape) leftOut() string {
	return [shapes]string{"",
		"texts of cases that passed",
		"cases that passed",
		"cases that passed, and texts of the others",
		"cases that passed, and of the others texts and most cases",
		"metrics, cases that passed, and of the others texts and most cases",
	}[s]
}

// room is how many test cases of an outcome a suite of a cell has.
func (s shape) room(o outcome) int {
	switch {
	case s >= foldedPasses && o == passed:
		return 0
	case s == foldedRest:
		return 100
	case s == bareSuites:
		return 1
	}
	return int(^uint(0) >> 1)
}

// hasText tells whether there is room for what a test case has beside its message.
func (s shape) hasText(o outcome) bool { return s < headlines && (o != passed || s < plainPasses) }

// fold are the test cases that a shape has room for, and one for those of each
// outcome that it has not.
func (s shape) fold(tests []test) []test {
	var list []test
	var left [outcomes]struct {
		n    int64
		took time.Duration
	}
	var told [outcomes]int
	for _, t := range tests {
		if told[t.outcome] == s.room(t.outcome) {
			left[t.outcome].n++
			left[t.outcome].took += t.duration
			continue
		}
		told[t.outcome]++
		if !s.hasText(t.outcome) {
			t.text = ""
		}
		list = append(list, t)
	}
	for o, of := range left {
		if of.n > 0 {
			list = append(list, folded(outcome(o), of.n, of.took))
		}
	}
	return list
}

// folded stands for so many test cases.
func folded(o outcome, n int64, duration time.Duration) test {
	t := test{name: "(" + number.Plural(n, "case") + " that " + [outcomes]string{"passed", "could not be judged", "have no answer", "are wrong"}[o] + ")", duration: duration, outcome: o}
	if o != passed {
		t.kind, t.message = "folded", number.Plural(n, "case")+" for which there is no room in this file"
	}
	return t
}

package ci

import (
	"time"

	"evalctl/eval/number"
)

// shape is the level of detail of a file. Later shapes are shorter.
type shape int

const (
	whole        shape = iota
	plainPasses        // passed cases have no text
	foldedPasses       // passed cases are summed up in one test case per suite
	headlines          // the other cases have only a message
	foldedRest         // of the other cases, the first of each suite are listed
	bareSuites         // suites have no metrics
	shapes
)

// leftOut describes the omitted parts, for the file.
func (s shape) leftOut() string {
	return [shapes]string{"",
		"texts of cases that passed",
		"cases that passed",
		"cases that passed, and texts of the others",
		"cases that passed, and of the others texts and most cases",
		"metrics, cases that passed, and of the others texts and most cases",
	}[s]
}

// capacity is the number of test cases of an outcome that a condition's suite contains.
func (s shape) capacity(o outcome) int {
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

// hasText reports whether a test case contains text in addition to its message.
func (s shape) hasText(o outcome) bool { return s < headlines && (o != passed || s < plainPasses) }

// fold returns the test cases that the shape has room for. The rest of each outcome is summed up in
// one test case.
func (s shape) fold(tests []test) []test {
	var list []test
	var left [outcomes]struct {
		n    int64
		took time.Duration
	}
	var listed [outcomes]int
	for _, t := range tests {
		if listed[t.outcome] == s.capacity(t.outcome) {
			left[t.outcome].n++
			left[t.outcome].took += t.duration
			continue
		}
		listed[t.outcome]++
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

// folded returns a test case that represents n others.
func folded(o outcome, n int64, duration time.Duration) test {
	t := test{name: "(" + number.Plural(n, "case") + " that " + [outcomes]string{"passed", "could not be scored",
		"have no answer", "are wrong"}[o] + ")", duration: duration, outcome: o}
	if o != passed {
		t.kind, t.message = "folded", number.Plural(n, "case")+" for which there is no room in this file"
	}
	return t
}

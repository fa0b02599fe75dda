package ci

import (
	"time"

	"evalctl/eval/number"
)

// shape is the level of detail of a JUnit file. If the file is too large, the next shape is used,
// which is shorter.
type shape int

const (
	whole        shape = iota
	plainPasses        // passed cases have no text
	foldedPasses       // one test case in each suite represents all passed cases
	headlines          // failed, unanswered and unscored cases have no text either, only a message
	foldedRest         // each suite lists only its first 100 cases of each other outcome
	bareSuites         // suites have no metrics and list one case of each outcome
	shapes
)

// leftOut describes what the shape omits, as a note in the file.
func (s shape) leftOut() string {
	return [shapes]string{"",
		"texts of cases that passed",
		"cases that passed",
		"cases that passed, and texts of the others",
		"cases that passed, and of the others texts and most cases",
		"metrics, cases that passed, and of the others texts and most cases",
	}[s]
}

// capacity returns how many test cases with this outcome the suite of a condition lists.
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

// hasText reports whether a test case with this outcome has a text in addition to its message.
func (s shape) hasText(o outcome) bool { return s < headlines && (o != passed || s < plainPasses) }

// fold returns the test cases that the shape lists. For each outcome, one additional test case
// represents the omitted ones.
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

// folded returns a test case that represents n omitted test cases.
func folded(o outcome, n int64, duration time.Duration) test {
	t := test{name: "(" + number.Plural(n, "case") + " that " + [outcomes]string{"passed", "could not be scored",
		"have no answer", "are wrong"}[o] + ")", duration: duration, outcome: o}
	if o != passed {
		t.kind, t.message = "folded", number.Plural(n, "case")+" for which there is no room in this file"
	}
	return t
}

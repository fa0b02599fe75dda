package compare

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"evalctl/eval"
)

// compared finds the cases that all sides have, and what a reader must know of
// them; an error is why the sides are not to be compared.
func compared(sources []Source, l lineup, sides []caseRows, common bool) (ids, notes []string, err error) {
	partial := false
	for _, p := range l {
		partial = partial || sources[p.source].Partial
	}
	if err := errors.Join(sameQuestion(sources, l), sameChoice(sources, l)); err != nil {
		return nil, nil, err
	}
	ids, changed, all := shared(sides, sameData(sources, l))
	switch lacking := all - len(ids) - len(changed); {
	case len(ids) == 0 && len(changed) == 0:
		return nil, nil, fmt.Errorf("no case is in both %s and %s", sources[l[0].source].Name, sources[l[len(l)-1].source].Name)
	case len(changed) > 0 && !common:
		return nil, nil, fmt.Errorf("another text or label in one run than in another has %q, and so have %d of %d cases in all; --common leaves them out",
			changed[0], len(changed), all)
	case lacking > 0 && !common && !partial:
		return nil, nil, fmt.Errorf("only %d of %d cases are in all of them; --common compares those", len(ids), all)
	case all > len(ids):
		notes = append(notes, fmt.Sprintf("%d of %d cases are compared: those that all have alike.", len(ids), all))
	}
	return ids, append(notes, remarks(sources, l)...), nil
}

// sameData tells that all sides are known to have played cases of the same file.
func sameData(sources []Source, l lineup) bool {
	first := sources[l[0].source].Data[l[0].suite]
	return !slices.ContainsFunc(l, func(p place) bool {
		return p.source != l[0].source && (first == "" || sources[p.source].Data[p.suite] != first)
	})
}

// judgedByAll are the cases that count: those that every side judged, of a
// conversation at least one turn, or of which none has anything to judge. Of more than two, a side of which too little is
// known takes no case from the others.
func judgedByAll(ids []string, sides []caseRows) (kept []string) {
	var count []caseRows
	for _, rows := range sides {
		var c coverage
		for _, id := range ids {
			c.add(tallyOf(rows[id]))
		}
		if len(sides) <= 2 || !c.poor() {
			count = append(count, rows)
		}
	}
	for _, id := range ids {
		judged, labelled := 0, false
		for _, rows := range count {
			t := tallyOf(rows[id])
			labelled = labelled || t.labelled > 0
			if len(t.rows) > 0 {
				judged++
			}
		}
		if !labelled || judged == len(count) {
			kept = append(kept, id)
		}
	}
	return kept
}

// shared are the cases that all sides have, those of them that are not the same,
// and how many there are in all.
func shared(sides []caseRows, same bool) (ids, changed []string, all int) {
	union := map[string]int{}
	for _, rows := range sides {
		for id := range rows {
			union[id]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(union)) {
		switch {
		case union[id] < len(sides):
		case !same && isChanged(id, sides):
			changed = append(changed, id)
		default:
			ids = append(ids, id)
		}
	}
	return ids, changed, len(union)
}

// isChanged tells that a case asks or wants something else in one side than in
// another, as far as its results tell: of a conversation they are of one turn,
// and not always of the same.
func isChanged(id string, sides []caseRows) bool {
	text, want := "", eval.OneOf(nil)
	for _, rows := range sides {
		if len(rows[id][0].Turns) > 1 {
			return false
		}
		t, w := asked(rows[id])
		if t != "" && text != "" && t != text || w != nil && want != nil && !slices.Equal(w, want) {
			return true
		}
		if text == "" {
			text = t
		}
		if want == nil {
			want = w
		}
	}
	return false
}

// sameQuestion refuses sides that were not asked the same.
func sameQuestion(sources []Source, l lineup) error {
	first := sources[l[0].source]
	a, _ := first.suite(l[0].suite)
	for _, p := range l[1:] {
		other := sources[p.source]
		b, _ := other.suite(p.suite)
		switch {
		case first.Bare || other.Bare:
		case a.Target != b.Target:
			return fmt.Errorf("%s ran %s, %s ran %s", first.Name, a.Target, other.Name, b.Target)
		case a.Scope != b.Scope:
			return fmt.Errorf("%s played %s, %s played %s: later turns of the one saw no answer", first.Name, played(a), other.Name, played(b))
		}
	}
	return nil
}

// sameChoice refuses sides of which one has only cases that failed in some run:
// they were picked by their luck there, and do better in any other run.
func sameChoice(sources []Source, l lineup) error {
	first, a := sources[l[0].source], failedIn(sources, l[0])
	for _, p := range l[1:] {
		if b := failedIn(sources, p); a != b {
			return fmt.Errorf("%s has %s, %s has %s: cases that failed once were picked by their luck, and do better in any other run",
				first.Name, picked(a), sources[p.source].Name, picked(b))
		}
	}
	return nil
}

// failedIn is the run in which a side's cases failed; "": they are of no such choice.
func failedIn(sources []Source, p place) string {
	s, _ := sources[p.source].suite(p.suite)
	return s.FailedIn
}

func picked(failedIn string) string {
	if failedIn == "" {
		return "cases that nobody picked by how they went"
	}
	return "only those that failed in " + failedIn
}

func played(s eval.SuiteSummary) string {
	if s.Scope != "" {
		return "the " + s.Scope + " only"
	}
	return "the whole answer"
}

// remarks are what makes a comparison weaker than it looks.
func remarks(sources []Source, l lineup) (notes []string) {
	first, seeds := sources[l[0].source], false
	for _, p := range l[1:] {
		other := sources[p.source]
		seeds = seeds || first.Seed != nil && other.Seed != nil && *first.Seed != *other.Seed
	}
	told := map[int]bool{}
	for _, p := range l {
		if s := sources[p.source]; s.Partial && !told[p.source] {
			told[p.source] = true
			notes = append(notes, s.Name+" "+s.lacks()+": only what it played is compared.")
		}
	}
	if slices.ContainsFunc(l, func(p place) bool { return sources[p.source].Bare }) {
		notes = append(notes, "Results alone do not tell how they came about: seeds, clocks and scopes are taken to be the same.")
	}
	if from := failedIn(sources, l[0]); from != "" {
		notes = append(notes, "Only cases that failed in "+from+" are compared: no figure is the set's, and none says how these do against that run.")
	}
	if seeds {
		notes = append(notes, "The runs have different seeds: simulated models had other luck in each, which adds differences of its own.")
	}
	if !sameClock(sources, l) {
		notes = append(notes, "One run took simulated time, another real time: latencies are not compared.")
	}
	return notes
}

// sameClock tells that times of the sides mean the same.
func sameClock(sources []Source, l lineup) bool {
	clock := ""
	for _, p := range l {
		s, _ := sources[p.source].suite(p.suite)
		if s.Time != "" && clock != "" && s.Time != clock {
			return false
		}
		clock = s.Time
	}
	return true
}

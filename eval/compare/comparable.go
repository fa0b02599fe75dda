package compare

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
)

// comparableCases returns the cases that all compared sides have in the same version, and notes
// about the limits of the comparison. The error explains why the sides cannot be compared.
func comparableCases(sources []RunData, l sideSet, sides []caseRows, common bool) (ids, notes []string, err error) {
	partial := false
	for _, p := range l {
		partial = partial || sources[p.source].Partial
	}
	if err := errors.Join(checkSameScope(sources, l), checkSameSelection(sources, l)); err != nil {
		return nil, nil, err
	}
	same := sameData(sources, l)
	ids, changed, all := unchangedCases(sides, matching{sameFile: same, sameLabelField: sameLabelField(sources, l)})
	switch lacking := all - len(ids) - changed.cases; {
	case len(ids) == 0 && changed.cases == 0:
		return nil, nil, fmt.Errorf("no case is in both %s and %s", sources[l[0].source].Name,
			sources[l[len(l)-1].source].Name)
	case changed.cases > 0 && !common:
		return nil, nil, fmt.Errorf(
			"%d of %d cases changed between the runs (%s), the first is %q; --common-cases leaves them out",
			changed.cases, all, changed.words(), changed.first)
	case lacking > 0 && !common && !partial:
		return nil, nil, fmt.Errorf("only %d of %d cases are in all of them; --common-cases compares those",
			len(ids), all)
	case all > len(ids):
		notes = append(notes, fmt.Sprintf("%d of %d cases are compared: those that are the same in all runs.",
			len(ids), all))
	}
	if changed.cases > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d cases changed between the runs (%s) and are left out.",
			changed.cases, all, changed.words()))
	}
	if changed.unhashed > 0 && !same &&
		slices.ContainsFunc(sources, func(s RunData) bool { return s.NoManifest || s.DatasetHashes != nil }) {
		notes = append(notes, fmt.Sprintf(
			"%d of %d cases have rows of an older evalctl, without a case hash: only the first %d characters of a single turn "+
				"and its label were compared, and of conversations nothing.", changed.unhashed, all, eval.MaxTextChars))
	}
	return ids, append(notes, limitations(sources, l)...), nil
}

// sameData reports whether all compared sides are known to use the same dataset file.
func sameData(sources []RunData, l sideSet) bool {
	first := sources[l[0].source].DatasetHashes[l[0].suite]
	return !slices.ContainsFunc(l, func(p sideKey) bool {
		return p.source != l[0].source && (first == "" || sources[p.source].DatasetHashes[p.suite] != first)
	})
}

// sameLabelField reports whether the cases of all sides have their expected label in the same field,
// as far as is known. Otherwise their hashes of the labels differ even for the same label.
func sameLabelField(sources []RunData, l sideSet) bool {
	field := ""
	for _, p := range l {
		of := sources[p.source].LabelFields[p.suite]
		if of != "" && field != "" && of != field {
			return false
		}
		field = cmp.Or(field, of)
	}
	return true
}

// haveDifferentTargets reports whether two sides are known to have evaluated different targets.
func haveDifferentTargets(sources []RunData, a, b sideKey) bool {
	first, other := sources[a.source], sources[b.source]
	one, _ := first.suite(a.suite)
	two, _ := other.suite(b.suite)
	return !first.NoManifest && !other.NoManifest && one.TargetOf(a.variant) != two.TargetOf(b.variant)
}

// scoredByAll returns the cases that enter the comparison. Every side must have scored at least one
// turn of the case, or no side has a label for it. With more than two sides, a side that is mostly
// unscored does not exclude cases.
func scoredByAll(ids []string, sides []caseRows) (common []string) {
	var count []caseRows
	for _, rows := range sides {
		var c coverage
		for _, id := range ids {
			c.add(tallyCases(rows[id]))
		}
		if len(sides) <= 2 || !c.isMostlyUnscored() {
			count = append(count, rows)
		}
	}
	for _, id := range ids {
		judged, labeled := 0, false
		for _, rows := range count {
			t := tallyCases(rows[id])
			labeled = labeled || t.labeled > 0
			if len(t.rows) > 0 {
				judged++
			}
		}
		if !labeled || judged == len(count) {
			common = append(common, id)
		}
	}
	return common
}

// unchangedCases returns the cases that all sides have unchanged, counts the changed ones, and
// returns the number of all cases.
func unchangedCases(sides []caseRows, by matching) (ids []string, changed changes, all int) {
	union := map[string]int{}
	for _, rows := range sides {
		for id := range rows {
			union[id]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(union)) {
		if union[id] == len(sides) && !changed.add(id, sides, by) {
			ids = append(ids, id)
		}
	}
	return ids, changed, len(union)
}

// matching is how the cases of several sides are matched.
type matching struct {
	sameFile       bool // all sides use the same dataset file
	sameLabelField bool // the hashes of the labels are comparable
}

// changes counts the cases whose input or expectation differs between the compared sides.
type changes struct {
	first                      string
	cases, text, input, labels int
	unhashed                   int // number of cases with a result that has no case hash
}

// add reports whether a case changed between the sides, and counts it. It compares the case hashes.
// Results of an older evalctl have no hash, so it also compares texts and labels, unless all sides
// use the same dataset file. Where the targets have different label fields, only the labels in the
// results can be compared.
func (c *changes) add(id string, sides []caseRows, by matching) bool {
	var all eval.CaseChange
	hash, unhashed := eval.CaseHash(""), false
	for _, rows := range sides {
		for _, r := range rows[id] {
			unhashed = unhashed || r.CaseHash == ""
			if hash == "" {
				hash = r.CaseHash
			}
			change := hash.Diff(r.CaseHash)
			all.Text, all.Input, all.Labels = all.Text || change.Text, all.Input || change.Input,
				all.Labels || change.Labels && by.sameLabelField
		}
	}
	if !by.sameFile {
		text, labels := shownChange(id, sides)
		all.Text, all.Labels = all.Text || text, all.Labels || labels
	}
	if !by.sameLabelField && !by.sameFile {
		all.Labels = all.Labels || expectDifferentLabels(id, sides)
	}
	if unhashed {
		c.unhashed++
	}
	if !all.IsChanged() {
		return false
	}
	if c.first == "" {
		c.first = id
	}
	c.cases++
	for _, part := range []struct {
		changed bool
		count   *int
	}{{all.Text, &c.text}, {all.Input, &c.input}, {all.Labels, &c.labels}} {
		if part.changed {
			*part.count++
		}
	}
	return true
}

// words lists which parts of the cases changed, and in how many cases.
func (c changes) words() string {
	var list []string
	for _, part := range []struct {
		n    int
		name string
	}{{c.text, "text"}, {c.input, "history or input"}, {c.labels, "labels"}} {
		if part.n > 0 {
			list = append(list, fmt.Sprintf("%s: %d", part.name, part.n))
		}
	}
	return strings.Join(list, ", ")
}

// shownChange reports whether the results of the sides contain different texts or labels for a
// case. It ignores conversations, because their results contain only one turn, which may differ.
func shownChange(id string, sides []caseRows) (texts, labels bool) {
	text, want := "", eval.OneOf(nil)
	for _, rows := range sides {
		if len(rows[id][0].Turns) > 1 {
			return false, false
		}
		t, w := caseText(rows[id])
		texts = texts || t != "" && text != "" && t != text
		labels = labels || w != nil && want != nil && !slices.Equal(w, want)
		if text == "" {
			text = t
		}
		if want == nil {
			want = w
		}
	}
	return texts, labels
}

// expectDifferentLabels reports whether the results of the sides contain different expected labels
// for the same turn of a case.
func expectDifferentLabels(id string, sides []caseRows) bool {
	expected := map[int]eval.OneOf{}
	for _, rows := range sides {
		for _, r := range rows[id] {
			for _, d := range r.Decisions() {
				first, ok := expected[d.Turn]
				switch {
				case d.Expected == nil:
				case ok && !slices.Equal(first, d.Expected):
					return true
				default:
					expected[d.Turn] = d.Expected
				}
			}
		}
	}
	return false
}

// checkSameScope returns an error if only some sides of the same target are decision only.
func checkSameScope(sources []RunData, l sideSet) error {
	first := sources[l[0].source]
	a, _ := first.suite(l[0].suite)
	for _, p := range l[1:] {
		other := sources[p.source]
		b, _ := other.suite(p.suite)
		switch {
		case first.NoManifest || other.NoManifest || a.TargetOf(l[0].variant) != b.TargetOf(p.variant):
		case a.DecisionOnly != b.DecisionOnly:
			return fmt.Errorf("%s ran %s, %s ran %s: later turns of one of them have no earlier answer", first.Name,
				scopeText(a), other.Name, scopeText(b))
		}
	}
	return nil
}

// checkSameSelection returns an error if only some sides are restricted to cases that failed in an
// earlier run. Such cases failed partly by chance and do better in any other run (regression to the
// mean).
func checkSameSelection(sources []RunData, l sideSet) error {
	first, a := sources[l[0].source], failedIn(sources, l[0])
	for _, p := range l[1:] {
		if b := failedIn(sources, p); a != b {
			return fmt.Errorf("%s has %s, %s has %s: cases that failed once failed partly by chance, and do better in any other run",
				first.Name, selectionText(a), sources[p.source].Name, selectionText(b))
		}
	}
	return nil
}

// failedIn returns the earlier run whose failed cases the side is restricted to; "": all cases.
func failedIn(sources []RunData, p sideKey) string {
	s, _ := sources[p.source].suite(p.suite)
	return s.FailedInRun
}

func selectionText(failedIn string) string {
	if failedIn == "" {
		return "cases that were not selected by result"
	}
	return "only those that failed in " + failedIn
}

func scopeText(s eval.SuiteSummary) string {
	if s.DecisionOnly {
		return "the decision only"
	}
	return "the whole answer"
}

// limitations returns notes about what makes the comparison less reliable, such as different seeds.
func limitations(sources []RunData, l sideSet) (notes []string) {
	first, seeds := sources[l[0].source], false
	for _, p := range l[1:] {
		other := sources[p.source]
		seeds = seeds || first.Seed != nil && other.Seed != nil && *first.Seed != *other.Seed
	}
	partialNoted := map[int]bool{}
	for _, p := range l {
		if s := sources[p.source]; s.Partial && !partialNoted[p.source] {
			partialNoted[p.source] = true
			notes = append(notes, s.Name+" "+s.whyPartial()+": only the trials that it ran are compared.")
		}
	}
	noted := map[int]bool{}
	for _, p := range l {
		if !noted[p.source] {
			noted[p.source] = true
			for _, text := range sources[p.source].Caveats {
				notes = append(notes, sources[p.source].Name+": "+text)
			}
		}
	}
	if slices.ContainsFunc(l, func(p sideKey) bool { return sources[p.source].NoManifest }) {
		notes = append(notes, "Results alone do not contain seeds, clocks and scopes, which are assumed to be equal. "+
			"The plan is unknown, too, and missing trials cannot be seen.")
	}
	if from := failedIn(sources, l[0]); from != "" {
		notes = append(notes, "Only cases that failed in "+from+
			" are compared: the figures describe only these cases, not the whole set.")
	}
	if seeds {
		notes = append(notes, "The runs have different seeds. Simulated models drew other random numbers in each, which adds differences.")
	}
	if !sameClock(sources, l) {
		notes = append(notes, "One run took simulated time, another real time: latencies are not compared.")
	}
	notes = append(notes, scopeNotes(sources, l)...)
	for _, p := range l[1:] {
		a, b := sources[l[0].source], sources[p.source]
		if a.Parallel != "" && b.Parallel != "" && a.Parallel != b.Parallel {
			notes = append(notes, fmt.Sprintf(
				"%s ran at -j %s, %s at -j %s: latencies depend on how many trials run at once.", a.Name, a.Parallel,
				b.Name, b.Parallel))
			break
		}
	}
	return notes
}

// scopeNotes returns a note if only some of several targets stopped after the decision. Variants of
// the same target with different scopes are not compared at all.
func scopeNotes(sources []RunData, l sideSet) []string {
	a, _ := sources[l[0].source].suite(l[0].suite)
	for _, p := range l[1:] {
		b, _ := sources[p.source].suite(p.suite)
		if haveDifferentTargets(sources, l[0], p) && a.DecisionOnly != b.DecisionOnly {
			return []string{fmt.Sprintf("%s ran %s, %s ran %s: their costs and latencies are not of the same work.",
				sources[l[0].source].Name, scopeText(a), sources[p.source].Name, scopeText(b))}
		}
	}
	return nil
}

func sameClock(sources []RunData, l sideSet) bool {
	clock := ""
	for _, p := range l {
		s, _ := sources[p.source].suite(p.suite)
		if s.Clock != "" && clock != "" && s.Clock != clock {
			return false
		}
		clock = s.Clock
	}
	return true
}

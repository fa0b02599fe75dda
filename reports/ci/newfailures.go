package ci

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/eval/runs"
)

// casePlace is a case in a condition.
type casePlace struct {
	condition
	id string
}

// record is the outcome of a case in a condition, over its epochs.
type record struct {
	// turn of text and want; in a conversation, a wrong result refers to another turn than a right
	// one
	turn         int
	text, want   string
	right, wrong int64
	got          string // in the first wrong epoch
	hash         eval.CaseHash
	epoch        int
}

// recordsOf reads the cases of a run for which keep returns true.
func recordsOf(run *runs.Run, keep func(casePlace) bool) (map[casePlace]*record, error) {
	list := map[casePlace]*record{}
	for r, err := range run.Results() {
		if err != nil {
			return nil, err
		}
		at := casePlace{condition: conditionOf(r), id: r.Case}
		if !keep(at) {
			continue
		}
		if list[at] == nil {
			decision, _ := r.Decision()
			list[at] = &record{
				turn: decision.Turn,
				text: r.Text,
				want: strings.Join(r.Expected, " or "),
				hash: r.CaseHash,
			}
		}
		list[at].add(r)
	}
	return list, nil
}

func (c *record) add(r eval.Result) {
	switch {
	case r.IsWrong():
		if c.wrong++; c.got == "" || r.Epoch < c.epoch {
			c.got, c.epoch = r.Actual(), r.Epoch
		}
	case !r.IsUnscored() && r.Correct != nil:
		c.right++
	}
}

// wasRight reports whether the case is right in most epochs.
func (c *record) wasRight() bool { return c.right > c.wrong }

// hasChanged reports whether a case with the same ID has changed.
func (c *record) hasChanged(before *record) bool {
	return c.turn == before.turn && (c.text != before.text || c.want != before.want)
}

// newFailure is a case that is newly wrong, with the same wrong answer in some conditions.
type newFailure struct{ suite, id, want, got string }

// newFailures returns the cases that were right in the baseline run and are wrong in this one.
// There is one annotation per wrong answer, most affected conditions first. Cases whose text or
// labels have changed are omitted.
func newFailures(r Report) ([]annotation, error) {
	if r.Run == nil || r.BaselineRun == nil {
		return nil, nil
	}
	before, err := recordsOf(r.BaselineRun, func(casePlace) bool { return true })
	if err != nil {
		return nil, err
	}
	now, err := recordsOf(r.Run, func(at casePlace) bool { return before[at] != nil && before[at].wasRight() })
	if err != nil {
		return nil, err
	}
	cases := map[newFailure][]string{}
	for _, at := range slices.SortedFunc(maps.Keys(now), casePlace.compare) {
		was, is := before[at], now[at]
		if is.wrong <= is.right || is.hasChanged(was) {
			continue
		}
		key := newFailure{
			suite: at.suite,
			id:    at.id,
			want:  is.want,
			got:   is.got,
		}
		cases[key] = append(cases[key], at.variantAndFault())
	}
	return worst(cases), nil
}

func worst(cases map[newFailure][]string) (annotations []annotation) {
	list := slices.SortedFunc(maps.Keys(cases), func(a, b newFailure) int {
		return cmp.Or(cmp.Compare(len(cases[b]), len(cases[a])), a.compare(b))
	})
	for _, b := range list {
		annotations = append(annotations, annotation{title: "New failure", text: b.in(cases[b])})
	}
	return annotations
}

func (b newFailure) compare(o newFailure) int {
	return cmp.Or(cmp.Compare(b.suite, o.suite), cmp.Compare(b.id, o.id), cmp.Compare(b.got, o.got),
		cmp.Compare(b.want, o.want))
}

// maxConditions limits the conditions that an annotation names.
const maxConditions = 3

func (b newFailure) in(conditions []string) string {
	ways := strings.Join(conditions[:min(len(conditions), maxConditions)], ", ")
	if more := len(conditions) - maxConditions; more > 0 {
		ways += " and " + number.Plural(int64(more), "other cell")
	}
	return fmt.Sprintf("%s · %s was right and is wrong in %s: expected %s, got %s",
		name(b.suite), name(b.id), oneLine(ways, longText/2), name(b.want), name(b.got))
}

func (p casePlace) compare(o casePlace) int {
	return cmp.Or(cmp.Compare(p.suite, o.suite), cmp.Compare(p.variant, o.variant), cmp.Compare(p.fault, o.fault),
		cmp.Compare(p.id, o.id))
}

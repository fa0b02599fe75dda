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

// conditionCase identifies a case in a condition.
type conditionCase struct {
	condition
	id string
}

// record counts how often a case was right and wrong in a condition, over all epochs.
type record struct {
	// scored turn, to which text and want belong; two results of a conversation can have different
	// scored turns
	turn         int
	text, want   string
	right, wrong int64
	got          string // predicted label in the first wrong epoch
	hash         eval.CaseHash
	epoch        int
}

// recordsOf reads the results of a run and returns a record for each case for which keep returns
// true.
func recordsOf(run *runs.Run, keep func(conditionCase) bool) (map[conditionCase]*record, error) {
	list := map[conditionCase]*record{}
	for r, err := range run.Results() {
		if err != nil {
			return nil, err
		}
		at := conditionCase{condition: conditionOf(r), id: r.Case}
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

func (c *record) wasRight() bool { return c.right > c.wrong }

// hasChanged reports whether the text or the labels of a case differ between two runs, so that its
// results cannot be compared.
func (c *record) hasChanged(before *record) bool {
	return c.turn == before.turn && (c.text != before.text || c.want != before.want)
}

// newFailure is a case that was right in the baseline run and now gets the wrong answer got.
type newFailure struct{ suite, id, want, got string }

// newFailures returns the cases that were right in the baseline run and are now wrong. Each wrong
// answer of a case is one annotation, most affected conditions first. It ignores cases whose text
// or labels have changed.
func newFailures(r Report) ([]annotation, error) {
	if r.Run == nil || r.BaselineRun == nil {
		return nil, nil
	}
	before, err := recordsOf(r.BaselineRun, func(conditionCase) bool { return true })
	if err != nil {
		return nil, err
	}
	now, err := recordsOf(r.Run, func(at conditionCase) bool { return before[at] != nil && before[at].wasRight() })
	if err != nil {
		return nil, err
	}
	cases := map[newFailure][]string{}
	for _, at := range slices.SortedFunc(maps.Keys(now), conditionCase.compare) {
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
	return mostAffected(cases), nil
}

func mostAffected(cases map[newFailure][]string) (annotations []annotation) {
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

const maxConditions = 3

func (b newFailure) in(conditions []string) string {
	ways := strings.Join(conditions[:min(len(conditions), maxConditions)], ", ")
	if more := len(conditions) - maxConditions; more > 0 {
		ways += " and " + number.Plural(int64(more), "other cell")
	}
	return fmt.Sprintf("%s · %s was right and is wrong in %s: expected %s, got %s",
		name(b.suite), name(b.id), oneLine(ways, longText/2), name(b.want), name(b.got))
}

func (p conditionCase) compare(o conditionCase) int {
	return cmp.Or(cmp.Compare(p.suite, o.suite), cmp.Compare(p.variant, o.variant), cmp.Compare(p.fault, o.fault),
		cmp.Compare(p.id, o.id))
}

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

// place is a case in a cell.
type place struct {
	condition
	id string
}

// record is what a case came to in a cell, over its epochs.
type record struct {
	turn         int // that the row speaks of, with the next two: of a conversation that was wrong another than of one that was right
	text, want   string
	right, wrong int64
	got          string // in the first wrong epoch
	hash         eval.CaseHash
	epoch        int
}

// recordsOf reads a run's cases, of those that are kept.
func recordsOf(run *runs.Run, keep func(place) bool) (map[place]*record, error) {
	list := map[place]*record{}
	for r, err := range run.Results() {
		if err != nil {
			return nil, err
		}
		at := place{condition: conditionOf(r), id: r.Case}
		if !keep(at) {
			continue
		}
		if list[at] == nil {
			decision, _ := r.Decision()
			list[at] = &record{turn: decision.Turn, text: r.Text, want: strings.Join(r.Expected, " or "), hash: r.CaseHash}
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

// wasRight tells a case that is right in most of its epochs.
func (c *record) wasRight() bool { return c.right > c.wrong }

// asksOther tells a case that is another one by now, though it has the same name.
func (c *record) asksOther(before *record) bool {
	return c.turn == before.turn && (c.text != before.text || c.want != before.want)
}

// broken is a case that was right and is wrong, in the same way in some of the cells.
type broken struct{ suite, id, want, got string }

// newFailures are cases that were right in the earlier run and are wrong in this
// one, each once for every wrong answer that it got; those that broke in most cells
// first. A case that asks or wants something else by now is another one.
func newFailures(r Report) ([]annotation, error) {
	if r.Run == nil || r.BaselineRun == nil {
		return nil, nil
	}
	before, err := recordsOf(r.BaselineRun, func(place) bool { return true })
	if err != nil {
		return nil, err
	}
	now, err := recordsOf(r.Run, func(at place) bool { return before[at] != nil && before[at].wasRight() })
	if err != nil {
		return nil, err
	}
	cases := map[broken][]string{}
	for _, at := range slices.SortedFunc(maps.Keys(now), place.compare) {
		was, is := before[at], now[at]
		if is.wrong <= is.right || is.asksOther(was) {
			continue
		}
		key := broken{suite: at.suite, id: at.id, want: is.want, got: is.got}
		cases[key] = append(cases[key], at.way())
	}
	return worst(cases), nil
}

func worst(cases map[broken][]string) (told []annotation) {
	list := slices.SortedFunc(maps.Keys(cases), func(a, b broken) int {
		return cmp.Or(cmp.Compare(len(cases[b]), len(cases[a])), a.compare(b))
	})
	for _, b := range list {
		told = append(told, annotation{title: "New failure", text: b.in(cases[b])})
	}
	return told
}

func (b broken) compare(o broken) int {
	return cmp.Or(cmp.Compare(b.suite, o.suite), cmp.Compare(b.id, o.id), cmp.Compare(b.got, o.got), cmp.Compare(b.want, o.want))
}

// mostWays is how many cells a sentence names.
const mostWays = 3

func (b broken) in(conditions []string) string {
	ways := strings.Join(conditions[:min(len(conditions), mostWays)], ", ")
	if more := len(conditions) - mostWays; more > 0 {
		ways += " and " + number.Plural(int64(more), "other cell")
	}
	return fmt.Sprintf("%s · %s was right and is wrong in %s: expected %s, got %s",
		name(b.suite), name(b.id), oneLine(ways, longText/2), name(b.want), name(b.got))
}

func (p place) compare(o place) int {
	return cmp.Or(cmp.Compare(p.suite, o.suite), cmp.Compare(p.variant, o.variant), cmp.Compare(p.fault, o.fault), cmp.Compare(p.id, o.id))
}

package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// comparableCase is a case that both runs have, with what its trials contribute to the metric in
// the baseline run (before) and in this run (now).
type comparableCase struct {
	id          string
	before, now epochContributions
}

// incomparable counts the trials of a condition that cannot be compared, by reason.
type incomparable struct {
	total, onlyRun, onlyBaseline, unknown int
	// trials of cases whose text changed; else, whose history or input changed; else, whose labels
	// changed
	textChanged, inputChanged, labelsChanged int
}

// match returns the cases that can be compared, sorted by ID, with the epochs that both runs have.
// It counts the trials that cannot.
func (list casePairs) match() (found []comparableCase, g incomparable) {
	list = list.withRenamed()
	for _, id := range slices.Sorted(maps.Keys(list)) {
		c := list[id]
		before, now := c.before.shared(c.now), c.now.shared(c.before)
		g.onlyBaseline += len(c.before) - len(before)
		g.onlyRun += len(c.now) - len(before)
		g.total += len(c.before) + len(c.now) - len(before)
		switch change := c.change(); {
		case change.Text:
			g.textChanged += len(before)
			continue
		case change.Input:
			g.inputChanged += len(before)
			continue
		case change.Labels:
			g.labelsChanged += len(before)
			continue
		}
		m := comparableCase{id: id}
		for i, b := range before {
			if !b.known || !now[i].known {
				g.unknown++
				continue
			}
			m.before, m.now = append(m.before, b), append(m.now, now[i])
		}
		if len(m.before) > 0 {
			found = append(found, m)
		}
	}
	return found, g
}

// withRenamed returns the list with one pair for a case that has another ID in the baseline run.
func (list casePairs) withRenamed() casePairs {
	before, now := map[string]eval.CaseHash{}, map[string]eval.CaseHash{}
	for id, c := range list {
		if len(c.before) > 0 {
			before[id] = c.before[0].fingerprint.hash
		}
		if len(c.now) > 0 {
			now[id] = c.now[0].fingerprint.hash
		}
	}
	renamed := eval.RenamedCases(before, now)
	if len(renamed) == 0 {
		return list
	}
	list = maps.Clone(list)
	for id, old := range renamed {
		list[id] = &pair{before: list[old].before, now: list[id].now}
		delete(list, old)
	}
	return list
}

// shared returns the contributions of those epochs that the other run also has, sorted by epoch.
func (f epochContributions) shared(other epochContributions) (both epochContributions) {
	for _, one := range f {
		if other.place(one.epoch) >= 0 {
			both = append(both, one)
		}
	}
	slices.SortFunc(both, func(a, b contribution) int { return cmp.Compare(a.epoch, b.epoch) })
	return both
}

// change returns how the case differs between the two runs, over all epochs.
func (p pair) change() (all eval.CaseChange) {
	for _, b := range p.before {
		for _, n := range p.now {
			c := b.fingerprint.change(n.fingerprint)
			all.Text, all.Input, all.Labels = all.Text || c.Text, all.Input || c.Input, all.Labels || c.Labels
		}
	}
	return all
}

func (g incomparable) share() float64 {
	return float64(g.notCommon().total+g.unknown) / float64(g.total)
}

// notCommon returns the counts of trials that only one run has, or whose case changed.
func (g incomparable) notCommon() incomparable {
	g.unknown, g.total = 0, g.onlyRun+g.onlyBaseline+g.textChanged+g.inputChanged+g.labelsChanged
	return g
}

// common returns the counts of trials that both runs have but that lack the metric.
func (g incomparable) common() incomparable {
	return incomparable{total: g.total - g.notCommon().total, unknown: g.unknown}
}

func (g incomparable) words() string {
	return fmt.Sprintf("%s of %s cannot be compared: %s", metric.FormatShare(g.share()),
		metric.Plural(int64(g.total), "trial"), g.list())
}

func (g incomparable) list() string {
	var parts []string
	for _, of := range []struct {
		n    int
		what string
	}{{g.onlyRun, "not in the baseline"}, {g.onlyBaseline, "not in this run"}, {g.unknown, "without the metric"},
		{g.textChanged, "text changed"}, {g.inputChanged, "history or input changed"},
		{g.labelsChanged, "label changed"}} {
		if of.n > 0 {
			parts = append(parts, metric.FormatInteger(int64(of.n))+" "+of.what)
		}
	}
	return strings.Join(parts, ", ")
}

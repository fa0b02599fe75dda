package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// matched is a case with its facts before and now.
type matched struct {
	id          string
	before, now facts
}

// gaps counts the trials of a condition that cannot be compared.
type gaps struct {
	total, absent, gone, unknown int
	// in cases with changed text; otherwise with changed history or input; otherwise with changed
	// labels
	asked, input, relabelled int
}

// match returns the comparable cases, sorted by id, with the epochs that both sides have.
func (list cases) match() (found []matched, g gaps) {
	for _, id := range slices.Sorted(maps.Keys(list)) {
		c := list[id]
		before, now := c.before.shared(c.now), c.now.shared(c.before)
		g.gone += len(c.before) - len(before)
		g.absent += len(c.now) - len(before)
		g.total += len(c.before) + len(c.now) - len(before)
		switch change := c.change(); {
		case change.Text:
			g.asked += len(before)
			continue
		case change.Input:
			g.input += len(before)
			continue
		case change.Labels:
			g.relabelled += len(before)
			continue
		}
		m := matched{id: id}
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

// shared returns the facts of the epochs that the other side also has, sorted by epoch.
func (f facts) shared(other facts) (both facts) {
	for _, one := range f {
		if other.place(one.epoch) >= 0 {
			both = append(both, one)
		}
	}
	slices.SortFunc(both, func(a, b fact) int { return cmp.Compare(a.epoch, b.epoch) })
	return both
}

// change returns the changes between any epoch before and any epoch now.
func (p pair) change() (all eval.CaseChange) {
	for _, b := range p.before {
		for _, n := range p.now {
			c := b.asked.change(n.asked)
			all.Text, all.Input, all.Labels = all.Text || c.Text, all.Input || c.Input, all.Labels || c.Labels
		}
	}
	return all
}

func (g gaps) share() float64 {
	return float64(g.apart().total+g.unknown) / float64(g.total)
}

// apart returns the gaps that are not common to both runs.
func (g gaps) apart() gaps {
	g.unknown, g.total = 0, g.absent+g.gone+g.asked+g.input+g.relabelled
	return g
}

// common returns the other gaps.
func (g gaps) common() gaps { return gaps{total: g.total - g.apart().total, unknown: g.unknown} }

func (g gaps) words() string {
	return fmt.Sprintf("%s of %s cannot be compared: %s", number.Share(g.share()), number.Plural(int64(g.total), "trial"), g.list())
}

// list returns the counts as text.
func (g gaps) list() string {
	var parts []string
	for _, of := range []struct {
		n    int
		what string
	}{{g.absent, "not in the baseline"}, {g.gone, "not in this run"}, {g.unknown, "without the metric"},
		{g.asked, "text changed"}, {g.input, "history or input changed"}, {g.relabelled, "label changed"}} {
		if of.n > 0 {
			parts = append(parts, number.Thousands(int64(of.n))+" "+of.what)
		}
	}
	return strings.Join(parts, ", ")
}

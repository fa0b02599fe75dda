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

// matched is a case with what was measured of it before and now.
type matched struct {
	id          string
	before, now facts
}

// gaps count the trials of a cell that cannot be compared.
type gaps struct {
	total, absent, gone, unknown int
	asked, input, relabelled     int // of cases with another text; else history or input changed; else with other labels
}

// match finds the cases that can be compared, in the order of their ids, with the
// epochs that both sides have of them.
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

// shared are the facts of the epochs that the other side has, too, in their order.
func (f facts) shared(other facts) (both facts) {
	for _, one := range f {
		if other.place(one.epoch) >= 0 {
			both = append(both, one)
		}
	}
	slices.SortFunc(both, func(a, b fact) int { return cmp.Compare(a.epoch, b.epoch) })
	return both
}

// change is what differs between some epoch of a case before and some epoch now.
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

// apart are those that the two runs do not have in common.
func (g gaps) apart() gaps {
	g.unknown, g.total = 0, g.absent+g.gone+g.asked+g.input+g.relabelled
	return g
}

// common are the others.
func (g gaps) common() gaps { return gaps{total: g.total - g.apart().total, unknown: g.unknown} }

func (g gaps) words() string {
	return fmt.Sprintf("%s of %s cannot be compared: %s", number.Share(g.share()), number.Plural(int64(g.total), "trial"), g.list())
}

// list says how many there are of each.
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

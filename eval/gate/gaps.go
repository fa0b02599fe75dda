package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval/number"
)

// matched is a case with what was measured of it before and now.
type matched struct {
	id          string
	before, now []fact
}

// gaps count the trials of a cell that cannot be compared.
type gaps struct{ total, absent, gone, unknown, relabelled int }

// match finds the cases that can be compared, in the order of their ids.
func (list cases) match() (found []matched, g gaps) {
	for _, id := range slices.Sorted(maps.Keys(list)) {
		c := list[id]
		n := max(len(c.before), len(c.now))
		g.total += n
		switch {
		case len(c.before) == 0:
			g.absent += n
			continue
		case len(c.now) == 0:
			g.gone += n
			continue
		case c.before[0].gold != c.now[0].gold:
			g.relabelled += n
			continue
		}
		m := matched{id: id, before: measured(c.before), now: measured(c.now)}
		g.unknown += max(len(c.before)-len(m.before), len(c.now)-len(m.now))
		if len(m.before) > 0 && len(m.now) > 0 {
			found = append(found, m)
		}
	}
	return found, g
}

func measured(facts []fact) []fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact) bool { return !f.known })
}

func (g gaps) share() float64 {
	return float64(g.absent+g.gone+g.unknown+g.relabelled) / float64(g.total)
}

func (g gaps) words() string {
	var parts []string
	for _, of := range []struct {
		n    int
		what string
	}{{g.absent, "not in the baseline"}, {g.gone, "not in this run"}, {g.unknown, "without the figure"}, {g.relabelled, "labelled otherwise"}} {
		if of.n > 0 {
			parts = append(parts, number.Grouped(int64(of.n))+" "+of.what)
		}
	}
	return fmt.Sprintf("%s of %s cannot be compared: %s", number.Share(g.share()), number.Counted(int64(g.total), "trial"), strings.Join(parts, ", "))
}

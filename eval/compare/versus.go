package compare

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// Part is what two sides differ in over some of their cases: those with a turn of a
// class, of which only such turns count, so that accuracy is the recall, or those
// with a tag.
type Part struct {
	Name   string        `json:"name"`
	Before eval.Estimate `json:"reference"` // accuracy
	After  eval.Estimate `json:"candidate"`
	eval.Difference

	F1Before *float64 `json:"f1_reference,omitempty"` // of a class
	F1After  *float64 `json:"f1_candidate,omitempty"`
}

// Flip is a case that one side has right more often than the other. Of a
// conversation it shows the first turn of which that is true.
type Flip struct {
	Case   string     `json:"case"`
	Turn   int        `json:"turn,omitempty"` // of a conversation, from 1
	Text   string     `json:"text,omitempty"`
	Wanted eval.OneOf `json:"expected"`
	Before Answer     `json:"reference"`
	After  Answer     `json:"candidate"`
}

// Answer is what a side made of a case, over its epochs.
type Answer struct {
	Labels []string `json:"labels"`  // that were predicted, most frequent first
	Right  int64    `json:"correct"` // of the whole case, as the next
	Judged int64    `json:"scored"`
}

// pairOf compares two sides over the cases that are kept; of the others it knows
// how many there are.
func pairOf(ids []string, kept map[string]bool, a, b caseRows) *Pair {
	var whole Pair
	for _, id := range ids {
		if kept[id] {
			whole.Add(a[id], b[id])
		} else {
			whole.leaveOut(tallyOf(a[id]), tallyOf(b[id]))
		}
	}
	return &whole
}

// detail has what side b differs in from the first, a, over cases that count.
func (v *Versus) detail(ids []string, a, b caseRows, times [2]Side, timed bool) {
	var r ratios
	for _, id := range ids {
		r.add(a[id], b[id])
	}
	v.Ratios = r.contrasts()
	r.addTimes(v.Ratios, times[0].metric, times[1].metric)
	if !timed {
		delete(v.Ratios, P50Ratio)
		delete(v.Ratios, P95Ratio)
	}
	v.Classes = parts(ids, a, b, classesOf, func(rows []eval.Result, class string) tally {
		return turnsOf(rows, func(j eval.Judgement) bool { return j.Want.Primary() == class })
	})
	v.Classes = withF1(v.Classes, ids, a, b)
	v.Tags = parts(ids, a, b, func(rows []eval.Result) []string { return rows[0].Tags },
		func(rows []eval.Result, _ string) tally { return tallyOf(rows) })
	v.Fixed, v.Broken = flips(ids, a, b)
}

// classesOf are the labels that a case expects, each once.
func classesOf(rows []eval.Result) (names []string) {
	for _, j := range labelledTurns(rows) {
		if name := j.Want.Primary(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// parts compares the cases under each of their names; the parts are one family.
// Those with the most cases that changed come first, then the largest.
func parts(ids []string, a, b caseRows, names func([]eval.Result) []string, of func(rows []eval.Result, name string) tally) []Part {
	groups := map[string][]string{}
	for _, id := range ids {
		for _, name := range names(b[id]) {
			groups[name] = append(groups[name], id)
		}
	}
	var list []Part
	var pairs []*Pair
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		p := &Pair{}
		var before, after stats.Share
		for _, id := range groups[name] {
			was, is := of(a[id], name), of(b[id], name)
			p.add(was, is)
			before.Add(was.right, was.judged)
			after.Add(is.right, is.judged)
		}
		pairs = append(pairs, p)
		list = append(list, Part{Name: name, Difference: p.Difference(),
			Before: estimate(&before, before.N(), before.Cases(), p.a.labelled-p.a.judged),
			After:  estimate(&after, after.N(), after.Cases(), p.b.labelled-p.b.judged)})
	}
	var family []tested
	for i := range list {
		family = append(family, tested{of: &list[i].Difference, by: pairs[i]})
	}
	settle(family)
	slices.SortStableFunc(list, func(x, y Part) int {
		return cmp.Or(cmp.Compare(y.Gained+y.Lost, x.Gained+x.Lost), cmp.Compare(y.Cases, x.Cases))
	})
	return list
}

// Changed tells that some case of the part is more or less often right, or that
// its class is predicted for others.
func (p Part) Changed() bool {
	was, is := p.F1Before, p.F1After
	return p.Gained+p.Lost > 0 || (was == nil) != (is == nil) || was != nil && *was != *is
}

// withF1 has the F1 of each class, of which one class alone knows nothing.
func withF1(classes []Part, ids []string, a, b caseRows) []Part {
	before, after := f1Of(ids, a), f1Of(ids, b)
	for i := range classes {
		c := &classes[i]
		c.MacroF1 = eval.Contrast{}
		c.F1Before, c.F1After = before[c.Name], after[c.Name]
	}
	return classes
}

func f1Of(ids []string, rows caseRows) map[string]*float64 {
	var f stats.F1
	for _, id := range ids {
		f.Add(tallyOf(rows[id]).rows...)
	}
	by := map[string]*float64{}
	for _, c := range f.Classes(level) {
		by[c.Label] = &c.F1
	}
	return by
}

// flips are the cases that were fixed and broken, the surest first.
func flips(ids []string, a, b caseRows) (fixed, broken []Flip) {
	for _, id := range ids {
		was, is := tallyOf(a[id]), tallyOf(b[id])
		if was.judged == 0 || is.judged == 0 || is.above(was) == 0 {
			continue
		}
		turn := changedTurn(a[id], b[id], is.above(was))
		f := Flip{Case: id, Before: was.answer(turn), After: is.answer(turn)}
		f.Text, f.Wanted = askedIn(turn, slices.Concat(b[id], a[id]))
		if len(labelledTurns(b[id])) > 1 {
			f.Turn = turn
		}
		if is.above(was) > 0 {
			fixed = append(fixed, f)
		} else {
			broken = append(broken, f)
		}
	}
	for _, list := range [][]Flip{fixed, broken} {
		slices.SortStableFunc(list, func(x, y Flip) int { return cmp.Compare(y.size(), x.size()) })
	}
	return fixed, broken
}

func (f Flip) size() float64 { return math.Abs(f.After.share() - f.Before.share()) }

func (a Answer) share() float64 { return float64(a.Right) / float64(a.Judged) }

// changedTurn is the first labelled turn of which b is right more often than a, or
// less where sign is negative.
func changedTurn(a, b []eval.Result, sign int) int {
	list := labelledTurns(b)
	for _, j := range list {
		this := func(other eval.Judgement) bool { return other.Turn == j.Turn }
		if is := turnsOf(b, this); is.above(turnsOf(a, this)) == sign {
			return j.Turn
		}
	}
	return list[len(list)-1].Turn
}

// answer shows the labels of one turn.
func (t tally) answer(turn int) Answer {
	count := map[string]int{}
	for where, label := range t.labels {
		if where.turn == turn {
			count[label]++
		}
	}
	labels := slices.SortedFunc(maps.Keys(count), func(x, y string) int {
		return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(x, y))
	})
	return Answer{Labels: labels, Right: t.right, Judged: t.judged}
}

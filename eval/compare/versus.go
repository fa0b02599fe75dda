package compare

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// Breakdown is what two sides differ in over some of their cases: those with a turn of a
// class, of which only such turns count, so that accuracy is the recall, or those
// with a tag.
type Breakdown struct {
	Name      string        `json:"name"`
	Reference eval.Estimate `json:"reference"` // accuracy
	Candidate eval.Estimate `json:"candidate"`
	eval.Difference

	F1Reference *float64 `json:"f1_reference,omitempty"` // of a class
	F1Candidate *float64 `json:"f1_candidate,omitempty"`
}

// ChangedCase is a case that one side has right more often than the other. Of a
// conversation it shows the first turn of which that is true.
type ChangedCase struct {
	Case      string      `json:"case"`
	Turn      int         `json:"turn,omitempty"` // of a conversation, from 1
	Text      string      `json:"text,omitempty"`
	Expected  eval.OneOf  `json:"expected"`
	Reference CaseAnswers `json:"reference"`
	Candidate CaseAnswers `json:"candidate"`
}

// CaseAnswers is what a side made of a case, over its epochs.
type CaseAnswers struct {
	Labels  []string `json:"labels"`  // that were predicted, most frequent first
	Correct int64    `json:"correct"` // of the whole case, as the next
	Scored  int64    `json:"scored"`
}

// pairOf compares two sides over the cases that are kept; of the others it knows
// how many there are.
func pairOf(ids []string, kept map[string]bool, a, b caseRows) *pair {
	var whole pair
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
func (v *PairResult) detail(ids []string, a, b caseRows, times [2]Candidate, timed bool) {
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
		return turnsOf(rows, func(j eval.TurnScore) bool { return j.Expected.Primary() == class })
	})
	v.Classes = withF1(v.Classes, ids, a, b)
	v.Tags = parts(ids, a, b, func(rows []eval.Result) []string { return rows[0].Tags },
		func(rows []eval.Result, _ string) tally { return tallyOf(rows) })
	v.FixedCases, v.BrokenCases = flips(ids, a, b)
}

// classesOf are the labels that a case expects, each once.
func classesOf(rows []eval.Result) (names []string) {
	for _, j := range labeledTurns(rows) {
		if name := j.Expected.Primary(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// parts compares the cases under each of their names; the parts are one family.
// Those with the most cases that changed come first, then the largest.
func parts(ids []string, a, b caseRows, names func([]eval.Result) []string, of func(rows []eval.Result, name string) tally) []Breakdown {
	groups := map[string][]string{}
	for _, id := range ids {
		for _, name := range names(b[id]) {
			groups[name] = append(groups[name], id)
		}
	}
	var list []Breakdown
	var pairs []*pair
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		p := &pair{}
		var before, after stats.Proportion
		for _, id := range groups[name] {
			was, is := of(a[id], name), of(b[id], name)
			p.add(was, is)
			before.Add(was.right, was.judged)
			after.Add(is.right, is.judged)
		}
		pairs = append(pairs, p)
		list = append(list, Breakdown{Name: name, Difference: p.Difference(),
			Reference: estimate(&before, before.N(), before.Cases(), p.a.labeled-p.a.judged),
			Candidate: estimate(&after, after.N(), after.Cases(), p.b.labeled-p.b.judged)})
	}
	var family []tested
	for i := range list {
		family = append(family, tested{of: &list[i].Difference, by: pairs[i]})
	}
	settle(family)
	slices.SortStableFunc(list, func(x, y Breakdown) int {
		return cmp.Or(cmp.Compare(y.Fixed+y.Broken, x.Fixed+x.Broken), cmp.Compare(y.Cases, x.Cases))
	})
	return list
}

// LabelChanged tells that some case of the part is more or less often right, or that
// its class is predicted for others.
func (p Breakdown) Changed() bool {
	was, is := p.F1Reference, p.F1Candidate
	return p.Fixed+p.Broken > 0 || (was == nil) != (is == nil) || was != nil && *was != *is
}

// withF1 has the F1 of each class, of which one class alone knows nothing.
func withF1(classes []Breakdown, ids []string, a, b caseRows) []Breakdown {
	before, after := f1Of(ids, a), f1Of(ids, b)
	for i := range classes {
		c := &classes[i]
		c.MacroF1 = eval.Contrast{}
		c.F1Reference, c.F1Candidate = before[c.Name], after[c.Name]
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
func flips(ids []string, a, b caseRows) (fixed, broken []ChangedCase) {
	for _, id := range ids {
		was, is := tallyOf(a[id]), tallyOf(b[id])
		if was.judged == 0 || is.judged == 0 || is.above(was) == 0 {
			continue
		}
		turn := changedTurn(a[id], b[id], is.above(was))
		f := ChangedCase{Case: id, Reference: was.answer(turn), Candidate: is.answer(turn)}
		f.Text, f.Expected = askedIn(turn, slices.Concat(b[id], a[id]))
		if len(labeledTurns(b[id])) > 1 {
			f.Turn = turn
		}
		if is.above(was) > 0 {
			fixed = append(fixed, f)
		} else {
			broken = append(broken, f)
		}
	}
	for _, list := range [][]ChangedCase{fixed, broken} {
		slices.SortStableFunc(list, func(x, y ChangedCase) int { return cmp.Compare(y.size(), x.size()) })
	}
	return fixed, broken
}

func (f ChangedCase) size() float64 { return math.Abs(f.Candidate.share() - f.Reference.share()) }

func (a CaseAnswers) share() float64 { return float64(a.Correct) / float64(a.Scored) }

// changedTurn is the first labelled turn of which b is right more often than a, or
// less where sign is negative.
func changedTurn(a, b []eval.Result, sign int) int {
	list := labeledTurns(b)
	for _, j := range list {
		this := func(other eval.TurnScore) bool { return other.Turn == j.Turn }
		if is := turnsOf(b, this); is.above(turnsOf(a, this)) == sign {
			return j.Turn
		}
	}
	return list[len(list)-1].Turn
}

// answer shows the labels of one turn.
func (t tally) answer(turn int) CaseAnswers {
	count := map[string]int{}
	for where, label := range t.labels {
		if where.turn == turn {
			count[label]++
		}
	}
	labels := slices.SortedFunc(maps.Keys(count), func(x, y string) int {
		return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(x, y))
	})
	return CaseAnswers{Labels: labels, Correct: t.right, Scored: t.judged}
}

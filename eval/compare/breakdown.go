package compare

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// Breakdown compares two sides (variants or runs) over some of the cases: those of one class
// (expected label) or those with one tag. For a class, only the turns that expect the label count,
// so accuracy is the recall of the class.
type Breakdown struct {
	Name      string        `json:"name"`      // name of the class or tag
	Reference eval.Estimate `json:"reference"` // accuracy of the reference over these cases
	Candidate eval.Estimate `json:"candidate"` // accuracy of the candidate over these cases
	eval.Difference

	F1Reference *float64 `json:"f1_reference,omitempty"` // F1 of the class in the reference; nil for a tag
	F1Candidate *float64 `json:"f1_candidate,omitempty"` // F1 of the class in the candidate; nil for a tag
}

// ChangedCase is a case that one side answers correctly more often than the other. For a
// conversation it describes the first turn in which the two sides differ in this way.
type ChangedCase struct {
	Case      string      `json:"case"`
	Turn      int         `json:"turn,omitempty"` // number of the turn in a conversation, from 1; 0: a single message
	Text      string      `json:"text,omitempty"`
	Expected  eval.OneOf  `json:"expected"`
	Reference CaseAnswers `json:"reference"` // answers of the first side
	Candidate CaseAnswers `json:"candidate"` // answers of the second side
}

// CaseAnswers summarizes the answers of one side to a case, over all epochs.
type CaseAnswers struct {
	Labels  []string `json:"labels"`  // predicted labels, the most frequent first
	Correct int64    `json:"correct"` // number of epochs in which the whole case is correct, out of Scored
	Scored  int64    `json:"scored"`  // number of epochs in which the whole case is scored
}

// pairOf compares two sides over the cases in kept. It counts all other cases as not compared.
func pairOf(ids []string, kept map[string]bool, a, b caseRows) *pair {
	var whole pair
	for _, id := range ids {
		if kept[id] {
			whole.Add(a[id], b[id])
		} else {
			whole.leaveOut(tallyCases(a[id]), tallyCases(b[id]))
		}
	}
	return &whole
}

// detail adds cost and latency ratios, classes, tags and changed cases to the comparison of b with
// a.
func (v *PairResult) detail(ids []string, a, b caseRows, times [2]Candidate, timed bool) {
	var r ratios
	for _, id := range ids {
		r.add(a[id], b[id])
	}
	v.Ratios = r.contrasts()
	r.addTimes(v.Ratios, times[0].metric, times[1].metric)
	if !timed {
		delete(v.Ratios, P50RatioKey)
		delete(v.Ratios, P95RatioKey)
	}
	v.Classes = breakdownsBy(ids, a, b, classesOf, func(rows []eval.Result, class string) tally {
		return tallyTurns(rows, func(j eval.TurnScore) bool { return j.Expected.Primary() == class })
	})
	v.Classes = withF1(v.Classes, ids, a, b)
	v.Tags = breakdownsBy(ids, a, b, func(rows []eval.Result) []string { return rows[0].Tags },
		func(rows []eval.Result, _ string) tally { return tallyCases(rows) })
	v.FixedCases, v.BrokenCases = changedCases(ids, a, b)
}

func classesOf(rows []eval.Result) (names []string) {
	for _, j := range labeledTurns(rows) {
		if name := j.Expected.Primary(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// breakdownsBy compares the sides for each class or tag. names returns the classes or tags of a
// case. One Holm adjustment covers all breakdowns. Those with the most changed cases come first,
// then the largest ones.
func breakdownsBy(ids []string, a, b caseRows, names func([]eval.Result) []string,
	of func(rows []eval.Result, name string) tally) []Breakdown {
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
			before.Add(was.right, was.scored)
			after.Add(is.right, is.scored)
		}
		pairs = append(pairs, p)
		list = append(list, Breakdown{
			Name:       name,
			Difference: p.Difference(),
			Reference:  estimate(&before, before.N(), before.Cases(), p.a.labeled-p.a.scored),
			Candidate:  estimate(&after, after.N(), after.Cases(), p.b.labeled-p.b.scored),
		})
	}
	var family []familyMember
	for i := range list {
		family = append(family, familyMember{of: &list[i].Difference, by: pairs[i]})
	}
	testFamily(family)
	slices.SortStableFunc(list, func(x, y Breakdown) int {
		return cmp.Or(cmp.Compare(y.Fixed+y.Broken, x.Fixed+x.Broken), cmp.Compare(y.Cases, x.Cases))
	})
	return list
}

// HasChanged reports whether a case of this class or tag is correct more or less often than in the
// reference, or whether the F1 of the class differs.
func (p Breakdown) HasChanged() bool {
	was, is := p.F1Reference, p.F1Candidate
	return p.Fixed+p.Broken > 0 || (was == nil) != (is == nil) || was != nil && *was != *is
}

// withF1 sets the F1 of each class. It is computed over all classes together, because precision
// depends on the predictions for the other classes.
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
		f.Add(tallyCases(rows[id]).rows...)
	}
	by := map[string]*float64{}
	for _, c := range f.Classes(level) {
		by[c.Label] = &c.F1
	}
	return by
}

// changedCases returns the cases that b answers correctly more often than a (fixed) or less often
// (broken), the largest changes first.
func changedCases(ids []string, a, b caseRows) (fixed, broken []ChangedCase) {
	for _, id := range ids {
		was, is := tallyCases(a[id]), tallyCases(b[id])
		if was.scored == 0 || is.scored == 0 || is.compareShare(was) == 0 {
			continue
		}
		turn := changedTurn(a[id], b[id], is.compareShare(was))
		f := ChangedCase{Case: id, Reference: was.answer(turn), Candidate: is.answer(turn)}
		f.Text, f.Expected = turnText(turn, slices.Concat(b[id], a[id]))
		if len(labeledTurns(b[id])) > 1 {
			f.Turn = turn
		}
		if is.compareShare(was) > 0 {
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

// changedTurn returns the first labeled turn that b answers correctly more often than a (sign 1) or
// less often (sign -1).
func changedTurn(a, b []eval.Result, sign int) int {
	list := labeledTurns(b)
	for _, j := range list {
		this := func(other eval.TurnScore) bool { return other.Turn == j.Turn }
		if is := tallyTurns(b, this); is.compareShare(tallyTurns(a, this)) == sign {
			return j.Turn
		}
	}
	return list[len(list)-1].Turn
}

// answer returns the labels that were predicted in one turn, and how often the case is correct.
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
	return CaseAnswers{Labels: labels, Correct: t.right, Scored: t.scored}
}

package metric

import (
	"hash/fnv"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// How much of the confusion a summary shows.
const (
	maxPairs     = 10
	casesPerPair = 5
)

// route judges the decisions: accuracy, macro-F1, each class, the confusion.
type route struct {
	right     share
	confusion stats.Confusion
	bootstrap stats.Bootstrap
	cases     map[pair][]string // a few of each kind of wrong answer
}

type pair struct{ expected, predicted string }

func (m *route) Add(r eval.Result) {
	s, ok := routeScore(r)
	if !ok {
		if r.Error != nil && r.Error.Kind == eval.ScorerError { // there may have been a label
			m.right.missing++
		}
		return
	}
	if s.Verdict == eval.Unjudged {
		m.right.missing++
		return
	}
	m.right.add(s.Verdict == eval.Pass)
	expected := s.Want.Primary()
	if s.Verdict == eval.Pass {
		expected = s.Got // any of several right answers counts as the wanted one
	}
	m.confusion.Add(expected, s.Got, 1)
	m.bootstrap.Add(caseHash(r.Case), expected, s.Got)
	if s.Verdict == eval.Fail {
		m.remember(pair{expected, s.Got}, r.Case)
	}
}

// routeScore is the judgement of the decision, where the case has a label.
func routeScore(r eval.Result) (eval.Score, bool) {
	i := slices.IndexFunc(r.Scores, func(s eval.Score) bool { return s.Name == "route" })
	if i < 0 || len(r.Scores[i].Want) == 0 {
		return eval.Score{}, false
	}
	return r.Scores[i], true
}

// remember keeps the first cases in the order of their ids, so that the order
// of results does not matter.
func (m *route) remember(p pair, id string) {
	if m.cases == nil {
		m.cases = map[pair][]string{}
	}
	ids := m.cases[p]
	at, there := slices.BinarySearch(ids, id)
	if there || at == casesPerPair {
		return
	}
	ids = slices.Insert(ids, at, id)
	m.cases[p] = ids[:min(len(ids), casesPerPair)]
}

func (m *route) Close(into *eval.CellSummary, epochs int64) {
	into.Metrics["route.accuracy"] = m.right.estimate(epochs)
	into.Metrics["route.macro_f1"] = m.macroF1()
	for _, c := range m.confusion.Classes() {
		into.Metrics["route.precision."+c.Label] = of(c.Precision, epochs)
		into.Metrics["route.recall."+c.Label] = of(c.Recall, epochs)
		f1 := eval.Estimate{N: c.Support}
		if v, ok := c.F1.Value(); ok {
			f1.Value = &v
		}
		into.Metrics["route.f1."+c.Label] = f1
	}
	if m.right.n > 0 {
		into.Confusion, into.Pairs = m.matrix(), m.pairs()
	}
}

func (m *route) macroF1() eval.Estimate {
	e := eval.Estimate{N: m.right.n, Missing: m.right.missing}
	if v, ok := m.confusion.MacroF1(); ok {
		e.Value = &v
	}
	if lo, hi, ok := m.bootstrap.Interval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

func (m *route) matrix() *eval.Confusion {
	labels := m.confusion.Labels()
	c := &eval.Confusion{Labels: labels}
	for _, expected := range labels {
		var row []int64
		for _, predicted := range labels {
			row = append(row, m.confusion.Count(expected, predicted))
		}
		c.Counts = append(c.Counts, row)
	}
	return c
}

func (m *route) pairs() []eval.ConfusedPair {
	var list []eval.ConfusedPair
	for _, p := range m.confusion.Confused() {
		if len(list) == maxPairs {
			break
		}
		list = append(list, eval.ConfusedPair{Expected: p.Expected, Predicted: p.Predicted, N: p.N,
			Cases: m.cases[pair{p.Expected, p.Predicted}]})
	}
	return list
}

func of(r stats.Fraction, epochs int64) eval.Estimate {
	return share{k: r.Num, n: r.Den}.estimate(epochs)
}

func caseHash(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

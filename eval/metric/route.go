package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// route judges the decisions: how many are right, and class by class. The classes
// are the labels that the cell's cases expect, each turn's primary one; macro-F1 is
// the mean over those with a judged turn. A wrong label that no case expects, such
// as that of an answer which is none, is a miss and no class of its own. A right
// answer counts for the primary label, also where another is accepted.
//
// Accuracy counts a conversation once, as right or wrong as a whole. All that
// speaks of labels counts each of its labelled turns, for the label of that turn,
// so that how often a class comes up depends on no prediction; a turn that was
// judged counts also where the conversation is unjudged, for another was lost.
//
// Where some case accepts several labels, route.primary is accuracy as if each turn
// accepted its primary one alone.
type route struct {
	right, unscored share // of trials
	primary         share // of trials too
	several         bool  // some turn accepts several
	f1              stats.F1
	missing         map[string]int64 // turns without a judged decision, by what they expect; "": not known
	confused        confused
	none            string // what stands for an answer that is no label; "": there was none
}

func (m *route) Add(trials []eval.Result) {
	var rows []stats.Row
	for _, r := range trials {
		s, ok := r.Decision()
		if !ok {
			if r.Error != nil && r.Error.Kind == eval.ScorerError { // there may have been a label
				m.right.missing++
				m.primary.missing++
				m.unscored.add(true)
				m.lose("")
			}
			continue
		}
		m.right.judge(s.Verdict)
		m.unscored.add(s.Verdict == eval.Unscored)
		turns := r.Decisions()
		m.primary.judge(m.strict(s.Verdict, turns))
		for _, j := range turns {
			rows = m.turn(r.Case, j, rows)
		}
		if _, none := r.IsInvalidLabel(); none && s.Verdict == eval.Fail && r.Predicted == s.Actual {
			m.none = s.Actual
		}
	}
	m.f1.Add(rows...)
	endCase(&m.right, &m.unscored, &m.primary)
}

// strict is the verdict on a trial of which every turn is to have its primary label.
func (m *route) strict(v eval.Verdict, turns []eval.TurnScore) eval.Verdict {
	for _, j := range turns {
		m.several = m.several || len(j.Expected) > 1
		if v == eval.Pass && j.Actual != j.Expected.Primary() {
			v = eval.Fail
		}
	}
	return v
}

// turn counts one judgement, and adds it to the rows of its case.
func (m *route) turn(id string, j eval.TurnScore, rows []stats.Row) []stats.Row {
	expected := j.Expected.Primary()
	switch j.Verdict {
	case eval.Unscored:
		m.lose(expected)
		return rows
	case eval.Fail:
		m.confused.add(pair{expected: expected, predicted: j.Actual}, id)
	}
	return append(rows, stats.Row{Gold: expected, Predicted: j.Actual, Right: j.Verdict == eval.Pass, N: 1})
}

// lose counts a turn whose decision could not be judged.
func (m *route) lose(expected string) {
	if m.missing == nil {
		m.missing = map[string]int64{}
	}
	m.missing[expected]++
}

// lost is how many turns have no judged decision.
func (m *route) lost() (n int64) {
	for _, of := range m.missing {
		n += of
	}
	return n
}

func (m *route) Close(into *eval.ConditionSummary) {
	into.Metrics["route.accuracy"] = m.right.estimate()
	into.Metrics["unscored.rate"] = m.unscored.estimate()
	if m.several {
		into.Metrics["route.primary"] = m.primary.estimate()
	}
	into.Metrics["route.macro_f1"] = m.macroF1()
	for label, n := range m.missing { // also of a class of which nothing was judged
		if label == "" {
			continue
		}
		m.class(into, stats.Class{Label: label, Recall: &stats.Proportion{}, Precision: &stats.Proportion{}}, n)
	}
	classes := m.f1.Classes(level)
	for _, c := range classes {
		m.class(into, c, m.missing[c.Label])
	}
	if m.f1.N() > 0 {
		into.Confusion, into.ConfusedPairs = matrix(&m.f1, classes, m.none), m.confused.pairs()
	}
}

func (m *route) macroF1() eval.Estimate {
	e := eval.Estimate{N: m.f1.N(), Cases: fewer(m.f1.Cases(), m.f1.N()), Missing: m.lost()}
	if v, ok := m.f1.Macro(); ok {
		e.Value = &v
	}
	if lo, hi, ok := m.f1.MacroInterval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

// class writes the figures of one class. Recall and F1 miss the class's own turns
// without a judged decision; precision misses all such turns, for any of them
// might have been given the label.
func (m *route) class(into *eval.ConditionSummary, c stats.Class, missing int64) {
	into.Metrics["route.recall."+c.Label] = proportion(c.Recall, missing)
	into.Metrics["route.precision."+c.Label] = proportion(c.Precision, m.lost())
	f1 := eval.Estimate{N: c.Gold, Cases: fewer(c.Cases, c.Gold), Missing: missing}
	if c.Gold > 0 {
		f1.Value, f1.Lo, f1.Hi = &c.F1, &c.Lo, &c.Hi
	}
	into.Metrics["route.f1."+c.Label] = f1
}

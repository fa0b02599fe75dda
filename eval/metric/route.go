package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// route measures the quality of decisions: accuracy, and precision, recall and F1 of each class.
// The classes are the primary labels that the condition's cases expect. Macro-F1 is the mean over
// the classes with a scored turn. A wrong label that no case expects, such as an invalid one, is a
// miss but not a class. A right answer counts for the primary label even if it is another accepted
// label.
//
// Accuracy counts a conversation once, as right or wrong as a whole. The metrics by label count
// each labeled turn, so the size of a class does not depend on predictions. A scored turn counts
// even if another turn leaves its conversation unscored.
//
// If a case accepts several labels, route.primary is the accuracy with only the primary label of
// each turn accepted.
type route struct {
	right, unscored share // shares of trials
	primary         share // share of trials
	hasAlternatives bool  // some turn accepts several labels
	f1              stats.F1
	missing         map[string]int64 // turns without a scored decision, by expected label; "": unknown label
	confused        confusions
	invalidLabel    string // label of an invalid answer; "": none occurred
}

func (m *route) Add(trials []eval.Result) {
	var rows []stats.ConfusionRow
	for _, r := range trials {
		s, ok := r.Decision()
		if !ok {
			// after a scorer error, it is unknown whether the case has a label
			if r.Error != nil && r.Error.Kind == eval.ScorerError {
				m.right.missing++
				m.primary.missing++
				m.unscored.add(true)
				m.addUnscored("")
			}
			continue
		}
		m.right.addVerdict(s.Verdict)
		m.unscored.add(s.Verdict == eval.Unscored)
		turns := r.Decisions()
		m.primary.addVerdict(m.primaryVerdict(s.Verdict, turns))
		for _, j := range turns {
			rows = m.addTurn(r.Case, j, rows)
		}
		if _, none := r.InvalidLabelKind(); none && s.Verdict == eval.Fail && r.Predicted == s.Actual {
			m.invalidLabel = s.Actual
		}
	}
	m.f1.Add(rows...)
	endCase(&m.right, &m.unscored, &m.primary)
}

// primaryVerdict returns the verdict on a trial if only the primary label of each turn is accepted.
func (m *route) primaryVerdict(v eval.Verdict, turns []eval.TurnScore) eval.Verdict {
	for _, j := range turns {
		m.hasAlternatives = m.hasAlternatives || len(j.Expected) > 1
		if v == eval.Pass && j.Actual != j.Expected.Primary() {
			v = eval.Fail
		}
	}
	return v
}

// addTurn counts the decision of one turn. It returns rows with the turn appended.
func (m *route) addTurn(id string, j eval.TurnScore, rows []stats.ConfusionRow) []stats.ConfusionRow {
	expected := j.Expected.Primary()
	switch j.Verdict {
	case eval.Unscored:
		m.addUnscored(expected)
		return rows
	case eval.Fail:
		m.confused.add(pair{expected: expected, predicted: j.Actual}, id)
	}
	return append(rows, stats.ConfusionRow{
		Gold:      expected,
		Predicted: j.Actual,
		Correct:   j.Verdict == eval.Pass,
		Trials:    1,
	})
}

// addUnscored counts a turn without a scored decision; expected "" is an unknown label.
func (m *route) addUnscored(expected string) {
	if m.missing == nil {
		m.missing = map[string]int64{}
	}
	m.missing[expected]++
}

// unscoredTurns returns the number of turns without a scored decision.
func (m *route) unscoredTurns() (n int64) {
	for _, of := range m.missing {
		n += of
	}
	return n
}

func (m *route) Close(into *eval.ConditionSummary) {
	into.Metrics["route.accuracy"] = m.right.estimate()
	into.Metrics["unscored.rate"] = m.unscored.estimate()
	if m.hasAlternatives {
		into.Metrics["route.primary"] = m.primary.estimate()
	}
	into.Metrics["route.macro_f1"] = m.macroF1()
	for label, n := range m.missing { // including classes without any scored turn
		if label == "" {
			continue
		}
		m.class(into, stats.ClassMetrics{Label: label, Recall: &stats.Proportion{}, Precision: &stats.Proportion{}}, n)
	}
	classes := m.f1.Classes(level)
	for _, c := range classes {
		m.class(into, c, m.missing[c.Label])
	}
	if m.f1.N() > 0 {
		into.Confusion, into.ConfusedPairs = confusionMatrix(&m.f1, classes, m.invalidLabel), m.confused.pairs()
	}
}

func (m *route) macroF1() eval.Estimate {
	e := eval.Estimate{N: m.f1.N(), Cases: casesIfClustered(m.f1.Cases(), m.f1.N()), Missing: m.unscoredTurns()}
	if v, ok := m.f1.MacroF1(); ok {
		e.Value = &v
	}
	if lo, hi, ok := m.f1.MacroF1Interval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

// class adds the metrics of one class to the summary. In recall and F1 the class's own unscored
// turns are missing. In precision all unscored turns are missing, because any of them might have
// received the label.
func (m *route) class(into *eval.ConditionSummary, c stats.ClassMetrics, missing int64) {
	into.Metrics["route.recall."+c.Label] = proportion(c.Recall, missing)
	into.Metrics["route.precision."+c.Label] = proportion(c.Precision, m.unscoredTurns())
	f1 := eval.Estimate{N: c.Gold, Cases: casesIfClustered(c.Cases, c.Gold), Missing: missing}
	if c.Gold > 0 {
		f1.Value = &c.F1
		f1.Lo = &c.F1Lo
		f1.Hi = &c.F1Hi
	}
	into.Metrics["route.f1."+c.Label] = f1
}

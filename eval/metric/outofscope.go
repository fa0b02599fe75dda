package metric

import "evalctl/eval"

// oosLabel measures how well decisions recognize out-of-scope messages. Each labeled turn of a
// conversation counts, by its own label.
//
//   - recall and false acceptance: turns that accept only the out-of-scope label. A false acceptance
//     is a turn that gets another valid label.
//   - false rejection and in-scope accuracy: turns that do not accept the out-of-scope label.
//   - precision: turns that get the out-of-scope label. Every unscored turn is missing here.
//
// A turn that accepts the out-of-scope label and another counts only in precision.
//
// Source: Larson et al., An Evaluation Dataset for Intent Classification and Out-of-Scope
// Prediction, EMNLP 2019.
type oosLabel struct {
	label                            string
	recall, falseAccept, falseReject share
	inScope                          share
	precision                        share
}

func (m *oosLabel) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, j := range r.Decisions() {
			m.addTurn(j)
		}
	}
	endCase(&m.recall, &m.falseAccept, &m.falseReject, &m.inScope, &m.precision)
}

func (m *oosLabel) addTurn(j eval.TurnScore) {
	accepted, right := j.Expected.Has(m.label), j.Verdict == eval.Pass
	if j.Verdict == eval.Unscored {
		m.addMissing(accepted, len(j.Expected) > 1)
		return
	}
	if j.Actual == m.label {
		m.precision.add(right)
	}
	switch {
	case accepted && len(j.Expected) > 1:
	case accepted:
		m.recall.add(right)
		m.falseAccept.add(!right && j.Answered) // an invalid label is not an acceptance
	default:
		m.inScope.add(right)
		m.falseReject.add(j.Actual == m.label)
	}
}

func (m *oosLabel) addMissing(accepted, others bool) {
	m.precision.missing++
	switch {
	case accepted && others:
	case accepted:
		m.recall.missing++
		m.falseAccept.missing++
	default:
		m.inScope.missing++
		m.falseReject.missing++
	}
}

func (m *oosLabel) Close(into *eval.ConditionSummary) {
	for name, s := range map[string]*share{
		"oos.recall": &m.recall, "oos.precision": &m.precision, "oos.false_acceptance": &m.falseAccept,
		"oos.false_rejection": &m.falseReject, "oos.in_scope_accuracy": &m.inScope,
	} {
		into.Metrics[name] = s.estimate()
	}
}

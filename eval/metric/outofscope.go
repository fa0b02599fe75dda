package metric

import "evalctl/eval"

// oosLabel tells how well a decision knows what is none of its business: the
// label that stands for all that is none of the others. Recall and false
// acceptance are over turns that accept that label alone: false acceptance
// counts those that were given another label, and not those that were given
// none. False rejection and the accuracy in scope are over turns that do not
// accept it; what may be either counts in none of the four. Precision is over
// turns that were given the label; any that is unjudged might have been. See
// Larson et al., An Evaluation Dataset for Intent Classification and Out-of-Scope
// Prediction, EMNLP 2019. Of a conversation each labelled turn counts, by its own
// label.
type oosLabel struct {
	label                            string
	recall, falseAccept, falseReject share
	inScope                          share
	precision                        share
}

func (m *oosLabel) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, j := range r.Decisions() {
			m.turn(j)
		}
	}
	endCase(&m.recall, &m.falseAccept, &m.falseReject, &m.inScope, &m.precision)
}

func (m *oosLabel) turn(j eval.TurnScore) {
	accepted, right := j.Expected.Has(m.label), j.Verdict == eval.Pass
	if j.Verdict == eval.Unscored {
		m.miss(accepted, len(j.Expected) > 1)
		return
	}
	if j.Actual == m.label {
		m.precision.add(right)
	}
	switch {
	case accepted && len(j.Expected) > 1:
	case accepted:
		m.recall.add(right)
		m.falseAccept.add(!right && j.Answered) // an answer that is no label serves nobody
	default:
		m.inScope.add(right)
		m.falseReject.add(j.Actual == m.label)
	}
}

func (m *oosLabel) miss(accepted, others bool) {
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

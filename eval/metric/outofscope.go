package metric

import "evalctl/eval"

// outOfScope tells how well a decision knows what is none of its business: the
// label that stands for all that is none of the others. Recall and false
// acceptance are over trials that accept that label alone: false acceptance
// counts those that were given another label, and not those that were given
// none. False rejection and the accuracy in scope are over trials that do not
// accept it; what may be either counts in none of the four. Precision is over
// trials that were given the label; any that is unjudged might have been. See
// Larson et al., An Evaluation Dataset for Intent Classification and Out-of-Scope
// Prediction, EMNLP 2019. Of a conversation the judged turn counts: the first
// wrong one, else the last.
type outOfScope struct {
	label                            string
	recall, falseAccept, falseReject share
	inScope                          share
	precision                        share
}

func (m *outOfScope) Add(trials []eval.Result) {
	for _, r := range trials {
		if s, ok := r.Decision(); ok {
			m.trial(s, r.Served != "") // an answer that is no label serves nobody
		}
	}
	endCase(&m.recall, &m.falseAccept, &m.falseReject, &m.inScope, &m.precision)
}

func (m *outOfScope) trial(s eval.Score, served bool) {
	accepted, right := s.Want.Has(m.label), s.Verdict == eval.Pass
	if s.Verdict == eval.Unjudged {
		m.miss(accepted, len(s.Want) > 1)
		return
	}
	if s.Got == m.label {
		m.precision.add(right)
	}
	switch {
	case accepted && len(s.Want) > 1:
	case accepted:
		m.recall.add(right)
		m.falseAccept.add(!right && served)
	default:
		m.inScope.add(right)
		m.falseReject.add(s.Got == m.label)
	}
}

func (m *outOfScope) miss(accepted, others bool) {
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

func (m *outOfScope) Close(into *eval.CellSummary) {
	for name, s := range map[string]*share{
		"oos.recall": &m.recall, "oos.precision": &m.precision, "oos.false_acceptance": &m.falseAccept,
		"oos.false_rejection": &m.falseReject, "oos.in_scope_accuracy": &m.inScope,
	} {
		into.Metrics[name] = s.estimate()
	}
}

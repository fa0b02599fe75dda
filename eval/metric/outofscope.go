package metric

import "evalctl/eval"

// outOfScope tells how well a decision knows what is none of its business: the
// label that stands for all that is none of the others. Recall and false
// acceptance are over trials that accept that label alone: false acceptance
// counts those that were given another label, and not those that were given
// none. False rejection and the accuracy in scope are over trials that do not
// accept it; what may be either counts in none of the four. Precision is over
// trials that were given the label. See Larson et al., An Evaluation Dataset for
// Intent Classification and Out-of-Scope Prediction, EMNLP 2019. Of a
// conversation the judged turn counts: the first wrong one, else the last.
type outOfScope struct {
	label                            string
	recall, falseAccept, falseReject share
	inScope                          share
	decided                          share // given the label; k: rightly
}

func (m *outOfScope) Add(r eval.Result) {
	s, ok := routeScore(r)
	if !ok {
		return
	}
	accepted := s.Want.Has(m.label)
	either := accepted && len(s.Want) > 1
	right := s.Verdict == eval.Pass
	if s.Got == m.label && s.Verdict != eval.Unjudged {
		m.decided.add(right)
	}
	switch {
	case either:
	case s.Verdict == eval.Unjudged:
		m.miss(accepted)
	case accepted:
		m.recall.add(right)
		m.falseAccept.add(!right && r.Served != "") // an answer that is no label serves nobody
	default:
		m.inScope.add(right)
		m.falseReject.add(s.Got == m.label)
	}
}

func (m *outOfScope) miss(outside bool) {
	if outside {
		m.recall.missing++
		m.falseAccept.missing++
		return
	}
	m.inScope.missing++
	m.falseReject.missing++
}

func (m *outOfScope) Close(into *eval.CellSummary, epochs int64) {
	for name, s := range map[string]share{
		"oos.recall": m.recall, "oos.precision": m.decided, "oos.false_acceptance": m.falseAccept,
		"oos.false_rejection": m.falseReject, "oos.in_scope_accuracy": m.inScope,
	} {
		into.Metrics[name] = s.estimate(epochs)
	}
}

package metric

import "evalctl/eval"

// outOfScope tells how well a decision knows what is none of its business: the
// label that stands for all that is none of the others. Recall and false
// acceptance are over trials that are out of scope, by their primary label:
// false acceptance counts those that were given another label, and not those
// that were given none. False rejection is over the others, as is the accuracy
// in scope; see Larson et al., An Evaluation Dataset for Intent Classification
// and Out-of-Scope Prediction, EMNLP 2019.
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
	outside := s.Want.Primary() == m.label
	if s.Verdict == eval.Unjudged {
		m.miss(outside)
		return
	}
	if s.Got == m.label {
		m.decided.add(s.Verdict == eval.Pass)
	}
	if outside {
		right := s.Verdict == eval.Pass
		m.recall.add(right)
		m.falseAccept.add(!right && r.Served != "") // an answer that is no label serves nobody
		return
	}
	m.inScope.add(s.Verdict == eval.Pass)
	m.falseReject.add(s.Got == m.label && s.Verdict == eval.Fail)
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

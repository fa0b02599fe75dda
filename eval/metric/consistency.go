package metric

import "evalctl/eval"

// consistency is about what the epochs of a case have in common. route.consistency is
// how often two epochs of a case give the same answer, in all its labelled turns, right
// or wrong: of each pair of epochs in which all of them were judged, which is right on
// average however many epochs there are (a U-statistic). route.pass_k is the share of
// complete cases, those whose k epochs are all scored, that are right in all of them:
// pass^k of τ-bench (Yao, Shinn, Razavi & Narasimhan, arXiv:2406.12045, §3). A case with an
// unscored epoch is missing even if another epoch is wrong: to count only the wrong ones of
// the incomplete cases would lower the share.
type consistency struct {
	epochs int64
	alike  share // of pairs
	always share // of complete cases, right
}

func (m *consistency) Add(trials []eval.Result) {
	var labeled, answered, scored, right int64
	answers := map[string]int64{}
	for _, r := range trials {
		s, ok := r.Decision()
		if !ok && (r.Error == nil || r.Error.Kind != eval.ScorerError) { // where there may have been a label
			continue
		}
		labeled++
		if s.Verdict != eval.Unscored {
			scored++
		}
		if s.Verdict == eval.Pass {
			right++
		}
		if answer, whole := answerOf(r); whole {
			answered++
			answers[answer]++
		}
	}
	for _, n := range answers {
		m.alike.k += pairsOf(n)
	}
	m.alike.m = pairsOf(answered)
	m.alike.missing += pairsOf(labeled) - pairsOf(answered)
	m.alike.endCase()
	switch {
	case labeled == 0:
	case scored >= m.epochs:
		m.always.add(right == scored)
		m.always.endCase()
	default:
		m.always.missing++
	}
}

// answerOf is what a trial decided, turn by turn; false where a turn was not judged.
func answerOf(r eval.Result) (answer string, whole bool) {
	list := r.Decisions()
	for _, j := range list {
		if j.Verdict == eval.Unscored {
			return "", false
		}
		answer += j.Actual + "\x00"
	}
	return answer, len(list) > 0
}

func pairsOf(n int64) int64 { return n * (n - 1) / 2 }

func (m *consistency) Close(into *eval.ConditionSummary) {
	into.Metrics["route.consistency"] = m.alike.estimate()
	into.Metrics["route.pass_k"] = m.always.estimate()
}

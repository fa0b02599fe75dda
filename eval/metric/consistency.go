package metric

import "evalctl/eval"

// consistency measures whether the epochs of a case give the same answer.
//
// - route.consistency: share of pairs of epochs with the same answer in all labeled turns, right or wrong. It uses pairs in which all turns are scored. It is unbiased for any number of epochs (a U-statistic).
// - route.pass_k: share of complete cases that are right in all k epochs: pass^k of τ-bench (Yao, Shinn, Razavi & Narasimhan, arXiv:2406.12045, §3). A case is complete if all its epochs are scored.
//
// A case with an unscored epoch is missing even if another epoch is wrong. Counting such a case as
// wrong would bias the share downward.
type consistency struct {
	epochs    int64
	samePairs share // pairs of epochs with the same answer
	allRight  share // complete cases that are right in every epoch
}

func (m *consistency) Add(trials []eval.Result) {
	var labeled, answered, scored, right int64
	answers := map[string]int64{}
	for _, r := range trials {
		s, ok := r.Decision()
		// after a scorer error, it is unknown whether the case has a label
		if !ok && (r.Error == nil || r.Error.Kind != eval.ScorerError) {
			continue
		}
		labeled++
		if s.Verdict != eval.Unscored {
			scored++
		}
		if s.Verdict == eval.Pass {
			right++
		}
		if answer, isComplete := joinedDecisions(r); isComplete {
			answered++
			answers[answer]++
		}
	}
	for _, n := range answers {
		m.samePairs.k += numPairs(n)
	}
	m.samePairs.m = numPairs(answered)
	m.samePairs.missing += numPairs(labeled) - numPairs(answered)
	m.samePairs.endCase()
	switch {
	case labeled == 0:
	case scored >= m.epochs:
		m.allRight.add(right == scored)
		m.allRight.endCase()
	default:
		m.allRight.missing++
	}
}

// joinedDecisions returns the decisions of all turns of a trial as one text, for comparing epochs.
// isComplete is false if a turn is unscored.
func joinedDecisions(r eval.Result) (answer string, isComplete bool) {
	list := r.Decisions()
	for _, j := range list {
		if j.Verdict == eval.Unscored {
			return "", false
		}
		answer += j.Actual + "\x00"
	}
	return answer, len(list) > 0
}

func numPairs(n int64) int64 { return n * (n - 1) / 2 }

func (m *consistency) Close(into *eval.ConditionSummary) {
	into.Metrics["route.consistency"] = m.samePairs.estimate()
	into.Metrics["route.pass_k"] = m.allRight.estimate()
}

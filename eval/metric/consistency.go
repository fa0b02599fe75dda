package metric

import "evalctl/eval"

// consistency compares the epochs of a case.
//
//   - route.consistency: share of pairs of epochs with the same answer in all labeled turns,
//     right or wrong. It uses pairs in which all turns are scored. It is unbiased for any number
//     of epochs (a U-statistic).
//   - route.pass_k: share of complete cases that are right in all k epochs: pass^k of τ-bench
//     (Yao, Shinn, Razavi & Narasimhan, arXiv:2406.12045, §3). A case is complete if all its
//     epochs are scored.
//
// A case with an unscored epoch is missing even if another epoch is wrong. Counting only the wrong
// ones among incomplete cases would bias the share down.
type consistency struct {
	epochs int64
	alike  share // pairs of epochs with the same answer
	always share // complete cases that are right in every epoch
}

func (m *consistency) Add(trials []eval.Result) {
	var labeled, answered, scored, right int64
	answers := map[string]int64{}
	for _, r := range trials {
		s, ok := r.Decision()
		if !ok && (r.Error == nil || r.Error.Kind != eval.ScorerError) { // the trial may have had a label
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

// answerOf joins the decisions of a trial's turns; false if a turn is unscored.
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

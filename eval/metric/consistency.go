package metric

import "evalctl/eval"

// consistency is about what the epochs of a case have in common. route.consistency is
// how often two epochs of a case give the same answer, in all its labelled turns, right
// or wrong: of each pair of epochs in which all of them were judged, which is right on
// average however many epochs there are (a U-statistic). route.pass_k is how many cases
// are right in all k epochs that are played, pass^k of τ-bench (Yao, Shinn, Razavi &
// Narasimhan, arXiv:2406.12045, §3): one wrong epoch decides a case, whatever became of
// the others, and without one a case is missing until all were judged.
type consistency struct {
	epochs int64
	alike  share // of pairs
	always share // of cases, right
}

func (m *consistency) Add(trials []eval.Result) {
	var labelled, answered, judged, right int64
	answers := map[string]int64{}
	for _, r := range trials {
		s, ok := r.Decision()
		if !ok && (r.Error == nil || r.Error.Kind != eval.ScorerError) { // where there may have been a label
			continue
		}
		labelled++
		if s.Verdict != eval.Unjudged {
			judged++
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
	m.alike.missing += pairsOf(labelled) - pairsOf(answered)
	m.alike.endCase()
	switch {
	case labelled == 0:
	case right < judged || judged >= m.epochs:
		m.always.add(right == judged)
		m.always.endCase()
	default:
		m.always.missing++
	}
}

// answerOf is what a trial decided, turn by turn; false where a turn was not judged.
func answerOf(r eval.Result) (answer string, whole bool) {
	list := r.Decisions()
	for _, j := range list {
		if j.Verdict == eval.Unjudged {
			return "", false
		}
		answer += j.Got + "\x00"
	}
	return answer, len(list) > 0
}

func pairsOf(n int64) int64 { return n * (n - 1) / 2 }

func (m *consistency) Close(into *eval.CellSummary) {
	into.Metrics["route.consistency"] = m.alike.estimate()
	into.Metrics["route.pass_k"] = m.always.estimate()
}

package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// consistency is about what the epochs of a case have in common. route.consistency is
// how often two epochs of a case give the same answer, in all its labelled turns, right
// or wrong: of each pair of epochs in which all of them were judged, which is right on
// average however many epochs there are (a U-statistic). route.pass_k is how many cases
// are right in all k epochs that are played, pass^k of τ-bench: its cases are those that
// were judged in all of them. See [stats.Share.PassAll].
type consistency struct {
	epochs int64
	alike  share       // of pairs
	right  stats.Share // of epochs, by case
	broken int64       // cases that were not judged in all epochs
	doomed int64       // of them, with a wrong one
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
	m.right.Add(right, judged)
	if labelled > 0 && judged < m.epochs {
		m.broken++
		if right < judged {
			m.doomed++
		}
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
	e := eval.Estimate{Missing: m.broken}
	v, cases, ok := m.right.PassAll(m.epochs)
	if ok {
		e.Value, e.N = &v, cases
	}
	if lo, hi, ok := m.right.PassAllInterval(m.epochs, level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	if m.broken > 0 {
		all := cases + m.broken
		passed := int64(v*float64(cases) + 0.5)
		e.Worst, e.Best = ratio(passed, all), ratio(passed+m.broken-m.doomed, all)
	}
	into.Metrics["route.pass_k"] = e
}

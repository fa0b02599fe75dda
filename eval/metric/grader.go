package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// grader compares two ways to check which facts an answer states: a grading model, and a comparison
// of words. It covers all facts of all answers.
//
//   - facts.grader_agreement: share of facts on which both agree that the answer states them or does
//     not.
//   - facts.grader_kappa: agreement beyond chance (Cohen's κ).
//
// A fact is missing if its grader or its trial failed. The usage of grading belongs to no turn and
// is reported separately.
type grader struct {
	kappa   stats.Kappa
	missing int64
	seen    bool
	n       int64 // graded turns
	failed  int64
	calls   int64
	tokens  tokens
	cost    cost
}

func (m *grader) Add(trials []eval.Result) {
	var table stats.RatingCounts
	for _, r := range trials {
		m.addUsage(r.Grading)
		words, graded := factsByTurn(r, eval.CoverageScore), factsByTurn(r, eval.GradedScore)
		if _, isGraded := findScore(r, eval.GradedScore); !isGraded {
			continue
		}
		m.seen = true
		for turn, byWords := range words {
			byModel := graded[turn]
			if len(byModel) != len(byWords) {
				m.missing += int64(len(byWords))
				continue
			}
			for i := range byWords {
				table.Add(byWords[i], byModel[i])
			}
		}
	}
	m.kappa.AddCase(table)
}

// factsByTurn returns, for each turn, which facts the named score found in the answer.
func factsByTurn(r eval.Result, name string) map[int][]bool {
	s, _ := findScore(r, name)
	list := map[int][]bool{}
	for _, t := range s.FactsInAnswers {
		list[t.Turn] = t.Stated
	}
	return list
}

func findScore(r eval.Result, name string) (eval.Score, bool) {
	for _, s := range r.Scores {
		if s.Name == name {
			return s, true
		}
	}
	return eval.Score{}, false
}

func (m *grader) addUsage(g *eval.GradingCost) {
	if g == nil {
		return
	}
	m.n += g.Turns
	m.failed += g.Failed
	m.calls += g.Calls
	m.tokens.add(g.Tokens)
	m.cost.add(g.Cost)
}

// Close adds the metrics to the condition's summary. Without graded facts it adds none.
func (m *grader) Close(into *eval.ConditionSummary) {
	if !m.seen {
		return
	}
	into.Metrics["facts.grader_agreement"] = proportion(m.kappa.Agreement(), m.missing)
	e := eval.Estimate{N: m.kappa.N(), Cases: casesIfClustered(m.kappa.Cases(), m.kappa.N()), Missing: m.missing}
	if v, ok := m.kappa.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := m.kappa.Interval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	into.Metrics["facts.grader_kappa"] = e
	calls := count(float64(m.calls), m.n)
	calls.Missing = m.failed
	into.Metrics["facts.grader.calls"] = calls
	into.Metrics["facts.grader.tokens"], into.Metrics["facts.grader.cost"] = m.tokens.total(), m.cost.total()
}

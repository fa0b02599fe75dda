package metric

import (
	"evalctl/eval"
	"evalctl/eval/stats"
)

// grader holds a model that grades facts against the words of the answers: of all facts
// of answers, facts.grader_agreement is in how many the two agree that an answer states
// one, or that it does not, and facts.grader_kappa how much of what chance leaves open.
// Facts are missing whose grader failed, or whose trial did. What the grading took counts
// to no turn, and stands by itself.
type grader struct {
	kappa   stats.Kappa
	missing int64
	seen    bool
	n       int64 // turns that were graded
	failed  int64
	calls   int64
	tokens  tokens
	cost    cost
}

func (m *grader) Add(trials []eval.Result) {
	var table stats.Ratings
	for _, r := range trials {
		m.spend(r.Grading)
		words, graded := stated(r, eval.CoverageScore), stated(r, eval.GradedScore)
		if _, asked := find(r, eval.GradedScore); !asked {
			continue
		}
		m.seen = true
		for turn, said := range words {
			by := graded[turn]
			if len(by) != len(said) {
				m.missing += int64(len(said))
				continue
			}
			for i := range said {
				table.Add(said[i], by[i])
			}
		}
	}
	m.kappa.AddCase(table)
}

// stated are the facts that a score tells of, by turn.
func stated(r eval.Result, name string) map[int][]bool {
	s, _ := find(r, name)
	list := map[int][]bool{}
	for _, t := range s.Facts {
		list[t.Turn] = t.Facts
	}
	return list
}

func find(r eval.Result, name string) (eval.Score, bool) {
	for _, s := range r.Scores {
		if s.Name == name {
			return s, true
		}
	}
	return eval.Score{}, false
}

func (m *grader) spend(g *eval.GradingCost) {
	if g == nil {
		return
	}
	m.n += g.Turns
	m.failed += g.Failed
	m.calls += g.Calls
	m.tokens.add(g.Tokens)
	m.cost.add(g.Cost)
}

// Close leaves a cell in which nothing was graded as it is.
func (m *grader) Close(into *eval.ConditionSummary) {
	if !m.seen {
		return
	}
	into.Metrics["facts.grader_agreement"] = proportion(m.kappa.Agreement(), m.missing)
	e := eval.Estimate{N: m.kappa.N(), Cases: fewer(m.kappa.Cases(), m.kappa.N()), Missing: m.missing}
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

package metric

import "evalctl/eval"

// usage sums what the trials asked of the models.
type usage struct {
	trials, calls, in, out int64
	uncounted              int64 // calls
	cost                   money
}

func (m *usage) Add(r eval.Result) {
	m.trials++
	m.calls += r.Calls
	m.in += r.Tokens.In
	m.out += r.Tokens.Out
	m.uncounted += r.Tokens.Uncounted
	m.cost.add(r.Cost)
}

func (m *usage) Close(into *eval.CellSummary, _ int64) {
	into.Metrics["tokens.in"], into.Metrics["tokens.out"] = m.tokens(m.in), m.tokens(m.out)
	into.Metrics["cost.usd"] = m.cost.total(m.trials)
	if m.trials > 0 {
		into.Metrics["calls.mean"] = count(float64(m.calls)/float64(m.trials), m.trials)
	}
}

// tokens has no value where a call's are not known.
func (m *usage) tokens(n int64) eval.Estimate {
	if m.uncounted > 0 {
		return eval.Estimate{N: m.trials}
	}
	return count(float64(n), m.trials)
}

// failures counts trials without an answer, by whose fault it is.
type failures struct {
	missing share
	kinds   map[eval.ErrorKind]int64
}

func (m *failures) Add(r eval.Result) {
	m.missing.add(r.Error != nil)
	if r.Error == nil {
		return
	}
	if m.kinds == nil {
		m.kinds = map[eval.ErrorKind]int64{}
	}
	m.kinds[r.Error.Kind]++
}

func (m *failures) Close(into *eval.CellSummary, epochs int64) {
	into.Metrics["missing.rate"] = m.missing.estimate(epochs)
	for _, k := range eval.ErrorKinds() {
		into.Metrics["errors."+string(k)] = count(float64(m.kinds[k]), m.missing.n)
	}
}

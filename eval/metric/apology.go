package metric

import "evalctl/eval"

// apologies counts the trials whose answer is an apology, by its code.
type apologies struct {
	rate  share
	codes map[string]int64
}

func (m *apologies) Add(r eval.Result) {
	if r.Error != nil {
		m.rate.missing++
		return
	}
	m.rate.add(r.Failure != "")
	if r.Failure == "" {
		return
	}
	if m.codes == nil {
		m.codes = map[string]int64{}
	}
	m.codes[r.Failure]++
}

func (m *apologies) Close(into *eval.CellSummary, epochs int64) {
	into.Metrics["apology.rate"] = m.rate.estimate(epochs)
	for code, n := range m.codes {
		into.Metrics["apology."+code] = count(float64(n), m.rate.n)
	}
}

package metric

import "evalctl/eval"

// apologies counts the trials whose answer is an apology, by its code.
type apologies struct {
	rate  share
	codes map[string]int64
}

func (m *apologies) Add(trials []eval.Result) {
	for _, r := range trials {
		if r.Error != nil {
			m.rate.missing++
			continue
		}
		m.rate.add(r.Failure != "")
		if r.Failure == "" {
			continue
		}
		if m.codes == nil {
			m.codes = map[string]int64{}
		}
		m.codes[r.Failure]++
	}
	m.rate.endCase()
}

func (m *apologies) Close(into *eval.CellSummary) {
	into.Metrics["error_reply.rate"] = m.rate.estimate()
	for code, n := range m.codes {
		e := count(float64(n), m.rate.cases.N())
		e.Missing = m.rate.missing
		into.Metrics["error_reply."+code] = e
	}
}

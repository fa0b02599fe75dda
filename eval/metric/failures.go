package metric

import "evalctl/eval"

// failures counts trials without a result, by kind of error. The type route counts unscored
// decisions.
type failures struct {
	missing share
	kinds   map[eval.ErrorKind]int64
}

func (m *failures) Add(trials []eval.Result) {
	for _, r := range trials {
		m.missing.add(r.Error != nil)
		if r.Error == nil {
			continue
		}
		if m.kinds == nil {
			m.kinds = map[eval.ErrorKind]int64{}
		}
		m.kinds[r.Error.Kind]++
	}
	m.missing.endCase()
}

func (m *failures) Close(into *eval.ConditionSummary) {
	into.Metrics["missing.rate"] = m.missing.estimate()
	for _, k := range eval.ErrorKinds() {
		into.Metrics["errors."+string(k)] = count(float64(m.kinds[k]), m.missing.cases.N())
	}
}

package metric

import "evalctl/eval"

// errorReplies measures the share of trials with an error reply in any turn, and counts them by
// error code. A trial with several codes counts once for each.
type errorReplies struct {
	rate  share
	codes map[string]int64
}

func (m *errorReplies) Add(trials []eval.Result) {
	for _, r := range trials {
		if r.Error != nil {
			m.rate.missing++
			continue
		}
		m.rate.add(r.HasErrorReply())
		for _, code := range r.ErrorReplyCodes() {
			if m.codes == nil {
				m.codes = map[string]int64{}
			}
			m.codes[code]++
		}
	}
	m.rate.endCase()
}

func (m *errorReplies) Close(into *eval.ConditionSummary) {
	into.Metrics["error_reply.rate"] = m.rate.estimate()
	for code, n := range m.codes {
		e := count(float64(n), m.rate.cases.N())
		e.Missing = m.rate.missing
		into.Metrics["error_reply."+code] = e
	}
}

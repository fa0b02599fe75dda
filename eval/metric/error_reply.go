package metric

import "evalctl/eval"

// errorReplies measures the share of trials whose answer is an error reply, and counts them by
// error code.
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
		m.rate.add(r.ErrorReply != "")
		if r.ErrorReply == "" {
			continue
		}
		if m.codes == nil {
			m.codes = map[string]int64{}
		}
		m.codes[r.ErrorReply]++
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

package gate

import "evalctl/eval/metric"

// Metrics are all that a run of the suite may have; * stands for names that nobody declares.
func (s SuiteScope) Metrics() []string { return s.metrics() }

// IsPlain tells a metric whose unit says nothing of what its limit may be.
func IsPlain(key string) bool {
	switch figureOf(key).Unit {
	case metric.Number, metric.Signed, metric.Part:
		return true
	}
	return false
}

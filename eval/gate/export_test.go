package gate

import "evalctl/eval/metric"

// Metrics returns all metrics that a run of the suite can have; * replaces undeclared names.
func (s SuiteScope) Metrics() []string { return s.metrics() }

// IsPlain reports whether a metric's unit does not restrict its limit.
func IsPlain(key string) bool {
	switch figureOf(key).Unit {
	case metric.Number, metric.Signed, metric.Part:
		return true
	}
	return false
}

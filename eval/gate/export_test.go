package gate

import "evalctl/eval/metric"

// Metrics returns the names of all metrics that a run of the suite can have. In these names, *
// matches any name.
func (s SuiteScope) Metrics() []string { return s.metrics() }

// IsPlain reports whether the unit of the metric does not restrict the limits of rules.
func IsPlain(key string) bool {
	switch figureOf(key).Unit {
	case metric.Number, metric.SignedScore, metric.PartOfWhole:
		return true
	}
	return false
}

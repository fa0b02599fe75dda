package gate

import "evalctl/eval"

// Form writes a value of the metric with its unit, as the words of gates have it.
func Form(metric string, v float64) string { return kindOf(metric).form(v) }

// FormEstimate writes it with its interval; there must be a value.
func FormEstimate(metric string, e eval.Estimate) string { return kindOf(metric).describe(e, *e.Value) }

// IsTime is true for a metric in milliseconds.
func IsTime(metric string) bool { return kindOf(metric) == duration }

// IsShare tells a metric whose differences are told in points.
func IsShare(metric string) bool { k := kindOf(metric); return k == share || k == fraction }

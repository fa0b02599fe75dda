package gate

// Metrics are all that a run of the suite may have; * stands for names that nobody declares.
func (s Suite) Metrics() []string { return s.metrics() }

// IsPlain tells a metric whose name says nothing of what its limit may be.
func IsPlain(metric string) bool { return kindOf(metric) == plain }

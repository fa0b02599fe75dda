package metric

import (
	"slices"
	"strings"

	"evalctl/eval"
)

// countSupport counts, for every condition, the suite's labels that no scored turn expects. The
// labels of a suite are the declared ones and those that a case expects.
func countSupport(s *eval.SuiteSummary) {
	expected := map[string]bool{}
	for _, c := range s.Conditions {
		for label := range support(c) {
			expected[label] = true
		}
	}
	s.LabelsWithoutCases = slices.DeleteFunc(slices.Clone(s.LabelsWithoutCases),
		func(label string) bool { return expected[label] })
	if len(s.LabelsWithoutCases) == 0 {
		s.LabelsWithoutCases = nil // stored like a suite without declared labels
	}
	known := int64(len(expected) + len(s.LabelsWithoutCases))
	for _, conditions := range [][]eval.ConditionSummary{s.Conditions, s.Slices} {
		for i, c := range conditions {
			if c.Metrics["route.macro_f1"].N == 0 {
				continue
			}
			supported := int64(0)
			for _, n := range support(c) {
				if n > 0 {
					supported++
				}
			}
			conditions[i].LabelsWithoutCases = known - supported
		}
	}
}

// support returns the number of scored turns by expected label. It has an entry for each label that
// a turn expects.
func support(c eval.ConditionSummary) map[string]int64 {
	by := map[string]int64{}
	for name, e := range c.Metrics {
		if label, ok := strings.CutPrefix(name, "route.recall."); ok && e.N+e.Missing > 0 {
			by[label] = e.N
		}
	}
	return by
}

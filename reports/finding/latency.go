package finding

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
)

const namedVariants = 2

// MixedLatencyNote explains what the latencies of a suite include if some components are real and
// others are simulated. It returns "" if all are real or all are simulated.
func MixedLatencyNote(s eval.SuiteSummary) string {
	parts := map[eval.LatencyKind][]string{}
	for _, m := range s.Models {
		name := text.EscapeLabel(m.Component)
		switch n := len(m.Variants); {
		case n > namedVariants:
			name += fmt.Sprintf(" (in %d variants)", n)
		case n > 0:
			name += " (in " + text.EscapeLabel(strings.Join(m.Variants, ", ")) + ")"
		}
		if !slices.Contains(parts[m.Latency], name) {
			parts[m.Latency] = append(parts[m.Latency], name)
		}
	}
	left := parts[eval.LatencyOmitted]
	if len(left) == 0 {
		return ""
	}
	var texts []string
	for _, how := range []eval.LatencyKind{eval.LatencyMeasured, eval.LatencyRecorded} {
		if len(parts[how]) > 0 {
			texts = append(texts, fmt.Sprintf("%s for %s", how, strings.Join(parts[how], ", ")))
		}
	}
	return "Latency: " + strings.Join(append(texts,
		"not included for "+strings.Join(left, ", ")+" (simulated, no waiting)"), "; ")
}

package runs

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/journal"
)

// RecomputeWithGates is like RecomputeInto. It also evaluates the gates of the run again and adds
// their verdicts. A gate that compares with a baseline run keeps the verdict that the run stored. It
// returns a note for the report about such gates, and about stored verdicts that differ from the
// results.
func (r *Run) RecomputeWithGates(others []eval.Sink) (sum eval.Summary, notes []string, err error) {
	rules := make([]*gate.Rule, len(r.Summary.Gates)) // nil: the stored verdict is kept
	var tags, kept, differ []string
	for i, v := range r.Summary.Gates {
		rule, err := gate.Parse(v.Rule)
		if err != nil || rule.NeedsBaseline() || r.only != "" && rule.Suite != r.only {
			kept = append(kept, v.Rule)
			continue
		}
		rules[i] = &rule
		if rule.Tag != "" && !slices.Contains(tags, rule.Tag) {
			tags = append(tags, rule.Tag)
		}
	}
	if sum, err = r.RecomputeInto(others, tags...); err != nil {
		return sum, nil, err
	}
	verdicts := slices.Clone(r.Summary.Gates)
	for i, rule := range rules {
		if rule == nil {
			continue
		}
		stored := verdicts[i].Verdict
		if verdicts[i] = gate.Check([]gate.Rule{*rule}, sum, nil)[0]; verdicts[i].Verdict != stored {
			differ = append(differ, verdicts[i].Rule)
		}
	}
	sum.Gates = verdicts
	if len(differ) > 0 && r.Manifest.Status != journal.StatusRunning {
		notes = append(notes, fmt.Sprintf("The stored verdict of the gate differs from the results: %s. "+
			"The report shows the verdict that follows from the results", strings.Join(differ, ", ")))
	}
	if len(kept) > 0 {
		notes = append(notes, "The verdict is the one that the run stored, and was not evaluated again: "+
			strings.Join(kept, ", "))
	}
	return sum, notes, nil
}

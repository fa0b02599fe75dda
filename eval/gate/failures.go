package gate

import (
	"cmp"
	"slices"
)

// NewlyFailedCase is a new failure: a case that was correct in the baseline run and is wrong now.
type NewlyFailedCase struct {
	Condition
	Case string // ID of the case
}

// NewFailures returns all new failures that the rules count, sorted by condition and case ID.
func (p *BaselineComparison) NewFailures() (list []NewlyFailedCase) {
	if p == nil {
		return nil
	}
	for r, of := range p.list {
		if r.Comparison != NewFailures {
			continue
		}
		for at, cases := range of.conditions {
			found, _ := cases.match()
			for _, c := range found {
				if _, _, fails := c.newFailure(); fails {
					list = append(list, NewlyFailedCase{Condition: at, Case: c.id})
				}
			}
		}
	}
	slices.SortFunc(list, func(a,
		b NewlyFailedCase) int {
		return cmp.Or(a.Condition.compare(b.Condition), cmp.Compare(a.Case, b.Case))
	})
	return slices.Compact(list)
}

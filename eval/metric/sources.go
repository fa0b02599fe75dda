package metric

import "evalctl/eval"

// sources measures what made the decisions (model, rules, guard …): the share of each source, of
// trials with a decision. Known sources are always present. A trial without a decision is missing.
type sources struct{ *split }

func newSources(known []string) sources {
	return sources{newSplit(func() share { return share{} }, known...)}
}

func (m sources) Add(trials []eval.Result) {
	decided, by := int64(0), map[string]int64{}
	for _, r := range trials {
		if r.DecidedBy == "" {
			m.missing++
			continue
		}
		decided++
		by[r.DecidedBy]++
	}
	m.addCase(by, decided)
}

func (m sources) Close(into *eval.ConditionSummary) { m.close(into, "router.by") }

package metric

import (
	"cmp"
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
)

// suite computes the metrics of all conditions of one suite. It stores the results of incomplete
// cases: as many as run at the same time.
type suite struct {
	summary    eval.SuiteSummary
	index      map[conditionName]int // index of a condition in conditions and in each list of slices
	conditions []*condition
	slices     map[string][]*condition // metrics over the cases with a tag, by tag
	tags       []string
	open       map[string]map[trial]eval.Result // results of incomplete cases, by case
	trials     int                              // number of trials of a complete case
	single     [1]eval.Result                   // buffer for a case with a single trial

	compared *compare.SuiteComparison

	faultEffects []*faultEffect // by condition; nil: no fault, or the suite is not a fault matrix
	faultFree    []int          // for each condition, the index of the fault-free condition that it is compared with
}

type conditionName struct{ variant, fault string }

// trial identifies a result within its case.
type trial struct{ condition, epoch int }

type condition struct {
	trials  int64
	metrics []metric
}

// newMetrics returns the metrics to compute for the condition c. The arguments of and cached are
// shared by all conditions of the suite.
func newMetrics(s eval.SuiteSummary, c eval.ConditionSummary, of *reasons, cached *bool) []metric {
	list := []metric{&route{}, newSources(c.DecisionSources), &fallback{matrix: s.FaultMatrix},
		&passShares{matrix: s.FaultMatrix}, &scoreMeans{}, &critic{}, &errorReplies{}, &latency{}, &batches{}, &nodes{},
		&failures{}, &usage{}, &waits{isRealTime: s.Clock == "real"}, &peak{},
		&cache{suiteUsesCache: cached}, &compressionRatio{}, &grader{},
		&confidence{node: c.DeciderNode}, newAnswerUse(c.DeciderNode)}
	if !s.DecisionOnly { // a decision-only trial makes one decision
		list = append(list, newSupervision(of))
	}
	if s.Epochs > 1 {
		list = append(list, &consistency{epochs: int64(s.Epochs)})
	}
	if s.OOSLabel != "" {
		list = append(list, &oosLabel{label: s.OOSLabel})
	}
	return list
}

func newSuite(s eval.SuiteSummary, tags []string) *suite {
	t := &suite{
		summary:  s,
		index:    map[conditionName]int{},
		slices:   map[string][]*condition{},
		tags:     tags,
		open:     map[string]map[trial]eval.Result{},
		trials:   len(s.Conditions) * min(max(s.Epochs, 1), eval.MaxEpochs),
		compared: compare.NewSuiteComparison(s),
	}
	of, cached := newReasons(), new(bool)
	t.faultEffects, t.faultFree = newFaultEffects(s)
	for i, v := range s.Conditions {
		t.index[conditionName{variant: v.Variant, fault: v.Fault}] = i
		t.conditions = append(t.conditions, &condition{metrics: newMetrics(s, v, of, cached)})
		for _, tag := range tags {
			t.slices[tag] = append(t.slices[tag], &condition{metrics: newMetrics(s, v, of, cached)})
		}
	}
	return t
}

func (s *suite) add(at trial, r eval.Result) {
	r.Outcome = eval.Outcome{} // no metric uses the trace, and it is large
	if s.trials == 1 {
		s.single[0] = r
		s.count(at.condition, s.single[:])
		s.compared.Add(s.single[:])
		return
	}
	if s.open[r.Case] == nil {
		s.open[r.Case] = map[trial]eval.Result{}
	}
	s.open[r.Case][at] = r
	if len(s.open[r.Case]) == s.trials {
		s.fold(r.Case)
	}
}

// fold adds a complete case to the metrics of its conditions and compares the conditions.
func (s *suite) fold(id string) {
	results := s.open[id]
	delete(s.open, id)
	order := slices.SortedFunc(maps.Keys(results), func(a, b trial) int {
		return cmp.Or(cmp.Compare(a.condition, b.condition), cmp.Compare(a.epoch, b.epoch))
	})
	var rows []eval.Result
	from := 0
	of := map[int][]eval.Result{} // results by condition
	for i, at := range order {
		rows = append(rows, results[at])
		if i+1 == len(order) || order[i+1].condition != at.condition {
			s.count(at.condition, rows[from:])
			of[at.condition] = rows[from:len(rows):len(rows)]
			from = i + 1
		}
	}
	for condition, m := range s.faultEffects {
		if m != nil && of[condition] != nil {
			m.add(of[condition], of[s.faultFree[condition]])
		}
	}
	s.compared.Add(rows)
}

// count adds a case to the metrics of one condition, and of the condition's slices.
func (s *suite) count(condition int, trials []eval.Result) {
	s.conditions[condition].add(trials)
	for _, tag := range s.tags {
		if slices.Contains(trials[0].Tags, tag) {
			s.slices[tag][condition].add(trials)
		}
	}
}

func (c *condition) add(trials []eval.Result) {
	c.trials += int64(len(trials))
	for _, m := range c.metrics {
		m.Add(trials)
	}
}

func (s *suite) close() eval.SuiteSummary {
	for _, id := range slices.Sorted(maps.Keys(s.open)) {
		s.fold(id)
	}
	sum := s.summary
	sum.Conditions = s.summaries(s.conditions, "")
	for i, m := range s.faultEffects {
		if m != nil {
			m.close(&sum.Conditions[i])
		}
	}
	for _, tag := range s.tags {
		sum.Slices = append(sum.Slices, s.summaries(s.slices[tag], tag)...)
	}
	countSupport(&sum)
	s.compared.AddToSummary(&sum)
	return sum
}

// summaries returns the summaries of all conditions, over the cases with a tag ("": all cases).
func (s *suite) summaries(conditions []*condition, tag string) []eval.ConditionSummary {
	list := slices.Clone(s.summary.Conditions)
	for i, c := range conditions {
		v := &list[i]
		v.Tag = tag
		v.Trials = c.trials
		v.Metrics = map[string]eval.Estimate{}
		for _, m := range c.metrics {
			m.Close(v)
		}
	}
	return list
}

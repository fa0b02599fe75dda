package history

import (
	"context"
	"fmt"
	"slices"
	"time"

	"evalctl/agent/database"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/suggest"
)

// FailureHistory reports since when a case or a gate rule passes or fails, in each condition.
type FailureHistory struct {
	Subject    string             `json:"subject"` // ID of the case, or text of the rule
	Conditions []ConditionHistory `json:"conditions"`
}

// ConditionHistory shows in which runs a case or a rule changed between passing and failing, in one
// condition. Runs without data are skipped.
type ConditionHistory struct {
	Suite        string      `json:"suite"`
	Variant      string      `json:"variant"`
	Fault        string      `json:"fault"`
	RunsWithData int         `json:"runs_with_data"` // number of runs with data about the case or the rule
	Passing      bool        `json:"passing"`        // whether it passes in the latest run with data
	Latest       Observation `json:"latest"`         // result in the latest run with data
	// changes between passing and failing, the oldest first; empty: there was none
	Changes     []Transition `json:"changes"`
	Differences []string     `json:"differences"` // differences in settings between the two runs of the last change
}

// Observation states whether the case or the rule passes in one run.
type Observation struct {
	Run     string    `json:"run"`
	Started time.Time `json:"started"`
	Passing bool      `json:"passing"` // the case or the rule passes in this run
	Reason  string    `json:"reason"`  // reason of the gate verdict, or the share of correct epochs
}

// Transition is a change between two consecutive runs with data: a case or a rule that passed now
// fails, or the reverse.
type Transition struct {
	Before Observation `json:"before"` // result in the earlier run
	After  Observation `json:"after"`  // result in the later run
}

// CaseHistory returns the history of a case in the conditions without a fault. A case passes in a
// run if all its scored epochs are correct.
func (h *History) CaseHistory(ctx context.Context, id string, c Filter) (FailureHistory, error) {
	s := FailureHistory{Subject: id}
	if err := h.checkFilter(ctx, c); err != nil {
		return s, err
	}
	if err := h.readVerdicts(ctx); err != nil {
		return s, err
	}
	looks := observations{}
	c.Faults = []string{eval.NoFault}
	err := h.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows(
			`SELECT run.name, run.started, suite, variant, "right", judged FROM run JOIN cell ON cell.run = run.id
			JOIN verdict ON verdict.cell = cell.id WHERE verdict.of = ? ORDER BY run.started, run.name, place`, id) {
			var l Observation
			var started int64
			var t tally
			at := gate.Condition{Fault: eval.NoFault}
			if err == nil {
				err = row.Scan(&l.Run, &started, &at.Suite, &at.Variant, &t.correct, &t.scored)
			}
			if err != nil {
				return err
			}
			if !c.has(at.Suite, at.Variant, at.Fault) {
				continue
			}
			l.Started, l.Passing, l.Reason = time.UnixMicro(started).UTC(), t.correct == t.scored, verdict(t)
			looks.add(at, l)
		}
		return nil
	})
	if err == nil && len(looks.list) == 0 {
		err = h.noSuchCase(ctx, id)
	}
	if err != nil {
		return s, err
	}
	s.Conditions = h.conditionHistories(looks)
	return s, nil
}

func verdict(t tally) string {
	switch {
	case t.scored == 1 && t.correct == 1:
		return "right"
	case t.scored == 1:
		return "wrong"
	}
	return fmt.Sprintf("right in %d of %d epochs", t.correct, t.scored)
}

func (h *History) noSuchCase(ctx context.Context, id string) error {
	known, err := h.queryTexts(ctx, "SELECT DISTINCT of FROM verdict")
	if err != nil {
		return err
	}
	if near, ok := suggest.Closest(id, known); ok && near != id {
		return fmt.Errorf("unknown case %q, did you mean %q?", id, near)
	}
	if slices.Contains(known, id) {
		return fmt.Errorf("no selected run has the case %q", id)
	}
	return fmt.Errorf("no run has a case %q", id)
}

// RuleHistory returns the history of a gate rule, separately for every condition that it selects.
func (h *History) RuleHistory(ctx context.Context, rule gate.Rule, c Filter) (FailureHistory, error) {
	s := FailureHistory{Subject: rule.String()}
	if rule.NeedsBaseline() || rule.Tag != "" {
		return s, fmt.Errorf("%s: judges runs by figures that stand in their summaries: no drop, no ratio, no new_failures, no tag", rule)
	}
	looks := observations{}
	measures := false
	err := h.conditions(ctx, c, []string{rule.Metric, "missing.rate"}, func(m measured) {
		at := gate.Condition{Suite: m.suite, Variant: m.variant, Fault: m.fault}
		if !rule.Selects(at) {
			return
		}
		_, has := m.metrics[rule.Metric]
		measures = measures || has
		sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: m.suite,
			Conditions: []eval.ConditionSummary{{Variant: m.variant, Fault: m.fault, Trials: m.trials,
				Metrics: m.metrics}}}}}
		v := gate.Check([]gate.Rule{rule}, sum, nil)[0]
		looks.add(at, Observation{
			Run:     m.run,
			Started: m.started,
			Passing: v.Passed,
			Reason:  v.Reason,
		})
	})
	if err == nil && !measures {
		err = h.missingMetricError(ctx, rule.Metric, c)
	}
	if err != nil {
		return s, err
	}
	s.Conditions = h.conditionHistories(looks)
	return s, nil
}

// observations contains the results of all runs for each condition, the oldest first.
type observations struct {
	list        []gate.Condition
	byCondition map[gate.Condition][]Observation
}

func (l *observations) add(at gate.Condition, one Observation) {
	if l.byCondition == nil {
		l.byCondition = map[gate.Condition][]Observation{}
	}
	if l.byCondition[at] == nil {
		l.list = append(l.list, at)
	}
	l.byCondition[at] = append(l.byCondition[at], one)
}

// conditionHistories returns the histories of a case or a rule in all conditions. Conditions that
// fail now come first.
func (h *History) conditionHistories(l observations) (list []ConditionHistory) {
	for _, at := range l.list {
		f := newConditionHistory(at, l.byCondition[at])
		if n := len(f.Changes); n > 0 {
			f.Differences = h.differences(f.Changes[n-1], at)
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b ConditionHistory) int {
		switch {
		case a.Passing == b.Passing:
			return 0
		case b.Passing:
			return -1
		}
		return 1
	})
	return list
}

// newConditionHistory returns the changes between passing and failing in one condition. looks
// contains the result of each run, the oldest first.
func newConditionHistory(at gate.Condition, looks []Observation) ConditionHistory {
	last := looks[len(looks)-1]
	f := ConditionHistory{
		Suite:        at.Suite,
		Variant:      at.Variant,
		Fault:        at.Fault,
		RunsWithData: len(looks),
		Latest:       last,
		Passing:      last.Passing,
	}
	for i, l := range looks[1:] {
		if before := looks[i]; before.Passing != l.Passing {
			f.Changes = append(f.Changes, Transition{Before: before, After: l})
		}
	}
	return f
}

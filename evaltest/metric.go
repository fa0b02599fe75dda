package evaltest

import (
	"fmt"
	"math"
	"strings"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/gate"
)

// HaveMetric returns a matcher that succeeds if the value of a metric matches in every condition
// (suite × variant × fault) that the selector in braces selects:
//
//	HaveMetric("route.accuracy{variant=short,fault=none}", BeNumerically(">=", .95))
//	HaveMetric("latency.p95{tag=zh}", BeNumerically("<", 3000))
//
// The keys of the selector are suite, variant, fault and tag. want is a matcher for a float64, or a
// float64 that the value must equal. The matcher also fails when negated if the metric has no data,
// if only some conditions match, or if unscored trials could change the result.
func HaveMetric(metric string, want any) types.GomegaMatcher {
	m, ok := want.(types.GomegaMatcher)
	if !ok {
		m = gomega.BeNumerically("==", want)
	}
	return &metricMatcher{selector: metric, want: m}
}

type metricMatcher struct {
	selector string
	want     types.GomegaMatcher

	report *Report
	worst  finding
}

// finding is the value of the metric in one condition.
type finding struct {
	rule    gate.Rule // rule that selects only this condition
	value   float64
	text    string // value with its interval, n and condition, as text
	matches bool
}

// Match checks the metric in all conditions that the selector selects.
func (m *metricMatcher) Match(actual any) (bool, error) {
	r, err := reportOf(actual)
	if err != nil {
		return false, fmt.Errorf("HaveMetric: %w", err)
	}
	m.report = r
	list, err := m.findings(r)
	if err != nil {
		return false, fmt.Errorf("HaveMetric: %w", err)
	}
	matching := 0
	m.worst = list[0]
	for _, f := range list {
		if f.matches {
			matching++
		} else if m.worst.matches {
			m.worst = f
		}
	}
	if matching > 0 && matching < len(list) {
		return false, fmt.Errorf(
			"HaveMetric: %s holds in %d of %d cells only, narrow it to those that are meant; not in this one:\n%s",
			m.selector, matching, len(list), m.FailureMessage(actual))
	}
	return matching > 0, nil
}

// findings returns the metric in each selected condition. It returns an error if there is none.
func (m *metricMatcher) findings(r *Report) (list []finding, err error) {
	rule, err := gate.ParseMetricSelector(m.selector)
	if err != nil {
		return nil, err
	}
	if rule.NeedsBaseline() {
		return nil, fmt.Errorf("%s: requires a baseline, use PassGate", m.selector)
	}
	suites, err := play.GateSuiteScopes(r.run)
	if err == nil {
		err = gate.Validate([]gate.Rule{rule}, suites)
	}
	if err != nil {
		return nil, err
	}
	tags := []string{}
	if rule.Tag != "" {
		tags = append(tags, rule.Tag)
	}
	sum, err := r.run.Recompute(tags...)
	switch {
	case err != nil:
		return nil, err
	case sum.Partial:
		return nil, fmt.Errorf("the run in %s did not end, or results of it are lacking", r.Dir)
	}
	for _, s := range suites {
		for _, at := range s.Conditions {
			if rule.Selects(at) {
				f, err := m.evaluate(rule.ForCondition(at), sum)
				if err != nil {
					return nil, err
				}
				list = append(list, f)
			}
		}
	}
	return list, nil
}

// evaluate checks the metric in one condition, and that there are enough data.
func (m *metricMatcher) evaluate(rule gate.Rule, sum eval.Summary) (finding, error) {
	rule.Op, rule.Limit = gate.AtLeast, -math.MaxFloat64
	v := gate.Check([]gate.Rule{rule}, sum, nil)[0]
	e, found := rule.Estimate(sum)
	if !v.Passed || !found {
		return finding{}, fmt.Errorf("%s cannot be decided: %s", m.selector, v.Reason)
	}
	f := finding{rule: rule, value: *e.Value, text: v.Reason}
	var err error
	if f.matches, err = m.want.Match(f.value); err != nil {
		return f, err
	}
	for _, bound := range []*float64{e.WorstCase, e.BestCase} {
		if e.Missing == 0 || bound == nil {
			continue
		}
		if holds, err := m.want.Match(*bound); err != nil || holds != f.matches {
			return f, fmt.Errorf("%s cannot be decided: %s, and %g with what is missing", m.selector, v.Reason, *bound)
		}
	}
	return f, nil
}

// FailureMessage returns the value with its interval, n and condition, and the worst cases.
func (m *metricMatcher) FailureMessage(any) string {
	return m.message(m.want.FailureMessage(m.worst.value), m.report.worstCases(m.worst.rule))
}

// NegatedFailureMessage returns the value with its interval, n and condition.
func (m *metricMatcher) NegatedFailureMessage(any) string {
	return m.message(m.want.NegatedFailureMessage(m.worst.value), "")
}

func (m *metricMatcher) message(wanted, cases string) string {
	text := fmt.Sprintf("%s\n    %s\n%s", m.selector, m.worst.text, wanted)
	if cases != "" {
		text += "\n" + cases
	}
	return strings.TrimRight(text, "\n")
}

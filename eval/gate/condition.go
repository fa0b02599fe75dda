package gate

import "evalctl/eval"

// ParseMetricSelector parses the part of a rule before the operator: a metric with its selector,
// such as route.accuracy{suite=mine}. The error is a [*SyntaxError].
func ParseMetricSelector(text string) (Rule, error) {
	p := parser{text: text}
	var r Rule
	p.encoding()
	p.space()
	if p.take("[") {
		p.tag(&r)
	}
	p.figure(&r)
	if p.space(); p.rest() != "" {
		p.fail(p.at, "unexpected text after the metric")
	}
	if p.err != nil {
		return Rule{}, p.err
	}
	return r, nil
}

// Selects reports whether the rule applies to a condition (suite, variant and fault).
func (r Rule) Selects(c Condition) bool { return r.selects(c) }

// ForCondition returns a copy of the rule that applies to one condition only.
func (r Rule) ForCondition(c Condition) Rule {
	r.Suite, r.Variant, r.Fault = c.Suite, c.Variant, faultOf(c.Fault)
	return r
}

// Estimate returns the value of the rule's metric in the first condition that the rule selects. It
// returns false if there is no value.
func (r Rule) Estimate(s eval.Summary) (eval.Estimate, bool) {
	for _, suite := range s.Suites {
		conditions := suite.Conditions
		if r.Tag != "" {
			conditions = suite.Slices
		}
		for _, c := range conditions {
			if c.Tag == r.Tag && r.selects(Condition{Suite: suite.Name, Variant: c.Variant, Fault: c.Fault}) {
				e, ok := c.Metrics[r.Metric]
				return e, ok && e.Value != nil
			}
		}
	}
	return eval.Estimate{}, false
}

package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval/metric"
	"evalctl/eval/suggest"
)

// Condition identifies one condition of a run by its suite, variant and fault. "" or [eval.NoFault]
// means without a fault.
type Condition struct{ Suite, Variant, Fault string }

// Validate checks rules before a run starts: each suite, variant, fault, tag and metric that they
// name must exist in the run. It returns all invalid rules, each as a [*SyntaxError].
func Validate(rules []Rule, suites []SuiteScope) error {
	var errs []error
	for _, r := range rules {
		if err := r.validate(suites); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// validate checks one rule. It applies the keys of the selector one by one. If names exist but not
// together, the error therefore names the first that does not fit.
func (r Rule) validate(suites []SuiteScope) error {
	var narrowed Rule
	var conditions []Condition
	for _, s := range suites {
		conditions = append(conditions, s.Conditions...)
	}
	for _, s := range r.selections() {
		if s.value == "" {
			continue
		}
		before := narrowed.selector()
		known := names(conditions, s.key)
		narrowed = narrowed.with(s)
		conditions = slices.DeleteFunc(slices.Clone(conditions), func(c Condition) bool { return !narrowed.selects(c) })
		if len(conditions) == 0 {
			return r.unknown(s, before, known)
		}
	}
	suites = slices.DeleteFunc(slices.Clone(suites),
		func(s SuiteScope) bool { return !slices.ContainsFunc(s.Conditions, narrowed.selects) })
	if err := r.validateTag(suites); err != nil {
		return err
	}
	if err := r.validateMetric(suites); err != nil {
		return err
	}
	if r.isUnderFault() && !r.TriggeredOnly && !slices.ContainsFunc(conditions, r.selects) {
		return r.errorAt(r.figure(), 0, r.Metric+" needs a condition with a fault, and none is selected")
	}
	return nil
}

func (r Rule) with(s selection) Rule {
	switch s.key {
	case "suite":
		r.Suite = s.value
	case "variant":
		r.Variant = s.value
	case "fault":
		r.Fault = s.value
	}
	return r
}

// unknown returns the error for an unknown value, with its position in the canonical rule.
func (r Rule) unknown(s selection, within string, known []string) error {
	list := strings.Join(known, ", ")
	if list == "" {
		list = "none"
	}
	if within != "" {
		within = " in " + within
	}
	return r.errorAt(s.key+"="+quoted(s.value), len(s.key)+1,
		fmt.Sprintf("unknown %s %q%s; known: %s", s.key, s.value, within, list))
}

// errorAt returns an error for the rule. Its position is behind bytes after the start of the last
// occurrence of written.
func (r Rule) errorAt(written string, behind int, problem string) error {
	text := r.String()
	return &SyntaxError{Rule: text, Offset: strings.LastIndex(text, written) + behind, Problem: problem}
}

func (r Rule) validateTag(suites []SuiteScope) error {
	if r.Tag == "" || slices.ContainsFunc(suites,
		func(s SuiteScope) bool { return s.Tags == nil || slices.Contains(s.Tags, r.Tag) }) {
		return nil
	}
	var known []string
	for _, s := range suites {
		known = append(known, s.Tags...)
	}
	slices.Sort(known)
	return r.errorAt("[tag="+quoted(r.Tag), len("[tag="),
		suggest.UnknownWordError("tag", r.Tag, slices.Compact(known)).Error())
}

func (r Rule) validateMetric(suites []SuiteScope) error {
	if r.Metric == "" || slices.ContainsFunc(suites, func(s SuiteScope) bool { return s.measures(r.Metric) }) {
		return nil
	}
	var known []string
	for _, s := range suites {
		known = append(known, s.metrics()...)
	}
	slices.Sort(known)
	problem := unknownMetric(r.Metric, slices.Compact(known))
	if slices.ContainsFunc(suites, func(s SuiteScope) bool { s.HasEpochs = true; return s.measures(r.Metric) }) {
		problem = r.Metric + " requires two epochs or more"
	} else if slices.ContainsFunc(suites,
		func(s SuiteScope) bool { s.IsFaultMatrix = true; return s.measures(r.Metric) }) {
		problem = r.Metric + ": only in a fault matrix: evalctl run faults, or --fault all"
	}
	return r.errorAt(r.figure(), strings.Index(r.figure(), quoted(r.Metric)), problem)
}

// unknownMetric returns the message for an unknown metric. It suggests the closest metric, else
// those of the same family, else the families.
func unknownMetric(name string, known []string) string {
	if near, ok := suggest.Closest(name, known); ok && !strings.Contains(near, metric.Wildcard) {
		return fmt.Sprintf("unknown metric %q, did you mean %q?", name, near)
	}
	for _, k := range known { // for accuracy and route.acc, suggest route.accuracy
		if k == "route."+name || strings.HasPrefix(k, "route.") && len(name) > len("route.") &&
			strings.HasPrefix(k, name) && !strings.Contains(k, metric.Wildcard) {
			return fmt.Sprintf("unknown metric %q, did you mean %q?", name, k)
		}
	}
	family, _, _ := strings.Cut(name, ".")
	var kin, families []string
	for _, k := range known {
		of, _, _ := strings.Cut(k, ".")
		families = append(families, of)
		if of == family {
			kin = append(kin, strings.ReplaceAll(k, metric.Wildcard, "NAME"))
		}
	}
	if kin != nil {
		return fmt.Sprintf("unknown metric %q; of this family there are: %s", name, strings.Join(kin, ", "))
	}
	return fmt.Sprintf("unknown metric %q; there are the families: %s", name,
		strings.Join(slices.Compact(families), ", "))
}

// names returns the different values of a selector key in the conditions, sorted.
func names(conditions []Condition, key string) []string {
	var list []string
	for _, c := range conditions {
		switch key {
		case "suite":
			list = append(list, c.Suite)
		case "variant":
			list = append(list, c.Variant)
		case "fault":
			list = append(list, faultOf(c.Fault))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

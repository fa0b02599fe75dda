package finding

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/metric"
)

// BaselineChanges returns a sentence on how the variants of a suite changed since an earlier run.
// list compares each variant with the earlier run, and fresh names the variants that are new.
// Variants with identical decisions come first, then changed ones, then new ones. It returns false
// if there are no variants.
func BaselineChanges(run string, list []compare.Comparison, fresh []string) (Sentence, bool) {
	out := Sentence{Kind: KindBaselineChange}
	out.add("Compared with ")
	out.addName(run)
	lead := ": "
	next := func() { out.add(lead); lead = "; " }
	for _, same := range unchangedGroups(list) {
		next()
		out.addVariants(same.variants...)
		out.add(verb(same.variants, " makes", " make") + " identical decisions in all " +
			metric.Plural(same.cases, "case"))
	}
	for _, c := range list {
		if c.Pairs[0].State != eval.Identical {
			next()
			out.addChange(c)
		}
	}
	if len(fresh) > 0 {
		next()
		out.addVariants(fresh...)
		out.add(verb(fresh, " is", " are") + " new")
	}
	out.add(".")
	return out, len(list)+len(fresh) > 0
}

// unchangedGroup contains variants that make the same decisions as in the baseline run, over the
// same number of cases.
type unchangedGroup struct {
	variants []string
	cases    int64
}

func unchangedGroups(list []compare.Comparison) (all []unchangedGroup) {
	for _, c := range list {
		v := c.Pairs[0]
		if v.State != eval.Identical {
			continue
		}
		at := slices.IndexFunc(all, func(u unchangedGroup) bool { return u.cases == v.Cases })
		if at < 0 {
			at, all = len(all), append(all, unchangedGroup{cases: v.Cases})
		}
		all[at].variants = append(all[at].variants, c.Candidates[v.Candidate].Variant)
	}
	return all
}

func verb(names []string, one, several string) string {
	if len(names) == 1 {
		return one
	}
	return several
}

// addChange describes how the accuracy of one variant changed, and in how many cases.
func (s *Sentence) addChange(c compare.Comparison) {
	v := c.Pairs[0]
	name := c.Candidates[v.Candidate].Variant
	if v.State == eval.InsufficientData || !metric.IsKnown(v.Accuracy.Value) {
		s.add("too few cases of ")
		s.addVariants(name)
		s.add(" are scored in both runs")
		return
	}
	s.addVariants(name)
	switch v.State {
	case eval.Better:
		s.add(" is better by " + unsignedPoints(*v.Accuracy.Value) + " points (")
	case eval.Worse:
		s.add(" is worse by " + unsignedPoints(-*v.Accuracy.Value) + " points (")
	default:
		s.add(": ")
		s.noDifference(v.Difference)
		s.add(" (")
	}
	fixed, broken := " fixed", " broken"
	if c.Epochs > 1 {
		fixed, broken = " right more often", " less often"
	}
	s.addCount(v.Fixed, fixed, CaseFilter{Variant: name, Change: newPassCases})
	s.add(", ")
	s.addCount(v.Broken, broken, CaseFilter{Variant: name, Change: newFailureCases})
	s.add(")")
}

func (s *Sentence) addCount(n int64, what string, cases CaseFilter) {
	s.add(metric.FormatInteger(n) + what)
	if n > 0 {
		s.linkCases(cases, 1)
	}
}

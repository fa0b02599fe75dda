package finding

import (
	"math"
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
	var same, changes []clause
	var cases []int64 // numbers of cases in which variants make identical decisions
	for _, c := range list {
		v := c.Pairs[0]
		if v.State != eval.Identical {
			changes = append(changes, change(c))
		} else if !slices.Contains(cases, v.Cases) {
			cases = append(cases, v.Cases)
		}
	}
	for _, n := range cases {
		var names []string
		for _, c := range list {
			if v := c.Pairs[0]; v.State == eval.Identical && v.Cases == n {
				names = append(names, c.Candidates[v.Candidate].Variant)
			}
		}
		same = append(same, fill("{variants} {variants:makes|make} identical decisions in all {cases}",
			values{"variants": variants(names...), "cases": metric.Plural(n, "case")}))
	}
	changes = append(same, changes...)
	if len(fresh) > 0 {
		changes = append(changes, fill("{variants} {variants:is|are} new", values{"variants": variants(fresh...)}))
	}
	text := rules[position(KindBaselineChange)].text
	v := values{"run": otherNames(run), "changes": join(changes, "; ")}
	return Sentence{KindBaselineChange, fill(text, v)}, len(changes) > 0
}

// change describes how the accuracy of one variant changed, and in how many cases.
func change(c compare.Comparison) clause {
	d := c.Pairs[0].Difference
	name := c.Candidates[c.Pairs[0].Candidate].Variant
	if d.State == eval.InsufficientData || !metric.IsKnown(d.Accuracy.Value) {
		return fill("too few cases of {variant} are scored in both runs", values{"variant": variants(name)})
	}
	fixed, broken := " fixed", " broken"
	if c.Epochs > 1 {
		fixed, broken = " right more often", " less often"
	}
	counted := func(n int64, what, change string) clause {
		text := toClause(metric.FormatInteger(n) + what)
		if n == 0 {
			return text
		}
		return linked(text, CaseFilter{Variant: name, Change: change})
	}
	v := values{
		"variant":      variants(name),
		"better":       unsignedPoints(*d.Accuracy.Value),
		"worse":        unsignedPoints(-*d.Accuracy.Value),
		"noDifference": noDifference(d),
		"fixed":        counted(d.Fixed, fixed, newPassCases),
		"broken":       counted(d.Broken, broken, newFailureCases),
	}
	switch d.State {
	case eval.Better:
		return fill("{variant} is better by {better} points ({fixed}, {broken})", v)
	case eval.Worse:
		return fill("{variant} is worse by {worse} points ({fixed}, {broken})", v)
	}
	return fill("{variant}: {noDifference} ({fixed}, {broken})", v)
}

// NoDifferenceSentence returns the sentence that a comparison found no significant difference
// overall. It adds the tags in which there is a significant difference.
func NoDifferenceSentence(d eval.Difference) Sentence {
	return Sentence{KindTagDifference, noDifference(d)}
}

func noDifference(d eval.Difference) clause {
	if len(d.SignificantTags) == 0 {
		return toClause("no significant difference")
	}
	return fill("no significant difference overall; {tags}", values{"tags": tags(d.SignificantTags)})
}

// OppositeTagsSentence returns a sentence on the tags whose difference has the opposite sign of the
// overall difference. It returns false if there are none.
func OppositeTagsSentence(d eval.Difference) (Sentence, bool) {
	var list []eval.TagDifference
	for _, t := range d.SignificantTags {
		if (d.State == eval.Better || d.State == eval.Worse) && t.State != d.State {
			list = append(list, t)
		}
	}
	return Sentence{KindTagDifference, tags(list)}, len(list) > 0
}

const maxTags = 3

func tags(list []eval.TagDifference) clause {
	var texts []clause
	for _, t := range list[:min(len(list), maxTags)] {
		v := values{
			"tag":      otherNames(t.Tag),
			"points":   unsignedPoints(math.Abs(*t.Accuracy.Value)),
			"interval": interval(t.Accuracy.Lo, t.Accuracy.Hi, metric.FormatPoints),
		}
		if t.State == eval.Worse {
			texts = append(texts, fill("{tag} is worse by {points} points[{interval}]", v))
		} else {
			texts = append(texts, fill("{tag} is better by {points} points[{interval}]", v))
		}
	}
	v := values{"tags": join(texts, ", ")}
	if n := int64(len(list) - maxTags); n > 0 {
		v["more"] = metric.Plural(n, "more tag")
	}
	return fill("{tags}< and {more}>", v)
}

// tagDifferences names variants that do not differ significantly from the baseline variant overall,
// but do in a tag.
func tagDifferences(s eval.SuiteSummary) values {
	first := BaselineVariant(s)
	var list []clause
	for _, c := range ConditionsWithoutFault(s) {
		d, ok := Difference(s, c.Variant, first)
		if !ok || c.Variant == first || d.State != eval.NotSignificant || len(d.SignificantTags) == 0 ||
			s.FailedInRun != "" {
			continue
		}
		list = append(list, fill("{variant} compared with {baseline}: {difference}", values{
			"variant":    variants(c.Variant),
			"baseline":   variants(first),
			"difference": noDifference(d),
		}))
	}
	if len(list) == 0 {
		return nil
	}
	return values{"comparisons": join(list, ". ")}
}

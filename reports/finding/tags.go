package finding

import (
	"math"

	"evalctl/eval"
	"evalctl/eval/metric"
)

const maxTags = 3

// NoDifferenceSentence returns the sentence that a comparison found no significant difference
// overall. It adds the tags in which there is a significant difference.
func NoDifferenceSentence(d eval.Difference) Sentence {
	out := Sentence{Kind: KindTagDifference}
	out.noDifference(d)
	return out
}

func (s *Sentence) noDifference(d eval.Difference) {
	if len(d.SignificantTags) == 0 {
		s.add("no significant difference")
		return
	}
	s.add("no significant difference overall; ")
	s.addTags(d.SignificantTags)
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
	out := Sentence{Kind: KindTagDifference}
	out.addTags(list)
	return out, len(list) > 0
}

func (s *Sentence) addTags(list []eval.TagDifference) {
	for i, t := range list[:min(len(list), maxTags)] {
		if i > 0 {
			s.add(", ")
		}
		s.addName(t.Tag)
		word := " is better by "
		if t.State == eval.Worse {
			word = " is worse by "
		}
		s.add(word + unsignedPoints(math.Abs(*t.Accuracy.Value)) + " points")
		if c := t.Accuracy; metric.IsKnown(c.Lo) && metric.IsKnown(c.Hi) {
			s.addDetail(" [" + metric.FormatPoints(*c.Lo) + ", " + metric.FormatPoints(*c.Hi) + "]")
		}
	}
	if more := int64(len(list) - maxTags); more > 0 {
		s.add(" and " + metric.Plural(more, "more tag"))
	}
}

// byTag returns the finding on variants that do not differ significantly from the baseline variant
// overall, but do in a tag.
func byTag(s suite) *Sentence {
	first := BaselineVariant(s.SuiteSummary)
	out := &Sentence{Kind: KindTagDifference}
	for _, c := range ConditionsWithoutFault(s.SuiteSummary) {
		d, ok := Difference(s.SuiteSummary, c.Variant, first)
		if !ok || c.Variant == first || d.State != eval.NotSignificant || len(d.SignificantTags) == 0 ||
			s.FailedInRun != "" {
			continue
		}
		if len(out.Parts) > 0 {
			out.add(". ")
		}
		out.addVariants(c.Variant)
		out.add(" compared with ")
		out.addVariants(first)
		out.add(": ")
		out.noDifference(d)
	}
	if len(out.Parts) == 0 {
		return nil
	}
	return out
}

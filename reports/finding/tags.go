package finding

import (
	"math"

	"evalctl/eval"
	"evalctl/eval/number"
)

// mostTags is the number of tags that a sentence names.
const mostTags = 3

// NoDifference says that a comparison found no significant difference, and in which tags
// it did find one. "; " separates what follows.
func NoDifference(d eval.Difference) Sentence {
	out := Sentence{Kind: Tags}
	out.noDifference(d)
	return out
}

func (s *Sentence) noDifference(d eval.Difference) {
	if len(d.SignificantTags) == 0 {
		s.say("no significant difference")
		return
	}
	s.say("no significant difference overall; ")
	s.inTags(d.SignificantTags)
}

// AgainstTags says in which tags a comparison has the opposite sign of the whole; false
// where there are none.
func AgainstTags(d eval.Difference) (Sentence, bool) {
	var list []eval.TagDifference
	for _, t := range d.SignificantTags {
		if (d.State == eval.Better || d.State == eval.Worse) && t.State != d.State {
			list = append(list, t)
		}
	}
	out := Sentence{Kind: Tags}
	out.inTags(list)
	return out, len(list) > 0
}

// inTags says by how much each tag is better or worse.
func (s *Sentence) inTags(list []eval.TagDifference) {
	for i, t := range list[:min(len(list), mostTags)] {
		if i > 0 {
			s.say(", ")
		}
		s.name(t.Tag)
		word := " is better by "
		if t.State == eval.Worse {
			word = " is worse by "
		}
		s.say(word + plain(math.Abs(*t.Accuracy.Value)) + " points")
		if c := t.Accuracy; number.IsKnown(c.Lo) && number.IsKnown(c.Hi) {
			s.aside(" [" + number.Points(*c.Lo) + ", " + number.Points(*c.Hi) + "]")
		}
	}
	if more := int64(len(list) - mostTags); more > 0 {
		s.say(" and " + number.Plural(more, "more tag"))
	}
}

// byTag says where a comparison with the first variant shows no significant difference
// overall, but a significant one in a tag.
func byTag(s suite) *Sentence {
	first := BaselineVariant(s.SuiteSummary)
	out := &Sentence{Kind: Tags}
	for _, c := range FaultFree(s.SuiteSummary) {
		d, ok := Difference(s.SuiteSummary, c.Name, first)
		if !ok || c.Name == first || d.State != eval.NotSignificant || len(d.SignificantTags) == 0 || s.FailedIn != "" {
			continue
		}
		if len(out.Parts) > 0 {
			out.say(". ")
		}
		out.variants(c.Name)
		out.say(" compared with ")
		out.variants(first)
		out.say(": ")
		out.noDifference(d)
	}
	if len(out.Parts) == 0 {
		return nil
	}
	return out
}

package finding

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/number"
)

// BaselineChanges says how a suite's variants differ from themselves in an earlier run: those that
// decide as before together, then the others one by one, then those that are new. In each
// comparison the first side is the earlier run's. false: there is nothing to say.
func BaselineChanges(run string, list []compare.Comparison, fresh []string) (Sentence, bool) {
	out := Sentence{Kind: BaselineChange}
	out.say("Compared with ")
	out.name(run)
	lead := ": "
	next := func() { out.say(lead); lead = "; " }
	for _, same := range alike(list) {
		next()
		out.variants(same.variants...)
		out.say(verb(same.variants, " makes", " make") + " identical decisions in all " + number.Plural(same.cases, "case"))
	}
	for _, c := range list {
		if c.Pairs[0].State != eval.Identical {
			next()
			out.since(c)
		}
	}
	if len(fresh) > 0 {
		next()
		out.variants(fresh...)
		out.say(verb(fresh, " is", " are") + " new")
	}
	out.say(".")
	return out, len(list)+len(fresh) > 0
}

// unchanged are variants that decide as before over so many cases.
type unchanged struct {
	variants []string
	cases    int64
}

func alike(list []compare.Comparison) (all []unchanged) {
	for _, c := range list {
		v := c.Pairs[0]
		if v.State != eval.Identical {
			continue
		}
		at := slices.IndexFunc(all, func(u unchanged) bool { return u.cases == v.Cases })
		if at < 0 {
			at, all = len(all), append(all, unchanged{cases: v.Cases})
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

// since says how one variant changed, and in which cases.
func (s *Sentence) since(c compare.Comparison) {
	v := c.Pairs[0]
	name := c.Candidates[v.Candidate].Variant
	if v.State == eval.InsufficientData || !number.IsKnown(v.Accuracy.Value) {
		s.say("too few cases of ")
		s.variants(name)
		s.say(" are scored in both runs")
		return
	}
	s.variants(name)
	switch v.State {
	case eval.Better:
		s.say(" is better by " + plain(*v.Accuracy.Value) + " points (")
	case eval.Worse:
		s.say(" is worse by " + plain(-*v.Accuracy.Value) + " points (")
	default:
		s.say(": ")
		s.noDifference(v.Difference)
		s.say(" (")
	}
	fixed, broken := " fixed", " broken"
	if c.Epochs > 1 {
		fixed, broken = " right more often", " less often"
	}
	s.count(v.Fixed, fixed, Cases{Variant: name, Change: fixedCases})
	s.say(", ")
	s.count(v.Broken, broken, Cases{Variant: name, Change: brokenCases})
	s.say(")")
}

// count says how many cases there are, and which if there are any.
func (s *Sentence) count(n int64, what string, cases Cases) {
	s.say(number.Thousands(n) + what)
	if n > 0 {
		s.of(cases, 1)
	}
}

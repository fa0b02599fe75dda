package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// opening says which trial it was and why it came out as it did: what was asked,
// what was expected and what came, each further judgement that failed, and the
// models' own answers behind the turn that was judged, which it returns where it has
// shown them.
func (tl *timeline) opening(r eval.Result) (judged int) {
	tl.statement(line{text: clean(fmt.Sprintf("%s · suite %s · variant %s · fault %s · epoch %d · %s",
		r.Case, r.Suite, r.Variant, cmp.Or(r.Fault, eval.NoFault), r.Epoch, number.Duration(r.Outcome.Duration)))})
	if r.Error != nil {
		tl.statement(line{mark: "✗", text: shorten(clean(fmt.Sprintf("no answer, %s error: %s", r.Error.Kind, r.Error.Message)), longText)})
	}
	judged = len(r.Outcome.Turns)
	if s, ok := r.Decision(); ok {
		judged = s.Turn
		if kind, none := r.IsInvalidLabel(); none && s.Actual == r.Predicted {
			s.Actual = noLabel + ": " + kind
		}
		tl.statement(verdict(s))
	} else if len(r.Expected) > 0 { // no more is known
		tl.statement(verdict(eval.Score{Name: eval.RouteScore, Expected: r.Expected, Actual: r.Predicted, Verdict: verdictOf(r.Correct)}))
	}
	for _, s := range r.Scores {
		if s.Name != eval.RouteScore && s.Verdict == eval.Fail && !isSaidBy(s, r.Scores) {
			tl.statement(verdict(s))
		}
	}
	tl.term("input", r.Text, longText)
	if len(r.Outcome.Turns) == 0 {
		tl.statement(line{text: cmp.Or(tl.untraced, "No turn ran.")})
	}
	if judged < 1 || judged > len(r.Outcome.Turns) {
		return 0
	}
	p := r.Outcome.Turns[judged-1]
	if len(p.Reply.Steps) > 1 { // its answers say little without its path, which the turn shows
		return 0
	}
	tl.answers(p)
	return judged
}

func verdictOf(correct *bool) eval.Verdict {
	if correct == nil {
		return eval.Unscored
	}
	return eval.PassIf(*correct)
}

// verdict says what a judgement wanted, what it got, and why that will not do.
func verdict(s eval.Score) line {
	var l line
	text := "expected " + cmp.Or(strings.Join(s.Expected, " or "), "nothing")
	switch s.Verdict {
	case eval.Unscored:
		text += ", not scored"
	case eval.Pass:
		l.mark, text = "✓", text+", got "+cmp.Or(s.Actual, "nothing")
	case eval.Fail:
		l.mark, text = "✗", text+", got "+cmp.Or(s.Actual, "nothing")
	}
	switch {
	case s.Name != eval.RouteScore && len(s.Expected) == 0:
		text = s.Name
	case s.Name != eval.RouteScore:
		text = s.Name + ": " + text
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	l.text = shorten(clean(text), longText)
	return l
}

// answers are what models said behind the decisions and the reviews of a turn,
// each beside the node that asked; of many, less of each.
func (tl *timeline) answers(p eval.TurnResult) {
	most := longText
	if len(p.Reply.Steps) > 1 {
		most = shortText
	}
	for _, e := range p.Events {
		if answer := e.Answer(); answer != "" {
			tl.term(shorten(clean(e.Node), termWidth-3), answer, most)
		}
	}
}

// isSaidBy tells a measure that says nothing beside another: what is not among the first
// five is none of the first, and what is not said in other words not in the same.
func isSaidBy(s eval.Score, all []eval.Score) bool {
	depths := eval.RecallDepths()
	deepest := eval.RecallAt(depths[len(depths)-1])
	fails := func(name string) bool {
		return slices.ContainsFunc(all, func(o eval.Score) bool { return o.Name == name && o.Verdict == eval.Fail })
	}
	switch s.Name {
	case eval.MRRScore, eval.RecallAt(depths[0]), eval.VerbatimScore:
		return true
	case eval.RecallScore:
		return fails(deepest)
	}
	return false
}

package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
)

// header adds the first lines of a trial's report: identifiers, error, verdict, failed checks and
// input. If the scored turn has at most one step, it also adds the model answers of this turn and
// returns its number. Otherwise it returns 0.
func (tl *trialLines) header(r eval.Result, noTrace string) (scoredTurn int) {
	tl.add(document.Line{Text: clean(fmt.Sprintf("%s · suite %s · variant %s · fault %s · epoch %d · %s",
		r.Case, r.Suite, r.Variant, cmp.Or(r.Fault, eval.NoFault), r.Epoch, metric.FormatDuration(r.Outcome.Duration)))})
	if r.Error != nil {
		tl.add(document.Line{Mark: "✗",
			Text: shorten(clean(fmt.Sprintf("no answer, %s error: %s", r.Error.Kind, r.Error.Message)), longText)})
	}
	scoredTurn = len(r.Outcome.Turns)
	if s, ok := r.Decision(); ok {
		scoredTurn = s.Turn
		if kind, none := r.InvalidLabelKind(); none && s.Actual == r.Predicted {
			s.Actual = noLabel + ": " + kind
		}
		tl.add(verdictLine(s))
	} else if len(r.Expected) > 0 { // without scores, the result still has the predicted route
		tl.add(verdictLine(eval.Score{
			Name:     eval.RouteScore,
			Expected: r.Expected,
			Actual:   r.Predicted,
			Verdict:  verdictOf(r.Correct),
		}))
	}
	for _, s := range r.Scores {
		if s.Name != eval.RouteScore && s.Verdict == eval.Fail && !isImplied(s, r.Scores) {
			tl.add(verdictLine(s))
		}
	}
	tl.term("input", r.Text, longText)
	if len(r.Outcome.Turns) == 0 {
		tl.add(document.Line{Text: cmp.Or(noTrace, "No turn ran.")})
	}
	if scoredTurn < 1 || scoredTurn > len(r.Outcome.Turns) {
		return 0
	}
	p := r.Outcome.Turns[scoredTurn-1]
	if len(p.Reply.Steps) > 1 { // the answers of a turn with several steps are shown later, next to the steps
		return 0
	}
	tl.modelAnswers(p)
	return scoredTurn
}

func verdictOf(correct *bool) eval.Verdict {
	if correct == nil {
		return eval.Unscored
	}
	return eval.PassIf(*correct)
}

// verdictLine formats a score as "expected A, got B", with the reason if there is one.
func verdictLine(s eval.Score) document.Line {
	var l document.Line
	text := "expected " + cmp.Or(strings.Join(s.Expected, " or "), "nothing")
	switch s.Verdict {
	case eval.Unscored:
		text += ", not scored"
	case eval.Pass:
		l.Mark, text = "✓", text+", got "+cmp.Or(s.Actual, "nothing")
	case eval.Fail:
		l.Mark, text = "✗", text+", got "+cmp.Or(s.Actual, "nothing")
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
	l.Text = shorten(clean(text), longText)
	return l
}

// modelAnswers adds the text that each model returned in a turn, labeled with the node that
// called it. Turns with several steps get shorter excerpts.
func (tl *trialLines) modelAnswers(p eval.TurnResult) {
	maxColumns := longText
	if len(p.Reply.Steps) > 1 {
		maxColumns = shortText
	}
	for _, e := range p.Events {
		if answer := e.RawAnswer(); answer != "" {
			tl.term(shorten(clean(e.Node), termWidth-3), answer, maxColumns)
		}
	}
}

// isImplied reports whether a failed score can be omitted because another failed score already
// implies it. For example, an item that is not among the first five results cannot be the first
// result.
func isImplied(s eval.Score, all []eval.Score) bool {
	depths := eval.RecallDepths()
	deepest := eval.RecallScoreAt(depths[len(depths)-1])
	fails := func(name string) bool {
		return slices.ContainsFunc(all, func(o eval.Score) bool { return o.Name == name && o.Verdict == eval.Fail })
	}
	switch s.Name {
	case eval.MRRScore, eval.RecallScoreAt(depths[0]), eval.VerbatimScore:
		return true
	case eval.RecallScore:
		return fails(deepest)
	}
	return false
}

package scorer

import (
	"context"
	"fmt"
	"strings"

	"evalctl/eval"
)

// Facts scores how many of a case's facts an answer states, according to its Judge. Turns without
// facts do not count. For several turns the score is the mean of those that count.
type Facts struct {
	Name  string // of the score
	Field string // field of the expectation with the facts
	Judge FactJudge
}

var _ eval.Scorer = Facts{}

// FactJudge reports for each fact, given in one or more wordings, whether a turn's answer states
// it; nil: unknown.
type FactJudge interface {
	Stated(p eval.TurnResult, facts []eval.OneOf) []bool
}

// Score has the share of stated facts as its value and passes if all are stated. Turn, Reason and
// Expected are of the first turn that lacks a fact, else of the last. The case is unscored if a
// turn did not run, failed or ended in an error reply, or if the Judge returned nil.
func (s Facts) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var all []eval.StatedFacts
	score, err := meanOfTurns(s.Name, c, func(i int) (eval.Score, bool, error) {
		facts, err := c.Turns[i].Facts(s.Field)
		if err != nil {
			return eval.Score{}, false, fmt.Errorf("expect.%s: %w", s.Field, err)
		}
		if len(facts) == 0 {
			return eval.Score{}, false, nil
		}
		var stated []bool
		if isAnswered(i, o) {
			stated = s.Judge.Stated(o.Turns[i], facts)
		}
		if stated != nil {
			all = append(all, eval.StatedFacts{Turn: i + 1, Facts: stated})
		}
		return shareOf(s.Name, i+1, facts, stated), true, nil
	})
	score.Facts = all
	return score, err
}

// isAnswered reports whether turn i (from 0) has an answer other than an error reply.
func isAnswered(i int, o eval.Outcome) bool {
	return i < len(o.Turns) && !o.Turns[i].Error && o.Turns[i].Reply.ErrorReply == nil
}

// shareOf returns the share of facts stated in a turn (from 1), and names the others.
func shareOf(name string, turn int, facts []eval.OneOf, stated []bool) eval.Score {
	score := aspect(name, turn, eval.Unscored)
	var all, lacks []string
	for i, f := range facts {
		all = append(all, f.Primary())
		if len(stated) == len(facts) && !stated[i] {
			lacks = append(lacks, f.Primary())
		}
	}
	score.Expected = eval.OneOf{strings.Join(all, ", ")}
	if len(stated) != len(facts) {
		return score
	}
	n := len(facts) - len(lacks)
	score.Verdict, score.Value = eval.PassIf(lacks == nil), float64(n)/float64(len(facts))
	score.Actual = fmt.Sprintf("%d of %d", n, len(facts))
	if lacks != nil {
		score.Reason = "without " + strings.Join(lacks, ", ")
	}
	return score
}

// EquivalentMatch compares words and numbers independent of their notation. It ignores width, case,
// spaces and punctuation, and the notation of thousands, percent, powers of ten, 万 and 亿. A figure
// must be the same number with the same sign, and not part of another figure or name.
type EquivalentMatch struct{}

// Stated implements FactJudge.
func (EquivalentMatch) Stated(p eval.TurnResult, facts []eval.OneOf) []bool {
	return statedFacts(p.Reply.Content, facts)
}

// ExactMatch requires the exact text of a fact in the answer, in addition to [EquivalentMatch]: 120
// does not state 12.
type ExactMatch struct{}

// Stated implements FactJudge.
func (ExactMatch) Stated(p eval.TurnResult, facts []eval.OneOf) []bool {
	textWording := wordingOf(p.Reply.Content)
	return eachOf(facts, func(fact string) bool {
		return strings.Contains(p.Reply.Content, fact) && states(textWording, p.Reply.Content, fact)
	})
}

// ModelGraded uses the judgment of the turn's grader.
type ModelGraded struct{}

// Stated implements FactJudge.
func (ModelGraded) Stated(p eval.TurnResult, _ []eval.OneOf) []bool {
	if p.FactGrading == nil {
		return nil
	}
	return p.FactGrading.Stated
}

func statedFacts(text string, facts []eval.OneOf) []bool {
	textWording := wordingOf(text)
	return eachOf(facts, func(fact string) bool { return states(textWording, text, fact) })
}

// states reports whether a text states a fact; textWording is the text's wording. A fact without
// words and figures must occur unchanged.
func states(textWording wording, text, fact string) bool {
	if of := wordingOf(fact); of.form != "" {
		return textWording.has(of)
	}
	return strings.Contains(text, fact)
}

// eachOf reports for each fact whether is holds for any of its wordings.
func eachOf(facts []eval.OneOf, is func(fact string) bool) []bool {
	list := make([]bool, len(facts))
	for i, ways := range facts {
		for _, one := range ways {
			list[i] = list[i] || is(one)
		}
	}
	return list
}

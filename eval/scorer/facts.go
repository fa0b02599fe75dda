package scorer

import (
	"context"
	"fmt"
	"strings"

	"evalctl/eval"
)

// Facts scores the share of a case's facts that the answer states. Judge decides whether a fact is
// stated. For a conversation, the score is the mean over the turns that have facts.
type Facts struct {
	Name  string    // name of the score
	Field string    // field of the case's expect object that lists the facts
	Judge FactJudge // decides which facts an answer states
}

var _ eval.Scorer = Facts{}

// FactJudge decides for each fact whether the answer of a turn states it. A fact is given as a list
// of accepted wordings. Stated returns nil if it cannot decide.
type FactJudge interface {
	Stated(p eval.TurnResult, facts []eval.OneOf) []bool
}

// Score returns the share of stated facts and passes if all are stated. Its details are those of
// the first turn that lacks a fact, or else of the last turn. The case is unscored if a turn did
// not run, failed or ended in an error reply, or if Judge cannot decide.
func (s Facts) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var all []eval.TurnFacts
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
			all = append(all, eval.TurnFacts{Turn: i + 1, Stated: stated})
		}
		return shareOf(s.Name, i+1, facts, stated), true, nil
	})
	score.FactsInAnswers = all
	return score, err
}

// isAnswered reports whether turn i, from 0, has an answer that is not an error reply.
func isAnswered(i int, o eval.Outcome) bool {
	return i < len(o.Turns) && !o.Turns[i].HasError && o.Turns[i].Reply.ErrorReply == nil
}

// shareOf returns a score with the share of facts that a turn states. Its reason names the facts
// that are missing. turn counts from 1.
func shareOf(name string, turn int, facts []eval.OneOf, stated []bool) eval.Score {
	score := attributeScore(name, turn, eval.Unscored)
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

// NormalizedMatch is a FactJudge that compares words and numbers in normalized form. It ignores
// case, width, spaces and punctuation. It also ignores how a number is written: in words, with
// thousands separators, percent, powers of ten, 万 and 亿. Units and currencies may have another
// spelling: €340 is 340 euros, 5 km are 5,000 m, and an hour and a half is 90 minutes. So may shares: half is 50%, one
// third is 33%, and 52口井中有14口 is 14 of the 52. A number must be equal, with its sign, and not
// be part of another number or name. A fact that the answer denies is not stated: "not 0.84 but
// 0.61" states only 0.61.
type NormalizedMatch struct{}

// Stated reports for each fact whether the answer contains it in normalized form.
func (NormalizedMatch) Stated(p eval.TurnResult, facts []eval.OneOf) []bool {
	return statedFacts(p.Reply.Content, facts)
}

// ExactMatch is a FactJudge that requires a fact in exactly its wording, not as part of another
// word or number. 120 does not state 12.
type ExactMatch struct{}

// Stated reports for each fact whether the answer contains it word for word.
func (ExactMatch) Stated(p eval.TurnResult, facts []eval.OneOf) []bool {
	textWording := wordingOf(p.Reply.Content)
	return eachOf(facts, func(fact string) bool {
		return strings.Contains(p.Reply.Content, fact) && states(textWording, p.Reply.Content, fact)
	})
}

// ModelGraded is a FactJudge that uses the judgment of a model, which has graded the answer after
// the turn.
type ModelGraded struct{}

// Stated returns the model's judgment, or nil if the model has not graded the answer.
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

// states reports whether a text states a fact. textWording is the normalized text. A fact without
// words and numbers must occur unchanged.
func states(textWording wording, text, fact string) bool {
	of := wordingOf(fact)
	switch {
	case of.form == "":
		return strings.Contains(text, fact)
	case textWording.has(of):
		return true
	}
	if factInBase, isAmount := of.inBaseUnits(); isAmount {
		if textInBase, _ := textWording.inBaseUnits(); textInBase.has(factInBase) {
			return true
		}
	}
	return textWording.statesShare(of, fact)
}

// eachOf reports for each fact whether statesWording returns true for at least one of its wordings.
func eachOf(facts []eval.OneOf, statesWording func(fact string) bool) []bool {
	list := make([]bool, len(facts))
	for i, ways := range facts {
		for _, one := range ways {
			list[i] = list[i] || statesWording(one)
		}
	}
	return list
}

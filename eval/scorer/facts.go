package scorer

import (
	"context"
	"fmt"
	"strings"

	"evalctl/eval"
)

// Facts judges how many of the facts that the case lists an answer states, by whatever
// its Judge takes for stating. Turns that list none do not count. Of a case of several
// turns it is the mean of those that count.
type Facts struct {
	Name  string // of the score
	Field string // of the expectation that lists the facts
	Judge FactJudge
}

var _ eval.Scorer = Facts{}

// FactJudge tells of facts, each worded in one or more ways, which of them a turn's
// answer states; nil: it could not tell.
type FactJudge interface {
	Stated(p eval.TurnResult, facts []eval.OneOf) []bool
}

// Score has the share of the facts as its value, and passes where it is all of them;
// Turn, Reason and Want are of the first turn in which it is not, else of the last.
// Turns that were not played, failed or ended in an apology, or of which the Judge
// could not tell, leave the case unjudged.
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

// isAnswered tells a turn, from 0, that has an answer, and no apology.
func isAnswered(i int, o eval.Outcome) bool {
	return i < len(o.Turns) && !o.Turns[i].Error && o.Turns[i].Reply.ErrorReply == nil
}

// shareOf is how much of the facts of a turn, from 1, is stated, and names the others.
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

// EquivalentMatch takes for stated what an answer says in other letters, too: see [Facts.Judge]
// and, for what is alike, the wording that both are brought into. Width, case, spaces and
// punctuation do not matter, nor how thousands, percent, powers of ten, 万 and 亿 are
// written; a figure must be the same number, with its sign, and no part of another or of
// a name.
type EquivalentMatch struct{}

// Stated is part of FactJudge.
func (EquivalentMatch) Stated(p eval.TurnResult, facts []eval.OneOf) []bool {
	return covered(p.Reply.Content, facts)
}

// ExactMatch takes for stated what an answer says letter by letter, and Covering takes for
// stated besides: 12 is not stated by 120.
type ExactMatch struct{}

// Stated is part of FactJudge.
func (ExactMatch) Stated(p eval.TurnResult, facts []eval.OneOf) []bool {
	said := wordingOf(p.Reply.Content)
	return eachOf(facts, func(fact string) bool {
		return strings.Contains(p.Reply.Content, fact) && states(said, p.Reply.Content, fact)
	})
}

// ModelGraded takes for stated what the turn's grader did.
type ModelGraded struct{}

// Stated is part of FactJudge.
func (ModelGraded) Stated(p eval.TurnResult, _ []eval.OneOf) []bool {
	if p.FactGrading == nil {
		return nil
	}
	return p.FactGrading.Stated
}

func covered(text string, facts []eval.OneOf) []bool {
	said := wordingOf(text)
	return eachOf(facts, func(fact string) bool { return states(said, text, fact) })
}

// states tells whether a text, as it is worded, states a fact; one without a word or a
// figure must stand there as it is.
func states(said wording, text, fact string) bool {
	if of := wordingOf(fact); of.form != "" {
		return said.has(of)
	}
	return strings.Contains(text, fact)
}

// eachOf asks of each fact whether it is so in any of its wordings.
func eachOf(facts []eval.OneOf, is func(fact string) bool) []bool {
	list := make([]bool, len(facts))
	for i, ways := range facts {
		for _, one := range ways {
			list[i] = list[i] || is(one)
		}
	}
	return list
}

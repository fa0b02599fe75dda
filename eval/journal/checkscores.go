package journal

import (
	"fmt"

	"evalctl/eval"
)

func checkEpoch(r eval.Result) error {
	return namedNumber{"epoch", float64(r.Epoch)}.within(eval.MaxEpochs)
}

func checkCosts(r eval.Result) error {
	list := []namedNumber{cost("cost", r.Cost)}
	for _, l := range r.LoopRounds {
		list = append(list, cost("loops.cost", l.Cost))
		if l.SecondJudgment != nil {
			list = append(list, cost("loops.second_judgment.cost", l.SecondJudgment.Cost))
		}
	}
	if r.Grading != nil {
		list = append(list, cost("grading.cost", r.Grading.Cost))
	}
	for _, f := range list {
		if err := f.within(eval.MaxCost); err != nil {
			return err
		}
	}
	return nil
}

func cost(name string, usd *float64) namedNumber {
	if usd == nil {
		return namedNumber{name, 0}
	}
	return namedNumber{name, *usd}
}

// Limits of the names in a result, because every name creates its own metrics in each condition.
const (
	MaxScores = 256 // maximum number of scores in a result, and of different score names in a run
	maxName   = 200 // maximum length of the name of a score in bytes
)

// checkScores returns an error for invalid scores, such as an unknown verdict or a duplicate name.
func checkScores(r eval.Result) error {
	if len(r.Scores) > MaxScores {
		return fmt.Errorf("has %d scores, which is invalid: expected at most %d", len(r.Scores), MaxScores)
	}
	for _, n := range r.Nodes {
		if len(n.Node) > eval.MaxNodeName {
			return fmt.Errorf("nodes: the name %.60q… has %d bytes, more than %d", n.Node, len(n.Node), eval.MaxNodeName)
		}
	}
	seen := map[string]struct{}{}
	for _, s := range r.Scores {
		if _, again := seen[s.Name]; again {
			return fmt.Errorf("scores: %.60q is there twice", s.Name)
		}
		seen[s.Name] = struct{}{}
		if len(s.Name) > maxName {
			return fmt.Errorf("scores: the name %.60q… has %d bytes, more than %d", s.Name, len(s.Name), maxName)
		}
		switch s.Verdict {
		case eval.Pass, eval.Fail, eval.Unscored:
		default:
			return fmt.Errorf("scores.verdict is %.60q, which is invalid: expected %s, %s or none", string(s.Verdict),
				eval.Pass, eval.Fail)
		}
		if s.Turn < 0 || s.Turn > len(r.Turns) {
			return fmt.Errorf("scores.turn is %d, where there are %d turns", s.Turn, len(r.Turns))
		}
		if err := (namedNumber{"scores.value", s.Value}).within(1); err != nil {
			return err
		}
	}
	return checkLoops(r)
}

func checkLoops(r eval.Result) error {
	for _, l := range r.LoopRounds {
		list := []namedNumber{{"loops.score", l.Score}}
		if l.SecondJudgment != nil && l.SecondJudgment.Score != nil {
			list = append(list, namedNumber{"loops.score", *l.SecondJudgment.Score})
		}
		for _, f := range list {
			if err := f.within(1); err != nil {
				return err
			}
		}
	}
	return nil
}

package compare

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// tally counts the results of one case in one condition, over its epochs: a conversation as a
// whole, and its labels turn by turn.
type tally struct {
	id                     string
	right, scored, labeled int64
	turns                  int64                // labeled turns, scored or not
	rows                   []stats.Row          // scored turns
	labels                 map[epochTurn]string // predicted labels
}

// epochTurn is the place of a decision.
type epochTurn struct{ epoch, turn int }

func tallyOf(rows []eval.Result) tally {
	t := tally{labels: map[epochTurn]string{}}
	for _, r := range rows {
		t.id = r.Case
		d, ok := r.Decision()
		if !ok {
			continue
		}
		t.count(d.Verdict)
		for _, j := range r.Decisions() {
			t.add(r.Epoch, j)
		}
	}
	return t
}

// turnsOf counts only the turns selected by keep, each separately.
func turnsOf(rows []eval.Result, keep func(eval.TurnScore) bool) tally {
	t := tally{labels: map[epochTurn]string{}}
	for _, r := range rows {
		t.id = r.Case
		for _, j := range r.Decisions() {
			if keep(j) {
				t.count(j.Verdict)
				t.add(r.Epoch, j)
			}
		}
	}
	return t
}

func (t *tally) count(v eval.Verdict) {
	t.labeled++
	if v != eval.Unscored {
		t.scored++
	}
	if v == eval.Pass {
		t.right++
	}
}

func (t *tally) add(epoch int, j eval.TurnScore) {
	t.turns++
	if j.Verdict == eval.Unscored {
		return
	}
	t.labels[epochTurn{epoch: epoch, turn: j.Turn}] = j.Actual
	t.rows = append(t.rows, stats.Row{
		Gold:      j.Expected.Primary(),
		Predicted: j.Actual,
		Right:     j.Verdict == eval.Pass,
		N:         1,
	})
}

// compareShare compares how often a case is right with other: -1, 0 or 1.
func (t tally) compareShare(other tally) int {
	switch a, b := t.right*other.scored, other.right*t.scored; {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// labeledTurns returns the labeled turns of a case, from its first epoch that has any.
func labeledTurns(rows []eval.Result) []eval.TurnScore {
	for _, r := range rows {
		if list := r.Decisions(); len(list) > 0 {
			return list
		}
	}
	return nil
}

// differs reports whether another label was predicted in an epoch that is scored on both sides, or
// one side is right more often.
func (t tally) differs(other tally) bool {
	for epoch, label := range t.labels {
		if got, both := other.labels[epoch]; both && got != label {
			return true
		}
	}
	return t.compareShare(other) != 0
}

// share is the share of right decisions.
func (t tally) share() float64 { return float64(t.right) / float64(t.scored) }

// caseText returns the text and the expected labels of a case, as far as its results contain them.
func caseText(rows []eval.Result) (text string, want eval.OneOf) {
	for _, r := range rows {
		text = cmp.Or(text, r.Text)
		if d, ok := r.Decision(); ok && want == nil {
			want = d.Expected
		}
	}
	return text, want
}

// turnText returns the text and the expected labels of one turn, as far as a result contains them.
func turnText(turn int, rows []eval.Result) (text string, want eval.OneOf) {
	for _, r := range rows {
		d, _ := r.Decision()
		if d.Turn == turn {
			text = cmp.Or(text, r.Text)
		}
		for _, j := range r.Decisions() {
			if j.Turn == turn {
				want = j.Expected
			}
		}
	}
	return text, want
}

// coverage counts how many decisions are scored.
type coverage struct{ labeled, scored int64 }

func (c *coverage) add(t tally) {
	c.labeled += t.labeled
	c.scored += t.scored
}

// isMostlyUnscored reports whether more than half is unscored.
func (c coverage) isMostlyUnscored() bool { return c.scored == 0 || 2*(c.labeled-c.scored) > c.labeled }

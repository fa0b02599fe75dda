package compare

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// tally counts the results of one case in one condition, over all epochs. right, scored and labeled
// count whole conversations; the other fields count single turns.
type tally struct {
	id                     string
	right, scored, labeled int64
	turns                  int64                // number of labeled turns, scored or not
	rows                   []stats.ConfusionRow // one entry for each scored turn
	labels                 map[epochTurn]string // predicted label of each scored turn
}

// epochTurn identifies one decision of a case by its epoch and turn.
type epochTurn struct{ epoch, turn int }

func tallyCases(rows []eval.Result) tally {
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

// tallyTurns counts the turns for which keep returns true. Each turn counts on its own, even in a
// conversation.
func tallyTurns(rows []eval.Result, keep func(eval.TurnScore) bool) tally {
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
	t.rows = append(t.rows, stats.ConfusionRow{
		Gold:      j.Expected.Primary(),
		Predicted: j.Actual,
		Correct:   j.Verdict == eval.Pass,
		Trials:    1,
	})
}

// compareShare compares the share of correct epochs with that of another tally. It returns 1 if it
// is higher, -1 if it is lower, else 0.
func (t tally) compareShare(other tally) int {
	switch a, b := t.right*other.scored, other.right*t.scored; {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// labeledTurns returns the labeled turns of a case, from the first epoch with a decision score.
func labeledTurns(rows []eval.Result) []eval.TurnScore {
	for _, r := range rows {
		if list := r.Decisions(); len(list) > 0 {
			return list
		}
	}
	return nil
}

// differs reports whether the two sides predicted different labels in an epoch that both scored, or
// whether one side is correct more often.
func (t tally) differs(other tally) bool {
	for epoch, label := range t.labels {
		if got, both := other.labels[epoch]; both && got != label {
			return true
		}
	}
	return t.compareShare(other) != 0
}

func (t tally) share() float64 { return float64(t.right) / float64(t.scored) }

// caseText returns the message and the expected labels of a case, if a result contains them.
func caseText(rows []eval.Result) (text string, want eval.OneOf) {
	for _, r := range rows {
		text = cmp.Or(text, r.Text)
		if d, ok := r.Decision(); ok && want == nil {
			want = d.Expected
		}
	}
	return text, want
}

// turnText returns the message and the expected labels of one turn, if a result contains them.
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

// coverage counts how many of the labeled trials are scored.
type coverage struct{ labeled, scored int64 }

func (c *coverage) add(t tally) {
	c.labeled += t.labeled
	c.scored += t.scored
}

// isMostlyUnscored reports whether more than half of the labeled trials are unscored.
func (c coverage) isMostlyUnscored() bool { return c.scored == 0 || 2*(c.labeled-c.scored) > c.labeled }

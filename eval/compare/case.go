package compare

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// tally is what one case came to in one cell, over its epochs: of a conversation
// as a whole, and its labels turn by turn.
type tally struct {
	id                     string
	right, judged, labeled int64
	turns                  int64         // that have a label, judged or not
	rows                   []stats.Row   // of judged turns
	labels                 map[at]string // that were predicted
}

// at is where a decision was made.
type at struct{ epoch, turn int }

func tallyOf(rows []eval.Result) tally {
	t := tally{labels: map[at]string{}}
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

// turnsOf tallies only the turns that are kept, each for itself.
func turnsOf(rows []eval.Result, keep func(eval.TurnScore) bool) tally {
	t := tally{labels: map[at]string{}}
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
		t.judged++
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
	t.labels[at{epoch: epoch, turn: j.Turn}] = j.Actual
	t.rows = append(t.rows, stats.Row{Gold: j.Expected.Primary(), Predicted: j.Actual, Right: j.Verdict == eval.Pass, N: 1})
}

// above is whether a case is more often right than in other: -1, 0 or 1.
func (t tally) above(other tally) int {
	switch a, b := t.right*other.judged, other.right*t.judged; {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// labeledTurns are those of a case, as its first judged or lost epoch has them.
func labeledTurns(rows []eval.Result) []eval.TurnScore {
	for _, r := range rows {
		if list := r.Decisions(); len(list) > 0 {
			return list
		}
	}
	return nil
}

// differs tells that other labels were predicted in an epoch that both judged, or
// where they have none in common, that one is more often right.
func (t tally) differs(other tally) bool {
	for epoch, label := range t.labels {
		if got, both := other.labels[epoch]; both && got != label {
			return true
		}
	}
	return t.above(other) != 0
}

// share is how much of what was judged is right.
func (t tally) share() float64 { return float64(t.right) / float64(t.judged) }

// asked is what a case asks and wants, as far as its results tell.
func asked(rows []eval.Result) (text string, want eval.OneOf) {
	for _, r := range rows {
		text = cmp.Or(text, r.Text)
		if d, ok := r.Decision(); ok && want == nil {
			want = d.Expected
		}
	}
	return text, want
}

// askedIn is what one turn asks, as far as a row speaks of it, and wants.
func askedIn(turn int, rows []eval.Result) (text string, want eval.OneOf) {
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

// coverage is how much of what could be judged was.
type coverage struct{ labeled, judged int64 }

func (c *coverage) add(t tally) {
	c.labeled += t.labeled
	c.judged += t.judged
}

// poor tells that of more than half nothing is known.
func (c coverage) poor() bool { return c.judged == 0 || 2*(c.labeled-c.judged) > c.labeled }

package compare

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// tally is what one case came to in one cell, over its epochs.
type tally struct {
	id                      string
	right, judged, labelled int64
	rows                    []stats.Row    // of judged decisions
	labels                  map[int]string // that were predicted, by epoch
}

func tallyOf(rows []eval.Result) tally {
	t := tally{labels: map[int]string{}}
	for _, r := range rows {
		t.id = r.Case
		d, ok := r.Decision()
		if !ok {
			continue
		}
		t.labelled++
		if d.Verdict == eval.Unjudged {
			continue
		}
		t.judged++
		right := d.Verdict == eval.Pass
		if right {
			t.right++
		}
		t.labels[r.Epoch] = d.Got
		t.rows = append(t.rows, stats.Row{Gold: d.Want.Primary(), Predicted: d.Got, Right: right, N: 1})
	}
	return t
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

// asked is what a case asks and wants, as far as its results tell.
func asked(rows []eval.Result) (text string, want eval.OneOf) {
	for _, r := range rows {
		text = cmp.Or(text, r.Text)
		if d, ok := r.Decision(); ok && want == nil {
			want = d.Want
		}
	}
	return text, want
}

// coverage is how much of what could be judged was.
type coverage struct{ labelled, judged int64 }

func (c *coverage) add(t tally) {
	c.labelled += t.labelled
	c.judged += t.judged
}

// poor tells that of more than half nothing is known.
func (c coverage) poor() bool { return c.judged == 0 || 2*(c.labelled-c.judged) > c.labelled }

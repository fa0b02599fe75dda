package stats

import (
	"cmp"
	"maps"
	"slices"
)

// Fraction is Num out of Den, kept apart so that a report can print the denominator.
type Fraction struct{ Num, Den int64 }

// Value is Num/Den; ok is false when Den is 0: nothing was measured.
func (r Fraction) Value() (v float64, ok bool) {
	if r.Den == 0 {
		return 0, false
	}
	return float64(r.Num) / float64(r.Den), true
}

// LabelCounts is how one label fared against all others.
type LabelCounts struct {
	Label     string
	Support   int64    // rows that expect the label
	Precision Fraction // true positives of all predicted as the label
	Recall    Fraction // true positives of Support
	F1        Fraction // 2·tp of 2·tp + fp + fn (van Rijsbergen 1979, Sørensen–Dice)
}

// ConfusedPair is a cell of the matrix.
type ConfusedPair struct {
	Expected, Predicted string
	N                   int64
}

// Confusion counts rows by expected and predicted label. Labels need not be known in
// advance; memory grows with the pairs that occur, not with the rows. The zero value
// is an empty matrix.
type Confusion struct {
	cells map[[2]string]int64
}

// Add counts n rows that expected one label and got another, or the same; n < 1 does
// nothing. The empty string is a label like any other.
func (c *Confusion) Add(expected, predicted string, n int64) {
	if n < 1 {
		return
	}
	if c.cells == nil {
		c.cells = make(map[[2]string]int64)
	}
	c.cells[[2]string{expected, predicted}] += n
}

// Count is the number of rows with this pair.
func (c *Confusion) Count(expected, predicted string) int64 {
	return c.cells[[2]string{expected, predicted}]
}

// Labels lists the labels that were expected or predicted, sorted.
func (c *Confusion) Labels() []string {
	seen := make(map[string]struct{})
	for pair := range c.cells {
		seen[pair[0]], seen[pair[1]] = struct{}{}, struct{}{}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Classes returns the figures of every label of [Confusion.Labels], in that order. A
// ratio without a denominator, such as the precision of a label that was never
// predicted, is unmeasured and not 0.
func (c *Confusion) Classes() []LabelCounts {
	type tally struct{ hits, expected, predicted int64 }
	tallies := make(map[string]tally)
	for pair, n := range c.cells {
		t := tallies[pair[0]]
		t.expected += n
		if pair[0] == pair[1] {
			t.hits += n
		}
		tallies[pair[0]] = t
		t = tallies[pair[1]]
		t.predicted += n
		tallies[pair[1]] = t
	}
	classes := make([]LabelCounts, 0, len(tallies))
	for _, label := range slices.Sorted(maps.Keys(tallies)) {
		t := tallies[label]
		classes = append(classes, LabelCounts{
			Label:     label,
			Support:   t.expected,
			Precision: Fraction{t.hits, t.predicted},
			Recall:    Fraction{t.hits, t.expected},
			F1:        Fraction{2 * t.hits, t.expected + t.predicted},
		})
	}
	return classes
}

// MacroF1 is the unweighted mean of F1 over all labels that were expected or
// predicted, as scikit-learn's f1_score(average="macro", zero_division=0) computes it
// over the union of the labels in y_true and y_pred: a label that was only ever
// predicted, or never hit, counts as 0. ok is false when there are no rows.
//
// Source: scikit-learn, sklearn.metrics.precision_recall_fscore_support (labels=None:
// «all labels in y_true and y_pred are used in sorted order»); F1 = 2·tp/(2·tp+fp+fn).
func (c *Confusion) MacroF1() (v float64, ok bool) {
	classes := c.Classes()
	if len(classes) == 0 {
		return 0, false
	}
	sum := 0.0
	for _, class := range classes {
		f1, _ := class.F1.Value() // a label that occurs has a denominator
		sum += f1
	}
	return sum / float64(len(classes)), true
}

// Confused lists the pairs that were not predicted as expected, most frequent first,
// equals by label.
func (c *Confusion) Confused() []ConfusedPair {
	var pairs []ConfusedPair
	for pair, n := range c.cells {
		if pair[0] != pair[1] {
			pairs = append(pairs, ConfusedPair{Expected: pair[0], Predicted: pair[1], N: n})
		}
	}
	slices.SortFunc(pairs, func(a, b ConfusedPair) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Predicted, b.Predicted))
	})
	return pairs
}

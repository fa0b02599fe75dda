package stats

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// cell is the number of a case's trials with one pair of expected and predicted label.
type cell struct {
	pair
	n int64
}

// merge sorts cells by pair of labels and sums those of the same pair.
func merge(cells []cell) []cell {
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.gold, b.gold), cmp.Compare(a.predicted, b.predicted))
	})
	kept := cells[:0]
	for _, c := range cells {
		if last := len(kept) - 1; last >= 0 && kept[last].pair == c.pair {
			kept[last].n += c.n
			continue
		}
		kept = append(kept, c)
	}
	return kept
}

// signature encodes the merged cells of a case as a map key. Cases with the same signature have
// equal results.
func signature(cells []cell) string {
	text := make([]byte, 0, 16)
	for _, c := range cells {
		text = binary.AppendUvarint(text, uint64(c.gold))
		text = binary.AppendUvarint(text, uint64(c.predicted))
		text = binary.AppendUvarint(text, uint64(c.n))
	}
	return string(text)
}

// decodeCells decodes the counts that a signature contains. It reuses the memory of the slice cells.
func decodeCells(signature string, cells []cell) []cell {
	rest := []byte(signature)
	next := func() uint64 {
		v, n := binary.Uvarint(rest)
		rest = rest[n:]
		return v
	}
	cells = cells[:0]
	for len(rest) > 0 {
		p := pair{gold: int(next()), predicted: int(next())}
		cells = append(cells, cell{pair: p, n: int64(next())})
	}
	return cells
}

// tally has the numbers of trials in which a label is right, expected (gold) and predicted.
type tally struct {
	label                  int
	right, gold, predicted int64
}

// f1 returns the F1 score, 2·tp/(gold + predicted) (van Rijsbergen 1979, Sørensen–Dice).
func (t tally) f1() float64 { return 2 * float64(t.right) / float64(t.gold+t.predicted) }

func (t tally) less(o tally) tally {
	t.right, t.gold, t.predicted = t.right-o.right, t.gold-o.gold, t.predicted-o.predicted
	return t
}

// talliesOf converts counts by pair of labels to counts by label.
func talliesOf(cells []cell) []tally {
	list := make([]tally, 0, 2*len(cells))
	of := func(label int) *tally {
		i := slices.IndexFunc(list, func(t tally) bool { return t.label == label })
		if i < 0 {
			i = len(list)
			list = append(list, tally{label: label})
		}
		return &list[i]
	}
	for _, c := range cells {
		of(c.gold).gold += c.n
		of(c.predicted).predicted += c.n
		if c.gold == c.predicted {
			of(c.gold).right += c.n
		}
	}
	return list
}

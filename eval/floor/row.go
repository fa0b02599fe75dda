package floor

import (
	"iter"
	"slices"

	"evalctl/agent/system"
)

// row is an example as it is learned.
type row struct {
	grams []gram
	label int
	fold  int
}

// folds are how many parts the rows are held out in.
const folds = 5

// seed is of the order in which examples are learned.
const seed = 20

// Subsample keeps at most MaxExamples of many examples, the same whatever their
// order, in an order that only what they say decides.
func Subsample(examples iter.Seq2[system.Example, error]) (list []system.Example, err error) {
	for e, err := range examples {
		if err != nil {
			return nil, err
		}
		if list = append(list, e); len(list) == 2*MaxExamples {
			list = sampled(list)
		}
	}
	return sampled(list), nil
}

func sampled(list []system.Example) []system.Example {
	list = system.Shuffled(list, seed)
	return list[:min(len(list), MaxExamples)]
}

// rowsOf cuts what would take too long to learn. Texts that differ in their
// typing alone lie in one fold.
func rowsOf(examples []system.Example, labels []string) (rows []row) {
	work := 0
	for _, e := range examples {
		plain := normal(e.Text)
		at, _ := slices.BinarySearch(labels, e.Label)
		r := row{grams: gramsOf(plain), label: at, fold: foldOf(plain)}
		if work += len(r.grams) * len(labels); work > maxWork {
			break
		}
		rows = append(rows, r)
	}
	return rows
}

// foldOf is the same for texts that differ in their typing alone.
func foldOf(plain []rune) int { return int(system.SeededHash(seed, string(plain)) % folds) }

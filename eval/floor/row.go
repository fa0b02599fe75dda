package floor

import (
	"iter"
	"slices"

	"evalctl/agent/system"
)

// trainingExample is an example prepared for training: with its features, its label index and its
// cross-validation fold.
type trainingExample struct {
	grams []featureCount
	label int
	fold  int
}

// folds is the number of cross-validation folds.
const folds = 5

// seed determines the order of the training examples and their folds.
const seed = 20

// Subsample returns the examples, or a sample of 20,000 if there are more. The result depends only
// on the content of the examples, not on their order.
func Subsample(examples iter.Seq2[system.LabeledExample, error]) (list []system.LabeledExample, err error) {
	for e, err := range examples {
		if err != nil {
			return nil, err
		}
		if list = append(list, e); len(list) == 2*maxExamples {
			list = sampled(list)
		}
	}
	return sampled(list), nil
}

func sampled(list []system.LabeledExample) []system.LabeledExample {
	list = system.ShuffleExamples(list, seed)
	return list[:min(len(list), maxExamples)]
}

// rowsOf computes the features of examples, until the training cost reaches its limit. Texts with
// the same normalized form get the same cross-validation fold.
func rowsOf(examples []system.LabeledExample, labels []string) (rows []trainingExample) {
	work := 0
	for _, e := range examples {
		plain := normalized(e.Text)
		at, _ := slices.BinarySearch(labels, e.Label)
		r := trainingExample{grams: gramsOf(plain), label: at, fold: foldOf(plain)}
		if work += len(r.grams) * len(labels); work > maxWork {
			break
		}
		rows = append(rows, r)
	}
	return rows
}

// foldOf returns the cross-validation fold of a normalized text.
func foldOf(plain []rune) int { return int(system.SeededHash(seed, string(plain)) % folds) }

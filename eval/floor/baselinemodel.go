// Package floor has the baseline models: fast in-process classifiers trained on labeled texts. They
// use no language model and no context. A router that is not better than a baseline is not worth
// its cost.
package floor

// Kind is a kind of baseline model.
type Kind string

// The kinds, strongest first.
const (
	Linear     Kind = "linear"      // multinomial logistic regression
	NaiveBayes Kind = "naive-bayes" // multinomial naive Bayes
	Majority   Kind = "majority"    // always the most frequent label
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Linear, NaiveBayes, Majority} }

// Describe returns a short description of the kind.
func (k Kind) Describe() string {
	switch k {
	case Linear:
		return "a linear model over words and character n-grams"
	case NaiveBayes:
		return "multinomial naive Bayes over words and character n-grams"
	}
	return "the most frequent label"
}

// Model is a trained classifier. It is safe for concurrent use.
type Model interface {
	// Predict returns the most likely label of a text and its probability, 0..1. Ties go to the
	// first label by name.
	Predict(text string) (label string, confidence float64)
	Size() Size
}

// Size is the size of a model.
type Size struct {
	Examples int // training examples
	Labels   int
	Features int
	Bytes    int
}

// Limits of training. A larger set of examples is sampled, independent of their order.
const (
	maxExamples = 20_000
	MaxLabels   = 500
	maxText     = 1_000   // characters of a text that are used, before and after normalization
	maxWeights  = 1 << 25 // features times labels: the rarest features are dropped
	// features of the texts times labels; limits a pass over all, the steps of a descent, and a
	// calibration
	maxWork = 5 << 27
)

// Package floor provides the baseline models: fast classifiers without a language model, trained on
// labeled texts. They use only the last message, without context. A router that is not better than
// a baseline model is not worth its cost.
package floor

// Kind names a type of baseline model.
type Kind string

// The kinds of baseline models, the strongest first.
const (
	Linear     Kind = "linear"      // multinomial logistic regression over words and character n-grams
	NaiveBayes Kind = "naive-bayes" // multinomial naive Bayes over words and character n-grams
	Majority   Kind = "majority"    // always predicts the most frequent training label
)

// Kinds returns all kinds of baseline models, the strongest first.
func Kinds() []Kind { return []Kind{Linear, NaiveBayes, Majority} }

// Describe returns a short description of the kind for reports.
func (k Kind) Describe() string {
	switch k {
	case Linear:
		return "a linear model over words and character n-grams"
	case NaiveBayes:
		return "multinomial naive Bayes over words and character n-grams"
	}
	return "the most frequent label"
}

// Model is a trained baseline model. It is safe for concurrent use.
type Model interface {
	// Predict returns the most likely label of a text and its probability, 0..1. If labels tie, it
	// returns the first one in alphabetical order.
	Predict(text string) (label string, confidence float64)
	Size() ModelSize // Size returns how much the model learned from and how large it is.
}

// ModelSize describes how much a model learned from and how much memory it takes.
type ModelSize struct {
	Examples int // number of training examples
	Labels   int // number of different labels
	Features int // number of features that the model uses
	Bytes    int // memory of the weights and tables
}

// Limits of training. From more than maxExamples examples, a sample is drawn that does not depend
// on their order.
const (
	maxExamples = 20_000  // maximum number of training examples
	MaxLabels   = 500     // maximum number of different labels
	maxText     = 1_000   // characters of a text that are used; the rest is ignored
	maxWeights  = 1 << 25 // number of features times number of labels; above it, the rarest features are dropped
	// limit of the computing cost, as features of the texts times labels; it applies to one pass
	// over all texts, to the steps of gradient descent, and to the calibration
	maxWork = 5 << 27
)

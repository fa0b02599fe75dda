// Package floor has what every router must beat: classifiers that learn labelled
// texts in a moment, in the process, and decide in microseconds. They know no
// language and no context; a model that is no better than they are is not worth
// its price.
package floor

// Kind names a way to learn.
type Kind string

// The kinds, strongest first.
const (
	Linear     Kind = "linear"      // multinomial logistic regression
	NaiveBayes Kind = "naive-bayes" // multinomial
	Majority   Kind = "majority"    // the most frequent label, whatever is said
)

// Kinds lists them.
func Kinds() []Kind { return []Kind{Linear, NaiveBayes, Majority} }

// Describe says in a few words what a model of the kind is.
func (k Kind) Describe() string {
	switch k {
	case Linear:
		return "a linear model over words and character n-grams"
	case NaiveBayes:
		return "multinomial naive Bayes over words and character n-grams"
	}
	return "the most frequent label"
}

// Model has learned to label texts. It is safe for concurrent use.
type Model interface {
	// Predict gives the likeliest label of a text, and how likely it is to be
	// right, 0..1. Of equals the first by name is taken.
	Predict(text string) (label string, confidence float64)
	Size() Size
}

// Size is what a model holds.
type Size struct {
	Examples int // it was trained on
	Labels   int
	Features int
	Bytes    int
}

// Bounds of what is learned. Of more examples a sample is kept, the same
// whatever their order.
const (
	MaxExamples = 20_000
	MaxLabels   = 500
	maxText     = 1_000   // characters of a text that are looked at, before and after they are made alike
	maxWeights  = 1 << 25 // features times labels: the rarest features go
	maxWork     = 5 << 27 // features of the texts, times labels: of a pass over all, of the steps of a descent, and of all that calibrate it
)

package suite

// Scope is how much of an answer is played.
type Scope string

// The scopes.
const (
	AnswerScope   Scope = "answer"
	DecisionScope Scope = "decision" // stop once the decision is made: nothing else is asked for, or scored
)

// Scopes lists them.
func Scopes() []string { return []string{string(DecisionScope), string(AnswerScope)} }

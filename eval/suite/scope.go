package suite

import (
	"fmt"

	"evalctl/eval/suggest"
)

// Scope is how much of an answer is played.
type Scope string

// The scopes.
const (
	AnswerScope   Scope = "answer"
	DecisionScope Scope = "decision" // stop once the decision is made: nothing else is asked for, or scored
)

// Scopes lists them.
func Scopes() []string { return []string{string(DecisionScope), string(AnswerScope)} }

func (s Suite) checkScope() error {
	if s.Scope == "" {
		return nil
	}
	if err := suggest.Known("scope", string(s.Scope), Scopes()); err != nil {
		return fmt.Errorf("scope: %w", err)
	}
	if s.Scope == DecisionScope && !s.System().Scoped {
		return fmt.Errorf("scope: %s does not decide before it acts", s.Target)
	}
	return nil
}

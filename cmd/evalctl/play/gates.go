package play

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"evalctl/eval/gate"
)

// explainRule puts the place of a gate's error into words.
func explainRule(err error) error {
	var at *gate.SyntaxError
	if !errors.As(err, &at) {
		return err
	}
	column := utf8.RuneCountInString(at.Rule[:min(max(at.Offset, 0), len(at.Rule))]) + 1
	return fmt.Errorf("%q, column %d: %s", at.Rule, column, at.Problem)
}

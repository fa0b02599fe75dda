package gate

import (
	"fmt"
	"unicode/utf8"
)

// SyntaxError is a syntax error in a rule, with its position.
type SyntaxError struct {
	Rule    string
	Offset  int // position in Rule, in bytes
	Problem string
}

// Error returns one line with the column, from 1.
func (e *SyntaxError) Error() string {
	before := e.Rule[:min(max(e.Offset, 0), len(e.Rule))]
	return fmt.Sprintf("%q, column %d: %s", e.Rule, utf8.RuneCountInString(before)+1, e.Problem)
}

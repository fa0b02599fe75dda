package gate

import (
	"fmt"
	"unicode/utf8"
)

// SyntaxError says what is wrong with a rule, and where.
type SyntaxError struct {
	Rule    string
	Offset  int // of the place in Rule, in bytes
	Problem string
}

// Error is one line, with the column of the place from 1.
func (e *SyntaxError) Error() string {
	before := e.Rule[:min(max(e.Offset, 0), len(e.Rule))]
	return fmt.Sprintf("%q, column %d: %s", e.Rule, utf8.RuneCountInString(before)+1, e.Problem)
}

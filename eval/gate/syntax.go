package gate

import (
	"fmt"
	"unicode/utf8"
)

// SyntaxError reports a rule that cannot be parsed or that does not fit the run, with the position
// of the problem.
type SyntaxError struct {
	Rule    string // text of the rule
	Offset  int    // position of the problem in Rule, in bytes
	Problem string // what is wrong, and what was expected
}

// Error returns the message as one line, with the column counted from 1.
func (e *SyntaxError) Error() string {
	before := e.Rule[:min(max(e.Offset, 0), len(e.Rule))]
	return fmt.Sprintf("%q, column %d: %s", e.Rule, utf8.RuneCountInString(before)+1, e.Problem)
}

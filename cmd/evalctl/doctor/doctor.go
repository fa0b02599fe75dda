// Package doctor looks, before a run, at what it would stand on: keys, endpoints, clock,
// disk, terminal. Each check is a function that tells what it found, and never a key.
package doctor

import "fmt"

// Status says how a check went.
type Status string

// The marks, as JSON has them.
const (
	StatusOK      Status = "ok"
	StatusFailed  Status = "failed"
	StatusWarning Status = "warning"
	Skipped       Status = "skipped"
)

// Symbol is a mark as a terminal shows it, in one of UTF-8 or in any.
func (m Status) Symbol(utf8 bool) string {
	plain := map[Status]string{StatusOK: "+", StatusFailed: "x", StatusWarning: "!", Skipped: "-"}
	if utf8 {
		plain[StatusOK], plain[StatusFailed], plain[Skipped] = "✓", "✗", "–"
	}
	return plain[m]
}

// Finding is what one check found.
type Finding struct {
	Check string `json:"check"`
	Mark  Status `json:"status"`
	Text  string `json:"message"`
}

// found says what a check came to.
func found(check string, mark Status, format string, a ...any) Finding {
	return Finding{Check: check, Mark: mark, Text: fmt.Sprintf(format, a...)}
}

// Failed counts the checks that failed.
func Failed(list []Finding) (n int) {
	for _, f := range list {
		if f.Mark == StatusFailed {
			n++
		}
	}
	return n
}

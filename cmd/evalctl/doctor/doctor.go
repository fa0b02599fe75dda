// Package doctor looks, before a run, at what it would stand on: keys, endpoints, clock,
// disk, terminal. Each check is a function that tells what it found, and never a key.
package doctor

import "fmt"

// Mark says how a check went.
type Mark string

// The marks, as JSON has them.
const (
	Good    Mark = "ok"
	Bad     Mark = "failed"
	Doubt   Mark = "warning"
	Skipped Mark = "skipped"
)

// Sign is a mark as a terminal shows it, in one of UTF-8 or in any.
func (m Mark) Sign(utf8 bool) string {
	plain := map[Mark]string{Good: "+", Bad: "x", Doubt: "!", Skipped: "-"}
	if utf8 {
		plain[Good], plain[Bad], plain[Skipped] = "✓", "✗", "–"
	}
	return plain[m]
}

// Finding is what one check found.
type Finding struct {
	Check string `json:"check"`
	Mark  Mark   `json:"status"`
	Text  string `json:"message"`
}

// found says what a check came to.
func found(check string, mark Mark, format string, a ...any) Finding {
	return Finding{Check: check, Mark: mark, Text: fmt.Sprintf(format, a...)}
}

// Failed counts the checks that failed.
func Failed(list []Finding) (n int) {
	for _, f := range list {
		if f.Mark == Bad {
			n++
		}
	}
	return n
}

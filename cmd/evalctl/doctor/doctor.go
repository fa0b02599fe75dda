// Package doctor checks keys, endpoints, clock, disk and terminal before a run. Findings never
// contain a key.
package doctor

import "fmt"

// Status is the outcome of a check.
type Status string

// The outcomes, as in JSON.
const (
	StatusOK      Status = "ok"
	StatusFailed  Status = "failed"
	StatusWarning Status = "warning"
	Skipped       Status = "skipped"
)

// Symbol returns the character for a terminal, in ASCII unless utf8 is set.
func (m Status) Symbol(utf8 bool) string {
	plain := map[Status]string{StatusOK: "+", StatusFailed: "x", StatusWarning: "!", Skipped: "-"}
	if utf8 {
		plain[StatusOK], plain[StatusFailed], plain[Skipped] = "✓", "✗", "–"
	}
	return plain[m]
}

// Finding is the result of one check.
type Finding struct {
	Check string `json:"check"`
	Mark  Status `json:"status"`
	Text  string `json:"message"`
}

func newFinding(check string, mark Status, format string, a ...any) Finding {
	return Finding{Check: check, Mark: mark, Text: fmt.Sprintf(format, a...)}
}

// Failed counts the failed checks.
func Failed(list []Finding) (n int) {
	for _, f := range list {
		if f.Mark == StatusFailed {
			n++
		}
	}
	return n
}

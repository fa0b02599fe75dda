// Package doctor implements the command evalctl doctor: it checks API keys, endpoints, clock, disk
// and terminal before a run. Its output never contains the value of a key.
package doctor

import "fmt"

// Status is the result of a check: ok, failed, warning or skipped.
type Status string

// These are the possible results of a check, with the spelling of the JSON output.
const (
	StatusOK      Status = "ok"      // the check found no problem
	StatusFailed  Status = "failed"  // a run would fail
	StatusWarning Status = "warning" // a run may have problems
	StatusSkipped Status = "skipped" // not checked
)

// Symbol returns the character that marks this status on a terminal, such as ✓. If utf8 is false,
// the character is ASCII.
func (m Status) Symbol(utf8 bool) string {
	plain := map[Status]string{StatusOK: "+", StatusFailed: "x", StatusWarning: "!", StatusSkipped: "-"}
	if utf8 {
		plain[StatusOK], plain[StatusFailed], plain[StatusSkipped] = "✓", "✗", "–"
	}
	return plain[m]
}

// Finding is the result of one check: what was checked, its status, and a message for the user.
type Finding struct {
	Check   string `json:"check"`   // what was checked, such as key or disk
	Status  Status `json:"status"`  // result of the check
	Message string `json:"message"` // message for the user
}

func newFinding(check string, status Status, format string, a ...any) Finding {
	return Finding{Check: check, Status: status, Message: fmt.Sprintf(format, a...)}
}

// CountFailed returns the number of findings with the status failed.
func CountFailed(list []Finding) (n int) {
	for _, f := range list {
		if f.Status == StatusFailed {
			n++
		}
	}
	return n
}

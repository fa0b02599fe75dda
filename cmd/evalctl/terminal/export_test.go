package terminal

import "time"

// ReadLine returns the progress line of a run with these numbers, without an estimate of the
// remaining time.
func Line(total, done, failed int64, width int) string {
	p := &Progress{total: total, done: done, failed: failed, resumed: done, began: time.Now()}
	return p.line(width)
}

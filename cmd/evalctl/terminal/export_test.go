package terminal

import "time"

// Line is what a resumed run that has played nothing shows.
func Line(total, done, failed int64, width int) string {
	p := &Progress{total: total, done: done, failed: failed, resumed: done, began: time.Now()}
	return p.line(width)
}

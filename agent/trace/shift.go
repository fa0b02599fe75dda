package trace

import "time"

// ShiftEvents has the events of a turn that had to wait for d count from when it came: that
// is how its user sees them.
func ShiftEvents(emit func(Event), d time.Duration) func(Event) {
	return func(e Event) {
		e.Offset += d
		if e.Span != nil {
			s := *e.Span
			s.Start += d
			e.Span = &s
		}
		emit(e)
	}
}

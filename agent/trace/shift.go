package trace

import "time"

// ShiftEvents returns an emit function that adds d to the offsets, for a turn that waited for d.
// Offsets then count from the arrival of the turn, as its user sees them.
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

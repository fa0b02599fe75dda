package trace

import "time"

// ShiftEvents returns an emit function that adds d to all offsets. Use it for a turn that waited
// for d before it started: its offsets then count from its arrival, as the user experiences it.
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

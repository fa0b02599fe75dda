package limit

// decreaseFactor is the factor by which the window decreases after a refusal.
const decreaseFactor = 0.85

// window limits the concurrent requests to a provider by the congestion control of TCP: additive
// increase, multiplicative decrease, and slow start after a pause. There is no limit until the
// provider refuses a request at a concurrency that it has not accepted recently.
type window struct {
	size, threshold float64 // maximum concurrency, and end of slow start; 0: no limit
	// number of decreases; the refusal of a request sent before the latest decrease causes no
	// further one
	cuts          int64
	proven, older int // highest concurrency of an accepted request, in this period and in the previous one
}

// allows reports whether another request may be sent.
func (w *window) allows(inProgress int) bool { return w.size == 0 || float64(inProgress) < w.size }

// accepted records an accepted request. inProgress is the number of requests in progress when it
// was sent, including itself.
func (w *window) accepted(inProgress int) {
	w.proven = max(w.proven, inProgress)
	if w.size == 0 || float64(inProgress) < w.size-1 {
		return // the window did not limit the concurrency
	}
	if w.size < w.threshold {
		w.size++
	} else {
		w.size += 1 / w.size
	}
}

// refused records a refused request and reports whether its concurrency was the reason. inProgress
// and cuts are the values when it was sent. After the first decrease the window grows back fast,
// because its size was only a guess.
func (w *window) refused(inProgress int, cuts int64) bool {
	highest := max(w.proven, w.older, 1)
	if inProgress <= highest {
		return false
	}
	if cuts == w.cuts {
		w.cuts++
		first := w.size == 0
		w.size = max(1, decreaseFactor*float64(highest))
		w.threshold = w.size
		if first {
			w.threshold = float64(inProgress)
		}
	}
	return true
}

// nextPeriod begins a new period and drops the values of the previous one.
func (w *window) nextPeriod() { w.older, w.proven = w.proven, 0 }

// restart begins a slow start after a pause, up to the previous concurrency.
func (w *window) restart(inProgress int) {
	if w.size == 0 {
		w.size = float64(max(w.proven, w.older, inProgress))
	}
	w.threshold, w.size = max(w.size, w.threshold), 1
}

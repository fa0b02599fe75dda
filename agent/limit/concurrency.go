package limit

// Window of concurrency: how much of it is left after a refusal.
const shrink = 0.85

// window bounds the requests under way to what a provider bears at once: additive
// increase, multiplicative decrease, and slow start after a standstill. Nothing bounds
// them until a request is refused that found more under way than any lately taken one.
type window struct {
	size, threshold float64 // 0: no bound
	cuts            int64   // so far: a request that was sent before the last one cuts no more
	proven, older   int     // under way when a request was taken, at most: of this period and the one before
}

// allows tells whether one more may go out beside so many.
func (w *window) allows(underWay int) bool { return w.size == 0 || float64(underWay) < w.size }

// taken hears that a request was taken that found so many under way, itself included.
func (w *window) taken(underWay int) {
	w.proven = max(w.proven, underWay)
	if w.size == 0 || float64(underWay) < w.size-1 {
		return // not what held it back
	}
	if w.size < w.threshold {
		w.size++
	} else {
		w.size += 1 / w.size
	}
}

// refused hears of a request that found so many under way, and after so many cuts was
// sent; it tells whether that is why it was refused. The first cut is a guess, from
// which it comes back fast.
func (w *window) refused(underWay int, cuts int64) bool {
	most := max(w.proven, w.older, 1)
	if underWay <= most {
		return false
	}
	if cuts == w.cuts {
		w.cuts++
		first := w.size == 0
		w.size = max(1, shrink*float64(most))
		w.threshold = w.size
		if first {
			w.threshold = float64(underWay)
		}
	}
	return true
}

// age forgets what was proven before the last period.
func (w *window) age() { w.older, w.proven = w.proven, 0 }

// restart has the requests begin one by one after a standstill, and soon be as many as
// they were.
func (w *window) restart(underWay int) {
	if w.size == 0 {
		w.size = float64(max(w.proven, w.older, underWay))
	}
	w.threshold, w.size = max(w.size, w.threshold), 1
}

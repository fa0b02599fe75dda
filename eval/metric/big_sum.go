package metric

import "math/bits"

// bigSum is an exact 128-bit sum of integers, such as nanoseconds over all trials, which could
// overflow 64 bits.
type bigSum struct{ high, low uint64 }

// add adds v to the sum. A negative v counts as 0.
func (w *bigSum) add(v int64) {
	low, carry := bits.Add64(w.low, uint64(max(v, 0)), 0)
	w.low, w.high = low, w.high+carry
}

func (w bigSum) float() float64 { return float64(w.high)*(1<<64) + float64(w.low) }

package metric

import "math/bits"

// bigSum is an exact sum of whole numbers, in 128 bits: no file of results has so
// many lines that it would wrap around.
type bigSum struct{ high, low uint64 }

// add takes what is not negative; what is counts as nothing.
func (w *bigSum) add(v int64) {
	low, carry := bits.Add64(w.low, uint64(max(v, 0)), 0)
	w.low, w.high = low, w.high+carry
}

func (w bigSum) float() float64 { return float64(w.high)*(1<<64) + float64(w.low) }

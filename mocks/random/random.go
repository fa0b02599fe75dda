// Package random draws numbers that a seed alone decides, the same in every
// process and on every processor.
package random

import "math"

// Mix spreads a over 64 bits and folds b in (the finaliser of splitmix64).
func Mix(a, b uint64) uint64 {
	x := a + 0x9e3779b97f4a7c15*(b+1)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Hash is FNV-1a of text, mixed with seed.
func Hash(seed uint64, text string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return Mix(seed, h)
}

// Rand is a stream of numbers that its seed alone decides.
type Rand struct{ Seed, n uint64 }

// Uint64 is uniform over all numbers.
func (d *Rand) Uint64() uint64 {
	d.n++
	return Mix(d.Seed, d.n)
}

// Float64 is uniform in (0, 1).
func (d *Rand) Float64() float64 {
	return (float64(d.Uint64()>>11) + 0.5) / (1 << 53)
}

// NormFloat64 is standard normal.
func (d *Rand) NormFloat64() float64 {
	return math.Sqrt2 * math.Erfinv(2*d.Float64()-1)
}

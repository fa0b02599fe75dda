// Package random generates pseudo-random numbers from a seed. They are equal in every process and
// on every processor.
package random

import "math"

// Mix returns a hash of two numbers, for deriving a seed from another one (the finalizer of
// splitmix64).
func Mix(a, b uint64) uint64 {
	x := a + 0x9e3779b97f4a7c15*(b+1)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Hash returns a hash of a seed and a text (FNV-1a), for deriving a seed from another one.
func Hash(seed uint64, text string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return Mix(seed, h)
}

// Rand is a generator of random numbers. The seed determines the whole sequence.
type Rand struct{ Seed, n uint64 }

// Uint64 returns the next number, uniformly distributed over all 64-bit numbers.
func (d *Rand) Uint64() uint64 {
	d.n++
	return Mix(d.Seed, d.n)
}

// Float64 returns the next number, uniformly distributed in (0, 1).
func (d *Rand) Float64() float64 {
	return (float64(d.Uint64()>>11) + 0.5) / (1 << 53)
}

// NormFloat64 returns the next number of a standard normal distribution.
func (d *Rand) NormFloat64() float64 {
	return math.Sqrt2 * math.Erfinv(2*d.Float64()-1)
}

package mocks

import "math"

// mix spreads a over 64 bits and folds b in (the finaliser of splitmix64).
func mix(a, b uint64) uint64 {
	x := a + 0x9e3779b97f4a7c15*(b+1)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hashText is FNV-1a of text, mixed with seed.
func hashText(seed uint64, text string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return mix(seed, h)
}

// dice is a stream of numbers that its seed alone decides.
type dice struct{ state, n uint64 }

func (d *dice) next() uint64 {
	d.n++
	return mix(d.state, d.n)
}

// unit is uniform in (0, 1).
func (d *dice) unit() float64 {
	return (float64(d.next()>>11) + 0.5) / (1 << 53)
}

// normal is standard normal.
func (d *dice) normal() float64 {
	return math.Sqrt2 * math.Erfinv(2*d.unit()-1)
}

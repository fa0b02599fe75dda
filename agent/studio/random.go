package studio

import "hash/fnv"

// hash is FNV-1a.
func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for i, s := range parts {
		if i > 0 {
			h.Write([]byte{0})
		}
		h.Write([]byte(s))
	}
	return h.Sum64()
}

// uniform is a pseudorandom number in [0,1) derived from the seed and the parts.
func uniform(seed uint64, parts ...string) float64 {
	x := hash(parts...) ^ seed*0x9e3779b97f4a7c15
	// The finalizer of SplitMix64 (Steele, Lea, Flood 2014) decorrelates similar inputs.
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return float64(x>>11) / (1 << 53)
}

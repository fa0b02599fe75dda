package studio

import "hash/fnv"

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

// uniform returns a pseudorandom number in [0,1) that depends only on the seed and the parts.
func uniform(seed uint64, parts ...string) float64 {
	x := hash(parts...) ^ seed*0x9e3779b97f4a7c15
	// The last steps of SplitMix64 (Steele, Lea, Flood 2014) make the results for similar inputs
	// independent.
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return float64(x>>11) / (1 << 53)
}

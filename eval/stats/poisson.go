package stats

const (
	weightBits     = 12
	weightsPerWord = 64 / weightBits
)

// poissonCounts is the distribution of the bootstrap weights: poissonCounts[k] of the 4096 values
// of 12 bits give weight k. It is Poisson(1) rounded to 4096ths such that its mean and variance are
// exactly 1. The third moment is 5.007 instead of 5, and the total variation distance to Poisson(1)
// is 0.0007.
var poissonCounts = [...]int{1506, 1508, 754, 250, 63, 13, 1, 1}

// poissonTable maps 12 random bits to a bootstrap weight.
var poissonTable = func() (table [1 << weightBits]uint8) {
	i := 0
	for weight, count := range poissonCounts {
		for range count {
			table[i] = uint8(weight)
			i++
		}
	}
	return table
}()

// drawWeights fills weights with independent bootstrap weights of one case, which depend only on
// seed and key. It uses a SplitMix64 stream that starts at a hash of both (Steele, Lea & Flood,
// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
func drawWeights(weights []uint8, seed, key uint64) {
	const golden = 0x9e3779b97f4a7c15
	state := mix(mix(seed+golden) ^ key)
	for len(weights) > 0 {
		state += golden
		word := mix(state)
		for i := range min(weightsPerWord, len(weights)) {
			weights[i] = poissonTable[word>>(i*weightBits)&(1<<weightBits-1)]
		}
		weights = weights[min(weightsPerWord, len(weights)):]
	}
}

// mix is SplitMix64's finalizer (Stafford's variant 13), a bijection.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

package stats

import "math/bits"

const (
	leadingBits = 11                     // leading bits of a value that select its bin
	pageSize    = 1 << (leadingBits - 1) // bins per power of two
	pages       = 63 - leadingBits + 2   // number of pages; the values below 2^11 take two of them
)

// bins is a histogram of integers ≥ 0 in bounded memory. The 11 leading bits of a value select its
// bin. Bin i < 2048 holds the value i. Each range [2^e, 2^(e+1)) above has 1024 bins of width
// 2^(e−10). Pages are allocated on first use.
type bins struct {
	page [pages]*[pageSize]int64
}

func (b *bins) add(v, n int64) {
	i := binOf(v)
	b.pageAt(i / pageSize)[i%pageSize] += n
}

func (b *bins) pageAt(p int) *[pageSize]int64 {
	if b.page[p] == nil {
		b.page[p] = new([pageSize]int64)
	}
	return b.page[p]
}

// binOf returns the index of the bin that counts v ≥ 0. Larger values never have a smaller index.
func binOf(v int64) int {
	shift := max(bits.Len64(uint64(v))-leadingBits, 0)
	return shift*pageSize + int(v>>shift)
}

// binBounds returns the first, middle and last value of bin i. The middle is within 2⁻¹¹ of every
// value in the bin.
func binBounds(i int) (first, middle, last int64) {
	shift := max(i/pageSize-1, 0)
	first = int64(i-shift*pageSize) << shift
	width := int64(1) << shift
	return first, first + width/2, first + (width - 1)
}

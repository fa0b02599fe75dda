package fleet

// bitmap is a set of trials, identified by their positions in the run.
type bitmap struct {
	words []uint64
	size  int64 // number of trials in the run
}

func newBitmap(size int64) *bitmap { return &bitmap{words: make([]uint64, (size+63)/64), size: size} }

func (b *bitmap) has(i int64) bool { return b.words[i/64]&(1<<(i%64)) != 0 }
func (b *bitmap) add(i int64)      { b.words[i/64] |= 1 << (i % 64) }

func (b *bitmap) addAll(l Assignment) {
	for _, r := range l.Ranges {
		for i := r.From; i < r.To; i++ {
			b.add(i)
		}
	}
}

func (b *bitmap) clone() *bitmap {
	return &bitmap{words: append([]uint64(nil), b.words...), size: b.size}
}

// next returns an assignment of at most most trials that are not in the set, starting at position
// at. after is where the following assignment starts.
func (b *bitmap) next(at, most int64) (l Assignment, after int64) {
	for n := int64(0); at < b.size && n < most; at++ {
		if b.has(at) {
			continue
		}
		l.add(at)
		n++
	}
	return l, at
}

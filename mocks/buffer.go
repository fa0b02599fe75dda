package mocks

import "sync"

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// maxScratch is the largest buffer, in bytes, that returns to the pool scratch.
const maxScratch = 64 << 10

// borrow returns an empty slice from the pool. The caller returns it with giveBack.
func borrow() *[]byte {
	b := scratch.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}

func giveBack(b *[]byte) {
	if cap(*b) <= maxScratch {
		scratch.Put(b)
	}
}

package mocks

import "sync"

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// maxScratch keeps the buffers of long answers out of scratch.
const maxScratch = 64 << 10

// borrow takes an empty slice to build an answer in, to be given back.
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

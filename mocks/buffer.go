package mocks

import "sync"

var bufferPool = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// maxScratch is the largest buffer, in bytes, that returns to the pool scratch.
const maxScratch = 64 << 10

// getBuffer returns an empty slice from the pool. The caller returns it with putBuffer.
func getBuffer() *[]byte {
	b := bufferPool.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}

func putBuffer(b *[]byte) {
	if cap(*b) <= maxScratch {
		bufferPool.Put(b)
	}
}

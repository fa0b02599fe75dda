package mocks

import "sync"

var bufferPool = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// maxPooledBuffer is the largest buffer, in bytes, that is reused. Larger ones are left to the
// garbage collector.
const maxPooledBuffer = 64 << 10

// getBuffer returns an empty slice for building an answer. The caller returns it to the pool with
// putBuffer.
func getBuffer() *[]byte {
	b := bufferPool.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}

func putBuffer(b *[]byte) {
	if cap(*b) <= maxPooledBuffer {
		bufferPool.Put(b)
	}
}

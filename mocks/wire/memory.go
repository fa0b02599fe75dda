package wire

import "sync/atomic"

// defaultMemory is the default memory limit, in bytes, for all requests in progress together.
const defaultMemory = 256 << 20

// smallBody is the size, in bytes, up to which a request needs no reservation.
const smallBody = 8 << 10

// MemoryLimit limits the total memory of the requests in progress, so that many large requests cannot
// exhaust it. A request beyond the limit gets the error of an overloaded server.
type MemoryLimit struct {
	Size     int64 // limit in bytes; 0: defaultMemory
	reserved atomic.Int64
}

func (m *MemoryLimit) reserve(n int64) bool {
	size := m.Size
	if size == 0 {
		size = defaultMemory
	}
	if m.reserved.Add(n) > size {
		m.reserved.Add(-n)
		return false
	}
	return true
}

// ReserveMemory reserves n bytes of the memory limit until Release. It returns false if the limit is
// exceeded.
func (c *Call) ReserveMemory(n int64) bool {
	if c.Memory == nil || n <= smallBody {
		return true
	}
	if !c.Memory.reserve(n) {
		return false
	}
	c.reserved += n
	return true
}

// ReleaseMemory returns all memory that the call has reserved.
func (c *Call) ReleaseMemory() {
	if c.reserved > 0 {
		c.Memory.reserved.Add(-c.reserved)
		c.reserved = 0
	}
}

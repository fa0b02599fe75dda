package wire

import "sync/atomic"

// defaultMemory is the memory limit in bytes for all requests in progress together.
const defaultMemory = 256 << 20

// smallBody is the request size in bytes that needs no reservation.
const smallBody = 8 << 10

// Memory counts the bytes used by requests in progress. A request that exceeds the limit is
// answered as overloaded.
type Memory struct {
	Size     int64 // 0: defaultMemory
	reserved atomic.Int64
}

func (m *Memory) reserve(n int64) bool {
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

// Reserve reserves n bytes until Release. It returns false if the limit is exceeded.
func (c *Call) Reserve(n int64) bool {
	if c.Memory == nil || n <= smallBody {
		return true
	}
	if !c.Memory.reserve(n) {
		return false
	}
	c.reserved += n
	return true
}

// Release returns the reserved bytes of the call.
func (c *Call) Release() {
	if c.reserved > 0 {
		c.Memory.reserved.Add(-c.reserved)
		c.reserved = 0
	}
}

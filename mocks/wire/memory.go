package wire

import "sync/atomic"

// defaultMemory is how many bytes requests under way may take together.
const defaultMemory = 256 << 20

// smallBody is what a request may have without asking for memory.
const smallBody = 8 << 10

// Memory counts the bytes that requests under way take. Whoever finds too few
// left is told that the provider is overloaded.
type Memory struct {
	Size  int64 // 0: defaultMemory
	taken atomic.Int64
}

func (m *Memory) take(n int64) bool {
	size := m.Size
	if size == 0 {
		size = defaultMemory
	}
	if m.taken.Add(n) > size {
		m.taken.Add(-n)
		return false
	}
	return true
}

// Reserve reserves bytes until Release; it says false where too few are left.
func (c *Call) Reserve(n int64) bool {
	if c.Memory == nil || n <= smallBody {
		return true
	}
	if !c.Memory.take(n) {
		return false
	}
	c.taken += n
	return true
}

// Release gives back what the call has taken.
func (c *Call) Release() {
	if c.taken > 0 {
		c.Memory.taken.Add(-c.taken)
		c.taken = 0
	}
}
